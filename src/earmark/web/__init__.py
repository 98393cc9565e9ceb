"""The web application: people answer, organisers look on, submissions arrive, the board shows.

`earmark serve STUDY` (cli/serve.py) builds a `Live` (`live.py`: the study, its database, its
terms) and hands it to `app.build_app`. This room only translates HTTP into calls of `ask/live/`
and other rooms.

How a room adds routes
----------------------
Write `web/routes/NAME.py` with `router = APIRouter()` and add the module to `ROUTERS` of `app.py`.
A route is `async def`; what it needs of the application is `live = live_of(request)`. It reads and
writes the database by `await live.write(function, ...)`, where `function(connection, ...)` is one
transaction that is on disk when the call returns (on SQLite all writers share one thread and one
commit; what only reads is `await live.read(function, ...)`). Blocking work goes through
`run_in_threadpool`. Raise `Refusal(status, InputError(...))` (`errors.py`) for anything that is
refused: the client gets `{"error": {"what", "got", "want", "fix"}}`, never a path. An `InputError`
that is raised without a status is 422.

Who asks (`guard.py`), as dependencies of a route, `who: Person`, `organiser: Organiser`:

- `Person`: a signed, expiring token, `Authorization: Bearer` or the cookie `person`. 401 without.
- `Organiser`: the session that `POST /api/organiser/session` starts; the cookie `organiser`.
- Other kinds of tokens: `live.tokens.issue(KIND, subject)` and `live.tokens.subject(KIND, token)`.

An unsafe request (POST, PUT, DELETE) that is authenticated by a cookie needs the header
`X-CSRF-Token`: the value of `<meta name="csrf">` on every page, also in the reply of
`POST /api/people` as `csrf`. Requests from other origins are refused before any route runs
(`headers.py`), bodies beyond `BODY_BYTES` too; a route that takes uploads names its own limit in
`UPLOADS` there. Every reply carries the security policy: scripts, styles, media, images of this
server only, nothing inline. `limits.py` has the rate limits, keyed on the token.

How a room adds pages
---------------------
A page is a template in `web/templates/` that extends `frame.html`; a route returns
`page(request, "NAME.html", **values)` (`pages.py`). Everything is escaped. Templates get `boot`
(what scripts start with: `shown.study_document`, and `texts`), `texts` (the study's words,
`texts.toml`), `csrf`, `person` (None or the pseudonym). Files in `web/static/` are served under
`/static/`; scripts are modules, `<script type="module" src>`. `ROUTERS` may hold pages too: their
router has `include_in_schema=False`.

What the pages may rely on
--------------------------
- `GET /` the page on which people join and answer; `GET /withdraw`; `GET /organiser`,
  `GET /organiser/sign-in`. Templates: `answer.html`, `withdraw.html`, `organiser.html`,
  `organiser_sign_in.html`.
- `GET /api/question` -> what is the same for all units: `shown.study_document`.
- `POST /api/people` `{"consent": true, "consent_version"?, "params"?: {PROLIFIC_PID...}}` -> 201
  `{"person", "token", "csrf", "withdrawal"}`, and sets the cookie. `withdrawal` is the code.
- `GET /api/next[?besides=UNIT]` -> 200 `{"unit", "lease", "expires", "answered", "cap", "show"}`;
  in `show` are `kind`, `prompt`, `language`, `clip` (`/api/media/UNIT` or null) and what the task
  shows.
  The same unit again until it is answered or its lease runs out, so that reloading loses nothing;
  `besides` asks for another one than that, to load it ahead (one ahead at most).
  204: nothing for you now; ask again after `Retry-After` seconds. 410: finished, with
  `{"code", "reason": "done|trial|excluded", "url": where to hand in the code, or null}`; "closed"
  and no code for somebody who comes when nothing is left.
- `POST /api/answers` `{"unit", "value": {form}, "seconds", "key"}` -> 201 once it is on disk; 200
  the same key again; 409 late or not yours (kept and marked; go on with the next unit); 422 what is
  wrong. `key` is made by the browser, once per answer, and sent again on every retry.
- `POST /api/recordings` multipart: `unit`, `key`, `seconds`, `value` (JSON: language, dialect),
  `file` (WAV) -> as answers; 422 with the reason when it must be repeated.
- `GET /api/media/{unit}` the sound of a unit that this person holds, cut, WAV, range requests.
- `GET /api/examples/{label}/{number}` an example sound. `GET /api/texts` all texts as one object.
- `POST /api/withdrawals` `{"code"}` -> 200 `{"deleted_answers"}`, 404 nobody has that code;
  `DELETE /api/people/me` with the token does the same.
- `GET /demo`, `POST /api/wake`, `POST /api/wake/{id}`: the wake word demo (`routes/wake.py`).
- `/task/` is the folder `tasks/TASK/page/`: `question.js`, `question.css`.
- Organiser: `POST /api/organiser/session` `{"password"}` -> 201 `{"csrf"}`; `DELETE` it to leave;
  `GET /api/progress`, `GET /api/organiser/people`, `POST /api/organiser/people/{person}`
  `{"excluded": true, "why"}`, `POST /api/organiser/pause` `{"paused": true}`,
  `GET /api/organiser/pay.csv`, `GET /api/organiser/reference`.
"""
