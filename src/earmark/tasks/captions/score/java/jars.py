"""Where the authors' Java program is, and how it is run."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from earmark.task.options import option
from earmark.values.errors import InputError

SPICE_JAR = "spice-1.0.jar"
JARS_HELP = "Folder of spice-1.0.jar and its lib; else $EARMARK_JARS."
# pycocoevalcap's own script fetches what its wheel leaves out, 400 MB of Stanford CoreNLP.
NEEDS = (
    "needs Java and {jar}: `pip install pycocoevalcap`, then `python -c 'from "
    "pycocoevalcap.spice.get_stanford_models import get_stanford_models as get; get()'`, and name "
    "the jar's folder (pycocoevalcap/spice) by --jars or in EARMARK_JARS"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class JarOptions:
    """Where the jars are."""

    jars: Path | None = option(None, JARS_HELP)


def find_jar(name: str, folder: Path | None = None) -> Path | None:
    """Return the jar if it and Java are found; raise InputError if a named folder lacks it."""
    if folder is not None and not (folder / name).exists():
        raise InputError("the folder of jars must hold the metric's jar", at=folder, want=name)
    if shutil.which("java") is None:
        return None
    places = [folder, Path(os.environ["EARMARK_JARS"]) if "EARMARK_JARS" in os.environ else None]
    return next((p / name for p in places if p and (p / name).exists()), None)


def require_jar(metric: str, jar: str, folder: Path | None = None) -> None:
    """Raise InputError if a metric that was asked for by name lacks its jar."""
    if find_jar(jar, folder) is None:
        beside = beside_pycocoevalcap(jar)
        raise InputError(
            f"{metric} cannot be computed here",
            want=NEEDS.format(jar=jar),
            fix=f"export EARMARK_JARS={beside.parent}" if beside else None,
        )


def beside_pycocoevalcap(jar: str) -> Path | None:
    """Return the jar that pycocoevalcap brings, if that is installed.

    It takes seconds to start, so it is used only when it is named.
    """
    from importlib.util import find_spec

    package = find_spec("pycocoevalcap")
    folders = (package.submodule_search_locations if package else None) or []
    places = (Path(folder) / jar.partition("-")[0] / jar for folder in folders)
    return next((place for place in places if place.exists()), None)


def run_java(command: list[str], *, folder: Path, stdin: str = "") -> str:
    """Run a Java program and return what it printed; raise InputError if it fails."""
    process = subprocess.run(
        ["java", *command], cwd=folder, input=stdin, capture_output=True, text=True, check=False
    )
    if process.returncode:
        raise InputError(
            "the Java program failed",
            at=command[-1],
            got=(process.stderr or process.stdout).strip()[-300:],
            fix="try another Java: SPICE wants 8 to 13",
        )
    return process.stdout
