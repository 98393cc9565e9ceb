"""The tour: a dozen made-up sounds, five references each, and three made-up systems."""

from pathlib import Path

from earmark.stats.draw import stream
from earmark.tables.rows import write_table
from earmark.task.task import Step, Tour

SCENES = (
    ("a dog", "barks", "barking", "loudly"), ("heavy rain", "falls", "falling", "on a roof"),
    ("a train", "passes", "passing", "on a track"), ("a man", "speaks", "speaking", "in a hall"),
    ("birds", "chirp", "chirping", "in a forest"), ("an engine", "idles", "idling", "nearby"),
    ("water", "flows", "flowing", "over rocks"), ("a bell", "rings", "ringing", "in a tower"),
    ("a crowd", "cheers", "cheering", "far away"), ("a door", "creaks", "creaking", "slowly"),
    ("a baby", "cries", "crying", "in a room"), ("a clock", "ticks", "ticking", "steadily"),
)  # fmt: skip
SYSTEMS = ("careful", "short", "padded")


def write_scenes(folder: Path, seed: int) -> None:
    """Write references and captions of three systems; the last pads them to game recall."""
    references, systems = [], []
    said: dict[str, list[dict[str, object]]] = {name: [] for name in SYSTEMS}
    for number, scene in enumerate(SCENES):
        item = f"sound-{number + 1:02d}"
        other = SCENES[(number + 1) % len(SCENES)]
        references += [{"item": item, "caption": text} for text in _references(scene, other)]
        for name, text in _systems(scene, other, seed, item).items():
            said[name].append({"item": item, "caption": text})
            systems.append({"item": item, "system": name, "caption": text})
    (folder / "references.csv").write_text(write_table(("item", "caption"), references))
    (folder / "systems.csv").write_text(write_table(("item", "system", "caption"), systems))
    for name, rows in said.items():
        (folder / f"{name}.csv").write_text(write_table(("item", "caption"), rows))


def _references(scene: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    who, does, doing, where = scene
    second, _, also, _ = other
    is_ = "are" if who in {"birds"} else "is"
    return (
        f"{who} {does} {where}",
        f"{who} {is_} {doing} {where}",
        f"{who} {doing} {where} as {second} {other[1]}",
        f"{who} {does} while {second} is {also} in the background"
        if second != "birds"
        else f"{who} {does} while {second} are {also} in the background",
        f"the sound of {who} {doing}",
    )


def _systems(
    scene: tuple[str, ...], other: tuple[str, ...], seed: int, item: str
) -> dict[str, str]:
    who, does, doing, where = scene
    wrong = SCENES[int(stream(seed, "tour", item).integers(len(SCENES)))]
    return {
        "careful": f"{who} {does} {where} as {other[0]} {other[1]}",
        "short": f"{who} {doing}",
        "padded": f"{who} {doing} and {wrong[0]} {wrong[1]} {wrong[3]} while a man is speaking and "
        "water runs in the background",
    }


TOUR = Tour(
    about="A dozen made-up sounds with five references each, three made-up systems, one of which "
    "pads its captions, and four simulated judges.",
    steps=(
        Step(
            "make",
            {"captions": "{folder}/references.csv", "systems": "{folder}/systems.csv"},
        ),
        Step("ask", {"simulate": True}),
        Step("reconcile", {"by": "preference"}),
        *(Step("run", {"system": "{folder}/" + name + ".csv", "name": name}) for name in SYSTEMS),
        Step("score", {"against": "truth", "resamples": 200}),
        Step("report"),
    ),
    prepare=write_scenes,
    extras=("text", "nets"),
)
