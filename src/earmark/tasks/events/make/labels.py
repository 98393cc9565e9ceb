"""The labels that people are asked about: as given, or those of the reference."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.tasks.events.values import NONE
from earmark.values.errors import InputError
from earmark.values.names import some

if TYPE_CHECKING:
    from earmark.tasks.events.make.truth import Truth

# Between labels that a person ticked, in files of answers.
BETWEEN = "|"


def given_labels(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the labels of `--labels a,b,c`, or of one `--labels` each.

    A comma with a blank after it may be part of a label ("male speech, man speaking"), so it is
    read as one where every label has an option of its own, and refused where there is one option.

    Examples
    --------
    >>> given_labels(("car,dog",)), given_labels(("male speech, man speaking", "dog"))
    (('car', 'dog'), ('male speech, man speaking', 'dog'))
    """
    if len(words) == 1 and ", " in words[0]:
        raise InputError(
            "a comma and a blank may be part of a label or stand between two",
            got=f"--labels {words[0]!r}",
            fix=f"write --labels '{words[0].replace(', ', ',')}', or one --labels for each label",
        )
    parts = [part for word in words for part in word.replace(", ", "\0").split(",")]
    labels = tuple(part.replace("\0", ", ").strip() for part in parts)
    return _checked(labels)


def _checked(labels: tuple[str, ...]) -> tuple[str, ...]:
    """Return the labels; raise InputError for one that could not be told apart in an answer."""
    for label, times in Counter(labels).items():
        if not label or label == NONE or BETWEEN in label or times > 1:
            raise InputError(
                "labels must be different, not empty, and be told apart in answers",
                got=f"{label!r} {times} times" if times > 1 else repr(label),
                want=f"neither {NONE!r}, which says that nothing was heard, nor a {BETWEEN!r}",
            )
    return labels


def question_labels(given: tuple[str, ...], truth: "Truth", *, at: Path | None) -> tuple[str, ...]:
    """Return the labels of the study; raise InputError if there are none, or too few."""
    missing = sorted(truth.labels - set(given))
    if given and missing:
        raise InputError(
            "the reference has labels that are not among --labels",
            at=at,
            got=some(missing, "label"),
            fix="add them, or leave out --labels",
        )
    labels = given or _checked(tuple(sorted(truth.labels)))
    if not labels:
        raise InputError(
            "people are asked about labels",
            at=at,
            got="no --labels, and no reference with events",
            fix="name them: --labels speech,car,dog",
        )
    return labels
