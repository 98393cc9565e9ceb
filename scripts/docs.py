"""The pages that `mkdocs` builds: those of docs/, and each task's README."""

import shutil
from pathlib import Path

TOP = Path(__file__).parents[1]


def main() -> None:
    """Gather all pages in build/docs."""
    place = TOP / "build" / "docs"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(TOP / "docs", place)
    (place / "tasks").mkdir(exist_ok=True)
    for readme in sorted((TOP / "src" / "earmark" / "tasks").glob("*/README.md")):
        shutil.copy(readme, place / "tasks" / f"{readme.parent.name}.md")
    shutil.copy(TOP / "CHANGELOG.md", place / "changelog.md")


if __name__ == "__main__":
    main()
