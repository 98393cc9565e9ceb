"""Recordings on arrival: stored when they can be used, refused with a reason when not."""

import io
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient
from tests.web.apps import application, joined, live_behind

from earmark.study import Study
from earmark.study.live import LIVE
from earmark.web.recordings import recordings_folder


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("keywords")
    (place / "texts.txt").write_text("open the door\nhello house\n")
    study = Study.create(place / "voices", task="keywords")
    study.make("prompts", text=place / "texts.txt", language="English")
    study.ask(takes=2)
    return study.folder


@pytest.fixture
def client(made: Path, tmp_path: Path):
    shutil.copytree(made, tmp_path / "voices")
    with application(tmp_path / "voices", people=100) as opened:
        yield opened


def voice(level: float = 0.2) -> Any:
    """A second and a half: a buzz between two quiet parts."""
    rng = np.random.default_rng(0)
    samples = rng.normal(0, level / 200, 24000)
    samples[6000:16000] += level * np.sign(np.sin(np.arange(10000) * 0.07))
    return samples


def wav(samples: Any, rate: int = 16000, subtype: str = "PCM_16", kind: str = "WAV") -> bytes:
    import soundfile

    out = io.BytesIO()
    soundfile.write(out, samples, rate, format=kind, subtype=subtype)
    return out.getvalue()


def send(client: TestClient, who: dict[str, str], sound: bytes, **more: str) -> Any:
    unit = client.get("/api/next", headers=who).json()["unit"]
    form = {"unit": unit, "key": "take-one", "seconds": "3", "value": "{}", **more}
    file = {"file": ("../../evil.wav", sound, "audio/wav")}
    return client.post("/api/recordings", headers=who, data=form, files=file)


def test_a_good_recording_is_stored_once_under_a_name_of_the_server(client: TestClient) -> None:
    who, sound = joined(client), wav(voice())
    unit = client.get("/api/next", headers=who).json()["unit"]
    assert send(client, who, sound).status_code == 201
    again = client.post(
        "/api/recordings",
        headers=who,
        data={"unit": unit, "key": "take-one"},
        files={"file": ("x.wav", sound)},
    )
    assert again.status_code == 200
    live = live_behind(client)
    own = sorted(recordings_folder(live).iterdir())
    assert [path.read_bytes() for path in own] == [sound]
    assert "evil" not in own[0].name
    Study.open(live.folder).ask(import_from=LIVE)
    (answer,) = Study.open(live.folder).snapshot().answers().answers
    assert (answer.value.language, answer.value.seconds) == ("English", 1.5)
    assert (live.folder / "2-answers" / answer.value.file).resolve() == own[0].resolve()
    assert client.delete("/api/people/me", headers=who).json()["deleted_answers"] == 1
    assert not list(recordings_folder(live).iterdir())


@pytest.mark.parametrize(
    ("sound", "reason"),
    [
        (b"", "a recording must be a WAV file"),
        (b"RIFF" + b"\0" * 100, "a recording must be a WAV file"),
        (wav(voice())[:60], "a recording must last between 0.3 and 15 s"),
        (wav(voice(), 44100), "a recording must be WAV, 16 bits, one channel, 16 kHz"),
        (wav(np.stack([voice()] * 2, 1)), "a recording must be WAV, 16 bits, one channel, 16 kHz"),
        (wav(voice(), subtype="FLOAT"), "a recording must be WAV, 16 bits, one channel, 16 kHz"),
        (wav(voice(), kind="FLAC"), "a recording must be WAV, 16 bits, one channel, 16 kHz"),
        (wav(voice()[:3000]), "a recording must last between 0.3 and 15 s"),
        (wav(np.tile(voice(), 11)), "a recording must last between 0.3 and 15 s"),
        (wav(voice() * 0), "a recording must not be silent"),
        (wav(np.clip(voice(20.0), -1, 1)), "a recording must not be clipped"),
        (wav(voice(0.003)), "a recording must be loud enough"),
        (
            wav(np.random.default_rng(1).normal(0, 0.1, 16000)),
            "speech must stand out from the noise around it",
        ),
    ],
)
def test_what_must_be_repeated_is_refused_with_the_reason(
    client: TestClient, sound: bytes, reason: str
) -> None:
    reply = send(client, joined(client), sound)
    assert (reply.status_code, reply.json()["error"]["what"]) == (422, reason)


def test_a_steady_tone_is_no_noise(client: TestClient) -> None:
    tone = 0.3 * np.sin(2 * np.pi * 700 * np.arange(16000) / 16000)
    assert send(client, joined(client), wav(tone)).status_code == 201


@pytest.mark.parametrize(
    "value", ["{", "[]", '{"language": 3}', '{"dialect": "' + "x" * 101 + '"}', "nonsense"]
)
def test_fields_beside_the_sound_must_be_short_texts(client: TestClient, value: str) -> None:
    assert send(client, joined(client), wav(voice()), value=value).status_code == 422


def test_a_file_that_a_form_names_is_never_opened(client: TestClient) -> None:
    who = joined(client)
    unit = client.get("/api/next", headers=who).json()["unit"]
    form = {"unit": unit, "key": "some-key", "value": {"file": "/etc/passwd", "language": "x"}}
    reply = client.post("/api/answers", headers=who, json=form)
    assert reply.json()["error"]["what"] == "this study asks for recordings"
    named = send(client, who, wav(voice()), value='{"file": "/etc/passwd", "folder": "/"}')
    assert named.status_code == 201
    with live_behind(client).engine.begin() as connection:
        (value,) = connection.exec_driver_sql("SELECT value FROM live_answers").scalars()
    assert "passwd" not in str(value)


def test_recordings_exported_and_imported_are_the_same(
    client: TestClient, made: Path, tmp_path: Path
) -> None:
    sound = wav(voice())
    assert send(client, joined(client), sound).status_code == 201
    study = Study.open(live_behind(client).folder)
    study.ask(import_from=LIVE)
    study.export(tmp_path / "out", "csv", what="answers")
    other = Study.open(shutil.copytree(made, tmp_path / "other"))
    other.ask(import_from=tmp_path / "out" / "answers.csv")
    (one,), (again,) = (s.snapshot().answers().answers for s in (study, other))
    assert (tmp_path / "out" / again.value.file).read_bytes() == sound
    assert replace(again, value=replace(again.value, file=one.value.file)) == one
    assert again.given_at and again.seconds_taken == 3


def test_the_wake_demo_needs_a_few_recordings_and_a_name_it_gave(client: TestClient) -> None:
    one = [("files", ("a.wav", wav(voice()), "audio/wav"))]
    assert client.post("/api/wake", files=one).status_code == 422
    file = {"file": ("a.wav", wav(voice()), "audio/wav")}
    assert client.post("/api/wake/nobody", files=file).status_code == 404
