"""The authors' Java programs, when the user has them; the original SPICE, and SPIDEr."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from earmark.score.metric import Metric, mean
from earmark.tasks.captions.score.ngrams.blocks import only
from earmark.tasks.captions.score.ngrams.cider import cider
from earmark.tasks.captions.values import Captions
from earmark.values.counts import Mean
from earmark.values.errors import InputError

METEOR_JAR, SPICE_JAR = "meteor-1.5.jar", "spice-1.0.jar"
NEEDS = "needs Java and {jar}: name the jar's folder by --jars or in EARMARK_JARS"


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

    def count_all(
        references: Mapping[str, Captions], outputs: Mapping[str, Captions]
    ) -> dict[str, Mean]:
        jar = find_jar(SPICE_JAR, jars)
        if jar is None:
            return dict.fromkeys(references, Mean.of(float("nan")))
        return _spice_scores(jar, references, outputs)

    return Metric(
        task="captions",
        name="spice",
        count=lambda reference, output: count_all({"item": reference}, {"item": output})["item"],
        count_all=count_all,
        rate=mean,
        average="macro",
        undefined=NEEDS.format(jar=SPICE_JAR),
        check_installed=partial(need_jar, "spice", SPICE_JAR, jars),
    )


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
        undefined=NEEDS.format(jar=SPICE_JAR),
        check_installed=partial(need_jar, "spider", SPICE_JAR, jars),
    )


def find_jar(name: str, folder: Path | None = None) -> Path | None:
    """The jar, when it and Java are here; an error when a named folder does not hold it."""
    if folder is not None and not (folder / name).exists():
        raise InputError("the folder of jars lacks one", at=folder, want=name)
    if shutil.which("java") is None:
        return None
    places = [folder, Path(os.environ["EARMARK_JARS"]) if "EARMARK_JARS" in os.environ else None]
    return next((p / name for p in places if p and (p / name).exists()), None)


def need_jar(metric: str, jar: str, folder: Path | None = None) -> None:
    """An error when a metric that was asked for by name lacks its jar."""
    if find_jar(jar, folder) is None:
        beside = beside_pycocoevalcap(jar)
        raise InputError(
            f"{metric} cannot be computed here",
            want=NEEDS.format(jar=jar),
            fix=f"export EARMARK_JARS={beside.parent}" if beside else None,
        )


def beside_pycocoevalcap(jar: str) -> Path | None:
    """The jar that pycocoevalcap brings, when it is installed.

    It takes seconds to start, so it is used only when it is named.
    """
    from importlib.util import find_spec

    found = find_spec("pycocoevalcap")
    folders = (found.submodule_search_locations if found else None) or []
    places = (Path(folder) / jar.partition("-")[0] / jar for folder in folders)
    return next((place for place in places if place.exists()), None)


def run_java(command: list[str], *, folder: Path, given: str = "") -> str:
    """What the program printed."""
    done = subprocess.run(
        ["java", *command], cwd=folder, input=given, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise InputError(
            "the Java program ended badly",
            at=command[-1],
            got=(done.stderr or done.stdout).strip()[-300:],
            fix="try another Java: SPICE wants 8 to 13",
        )
    return done.stdout


def _spice_scores(
    jar: Path, references: Mapping[str, Captions], outputs: Mapping[str, Captions]
) -> dict[str, Mean]:
    items = list(references)
    asked = [
        {"image_id": item, "test": only(outputs[item], item), "refs": list(references[item].texts)}
        for item in items
    ]
    with tempfile.TemporaryDirectory() as place:
        source, target = Path(place) / "in.json", Path(place) / "out.json"
        source.write_text(json.dumps(asked), encoding="utf-8")
        run_java(
            ["-Xmx4G", "-jar", jar.name, str(source), "-out", str(target), "-silent"],
            folder=jar.parent,
        )
        told = json.loads(target.read_text(encoding="utf-8"))
    return {str(row["image_id"]): Mean.of(float(row["scores"]["All"]["f"])) for row in told}
