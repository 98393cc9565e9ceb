"""Print the lowest versions that pyproject.toml allows, as constraints for pip."""

import re
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"


def main() -> None:
    """Print one `name==version` per base dependency."""
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    for requirement in project["dependencies"]:
        name, version = re.fullmatch(r"([\w-]+)>=([\w.]+)", requirement).groups()
        print(f"{name}=={version}")


if __name__ == "__main__":
    main()
