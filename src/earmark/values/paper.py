"""A paper that a definition comes from."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper to cite."""

    key: str
    authors: str
    title: str
    venue: str
    year: int

    def bibtex(self) -> str:
        """Return the BibTeX entry."""
        return (
            f"@inproceedings{{{self.key},\n"
            f"  author    = {{{self.authors}}},\n"
            f"  title     = {{{self.title}}},\n"
            f"  booktitle = {{{self.venue}}},\n"
            f"  year      = {{{self.year}}}\n"
            f"}}"
        )

    def __str__(self) -> str:
        return f"{self.authors.replace(' and ', ', ')} ({self.year}). {self.title}. {self.venue}."
