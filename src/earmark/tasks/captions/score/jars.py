"""METEOR and the original SPICE, through the authors' Java programs when the user has them."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from earmark.score.metric import Metric, mean
from earmark.tasks.captions.score.cider import cider
from earmark.tasks.captions.score.sides import only
from earmark.tasks.captions.score.tokens import tokenise
from earmark.tasks.captions.values import Captions
from earmark.values.counts import Mean
from earmark.values.errors import InputError

METEOR_JAR, SPICE_JAR = "meteor-1.5.jar", "spice-1.0.jar"
NEEDS = (
    "needs Java and {jar}: put the jar into a folder and name it by --jars or in EARMARK_JARS, or "
    "install pycocoevalcap"
)


def meteor(*, jars: Path | None = None) -> Metric:
    """METEOR 1.5, by the authors' own program.

    Parameters
    ----------
    jars
        Folder that holds meteor-1.5.jar; otherwise $EARMARK_JARS or pycocoevalcap.

    Definition
    ----------
    Denkowski and Lavie 2014, English, with the settings of pycocoevalcap.

    Undefined
    ---------
    Without Java or without the jar, which Earmark does not ship.
    """
    return _metric("meteor", METEOR_JAR, _meteor_scores, jars)


def spice(*, jars: Path | None = None) -> Metric:
    """The original SPICE, by the authors' own program.

    Parameters
    ----------
    jars
        Folder that holds spice-1.0.jar with its lib folder; otherwise $EARMARK_JARS.

    Definition
    ----------
    Anderson et al. 2016: F of tuples of scene graphs, synonyms by WordNet.

    Undefined
    ---------
    Without Java or without the jar, which Earmark does not ship.
    """
    return _metric("spice", SPICE_JAR, _spice_scores, jars)


def spider(*, jars: Path | None = None, sigma: float = 6.0) -> Metric:
    """The mean of CIDEr and of the original SPICE.

    Parameters
    ----------
    jars
        Folder that holds spice-1.0.jar with its lib folder; otherwise $EARMARK_JARS.
    sigma
        As in `cider`.

    Definition
    ----------
    Liu et al. 2017: (CIDEr-D + SPICE) / 2.

    Undefined
    ---------
    Without Java or without SPICE's jar, and with fewer than two items.
    """
    first, second = cider(sigma=sigma), spice(jars=jars)

    def count_all(
        references: Mapping[str, Captions], outputs: Mapping[str, Captions]
    ) -> dict[str, Mean]:
        one = first.count_all(references, outputs) if first.count_all else {}
        two = second.count_all(references, outputs) if second.count_all else {}
        return {item: Mean.of((mean(one[item]) + mean(two[item])) / 2) for item in references}

    return Metric(
        task="captions",
        name="spider",
        count=lambda reference, output: count_all({"item": reference}, {"item": output})["item"],
        count_all=count_all,
        rate=mean,
        options={"sigma": sigma},
        average="macro",
        high=5.5,
        undefined="SPIDEr " + NEEDS.format(jar=SPICE_JAR),
    )


def _metric(name: str, jar: str, scores: object, jars: Path | None) -> Metric:
    def count_all(
        references: Mapping[str, Captions], outputs: Mapping[str, Captions]
    ) -> dict[str, Mean]:
        found = find_jar(jar, jars)
        if found is None:
            return dict.fromkeys(references, Mean.of(float("nan")))
        values = scores(found, references, outputs)  # type: ignore[operator]
        return {item: Mean.of(value) for item, value in values.items()}

    return Metric(
        task="captions",
        name=name,
        count=lambda reference, output: count_all({"item": reference}, {"item": output})["item"],
        count_all=count_all,
        rate=mean,
        average="macro",
        undefined=f"{name.upper()} " + NEEDS.format(jar=jar),
    )


def find_jar(name: str, folder: Path | None = None) -> Path | None:
    """The jar, when it and Java are here; an error when a named folder does not hold it."""
    if folder is not None and not (folder / name).exists():
        raise InputError("the folder of jars lacks one", at=folder, want=name)
    if shutil.which("java") is None:
        return None
    places = [folder, Path(os.environ["EARMARK_JARS"]) if "EARMARK_JARS" in os.environ else None]
    places += [_beside_pycocoevalcap(name.split("-")[0])]
    return next((p / name for p in places if p and (p / name).exists()), None)


def need_jars(metric: str) -> None:
    """An error when a metric that was asked for by name lacks its jar."""
    jar = {"meteor": METEOR_JAR, "spice": SPICE_JAR, "spider": SPICE_JAR}.get(metric)
    if jar and find_jar(jar) is None:
        raise InputError(f"{metric} cannot be computed here", want=NEEDS.format(jar=jar))


def _beside_pycocoevalcap(part: str) -> Path | None:
    from importlib.util import find_spec

    found = find_spec("pycocoevalcap")
    return Path(found.origin).parent / part if found and found.origin else None


def _run(command: list[str], *, folder: Path, given: str = "") -> str:
    done = subprocess.run(
        command, cwd=folder, input=given, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise InputError(
            "the Java program ended badly",
            at=command[-1],
            got=(done.stderr or done.stdout).strip()[-300:],
            fix="try another Java: SPICE wants 8 to 13",
        )
    return done.stdout


def _meteor_scores(
    jar: Path, references: Mapping[str, Captions], outputs: Mapping[str, Captions]
) -> dict[str, float]:
    items = list(references)
    asked = [
        " ||| ".join(["SCORE", *map(_cut, references[item].texts), _cut(only(outputs[item], item))])
        for item in items
    ]
    command = ["java", "-Xmx2G", "-jar", jar.name, "-", "-", "-stdio", "-l", "en", "-norm"]
    counts = _run(command, folder=jar.parent, given="\n".join(asked) + "\n").splitlines()
    lines = "\n".join(f"EVAL ||| {row}" for row in counts) + "\n"
    values = _run(command, folder=jar.parent, given=lines).splitlines()
    # Each EVAL of one item answers with its score and then with the total, which is the same.
    step = len(values) // max(1, len(items))
    return {item: float(values[at * step]) for at, item in enumerate(items)}


def _cut(text: str) -> str:
    return " ".join(tokenise(text))


def _spice_scores(
    jar: Path, references: Mapping[str, Captions], outputs: Mapping[str, Captions]
) -> dict[str, float]:
    items = list(references)
    asked = [
        {"image_id": item, "test": outputs[item].texts[0], "refs": list(references[item].texts)}
        for item in items
    ]
    with tempfile.TemporaryDirectory() as place:
        source, target = Path(place) / "in.json", Path(place) / "out.json"
        source.write_text(json.dumps(asked), encoding="utf-8")
        _run(
            ["java", "-Xmx4G", "-jar", jar.name, str(source), "-out", str(target), "-silent"],
            folder=jar.parent,
        )
        told = json.loads(target.read_text(encoding="utf-8"))
    return {str(row["image_id"]): float(row["scores"]["All"]["f"]) for row in told}
