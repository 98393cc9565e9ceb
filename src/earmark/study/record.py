"""What a place of a study held when its verb wrote it: digests, written together with the files.

Numbers can be counted again; people's answers, sounds, outputs and pages cannot. Their digests are
in the file SHA256SUMS of their place. What a run cost is measured, so its digest is in itself: the
same seed gives the same bytes everywhere else.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from earmark.files.digest import content_digest
from earmark.files.folder import write_file, write_files
from earmark.files.json_text import JsonError, parse_json
from earmark.files.sums import SUMS, files_below, read_sums, sha256, sums_text
from earmark.files.text import read_text
from earmark.task.progress import track
from earmark.values.errors import InputError

MEASURED = "cost.json"  # beside the outputs of a system
OUTPUTS = "/outputs.jsonl"
DIGEST = "digest"


def record_folder(place: Path) -> None:
    """Write the digests of everything that a new folder holds into it."""
    write_file(place / SUMS, sums_text(_digests(place)))


def write_place(
    place: Path, files: Mapping[str, str], *, drop: Callable[[str], bool] = lambda name: False
) -> None:
    """Write files of a place and their digests together, or nothing; the others stay as they are.

    `files` are texts by name, relative to the place; `drop` accepts names, in the place itself,
    that go. A file that stays keeps the digest of when it was written: what was done to it since
    remains to be seen. Only in a place that has no digests yet are they taken now.
    """
    texts = {name: text for name, text in files.items() if Path(name).name != MEASURED}
    others = {
        name: digest
        for name, digest in _earlier(place).items()
        if not drop(Path(name).parts[0]) and (place / name).exists()
    }
    digests = {**others, **{name: content_digest(text) for name, text in texts.items()}}
    write_files(
        place,
        {**files, SUMS: sums_text(digests)},
        drop=lambda name: name == SUMS or drop(name),
    )


def _earlier(place: Path) -> dict[str, str]:
    if (place / SUMS).exists():
        return read_sums(place / SUMS)
    return _digests(place) if place.is_dir() else {}


def _digests(place: Path) -> dict[str, str]:
    names = [name for name in files_below(place) if Path(name).name != MEASURED]
    return {name: sha256(place / name) for name in names}


def measured_text(values: Mapping[str, Any]) -> str:
    """Return the text of a file of measured values, with the digest of these values in it."""
    text = json.dumps(values, indent=2, sort_keys=True, allow_nan=False)
    return json.dumps({**values, DIGEST: content_digest(text)}, indent=2, sort_keys=True) + "\n"


def differences(place: Path) -> Iterator[tuple[str, str]]:
    """Yield the files of a place that are not as recorded, each with what differs."""
    recorded = read_sums(place / SUMS)
    present = set(files_below(place))
    costs = {str(Path(name).with_name(MEASURED)) for name in recorded if name.endswith(OUTPUTS)}
    for name in track(sorted({*recorded, *present, *costs}), label=f"{place.name}"):
        problem = _difference(place, name, recorded.get(name), here=name in present)
        if problem:
            yield name, problem


def _difference(place: Path, name: str, recorded: str | None, *, here: bool) -> str | None:
    if not here:
        return f"is gone; {SUMS} has its digest {recorded}" if recorded else "is gone"
    if recorded is None and Path(name).name == MEASURED:
        return damage_of_measured(place / name)
    if recorded is None:
        return f"is extra: {SUMS} does not have it"
    try:
        now = sha256(place / name)
    except InputError as error:
        return str(error).replace("\n", ";")
    return None if now == recorded else f"has the digest {now}, and {recorded} in {SUMS}"


def damage_of_measured(path: Path) -> str | None:
    """Return how a file differs from the digest that is in it, None if it does not."""
    try:
        text = read_text(path, keep_line_ends=True)
        values = parse_json(text)
        inner = values.pop(DIGEST, None) if isinstance(values, dict) else None
        fresh = measured_text(values) if isinstance(values, dict) else ""
    except (InputError, JsonError, ValueError) as error:
        return f"is damaged: {str(error).partition(chr(10))[0]}"
    if inner is None:
        return "has no digest of its own"
    if fresh == text:
        return None
    now = parse_json(fresh)[DIGEST] if fresh else "nothing"
    return f"has the digest {now}, and {inner} in itself" if now != inner else "was written anew"
