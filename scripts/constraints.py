"""Write constraints.txt: the versions installed here of what Earmark and its extras need, no more.

Run it in an environment where `pip install -e ".[all,dev]"` has just installed the newest versions
that pyproject.toml allows, after the tests have passed there:

    python scripts/constraints.py > constraints.txt
"""

from importlib.metadata import PackageNotFoundError, distribution

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HEAD = """\
# The versions that the tests pass with: all that earmark[all,dev] needs, and nothing else.
# Made by `python scripts/constraints.py > constraints.txt` (see there).
"""


def closure(name: str, extras: frozenset[str]) -> dict[str, str]:
    """Return name and version of everything that a package with these extras needs."""
    versions: dict[str, str] = {}
    waiting, seen = [(name, extras)], set()
    while waiting:
        name, extras = waiting.pop()
        key = (canonicalize_name(name), extras)
        if key in seen:
            continue
        seen.add(key)
        try:
            package = distribution(name)
        except PackageNotFoundError:
            continue
        versions[key[0]] = package.version.partition("+")[0]
        for line in package.requires or ():
            requirement = Requirement(line)
            marker = requirement.marker
            wanted = {"", *extras}
            if marker is None or any(marker.evaluate({"extra": extra}) for extra in wanted):
                waiting.append((requirement.name, frozenset(requirement.extras)))
    return versions


def main() -> None:
    """Print the file."""
    versions = closure("earmark", frozenset({"all", "dev"}))
    versions.pop("earmark")
    print(HEAD + "\n".join(f"{name}=={versions[name]}" for name in sorted(versions)))


if __name__ == "__main__":
    main()
