"""A reference: many answers made one, with doubt.

The package can be called, because `earmark.reconcile` is also the name of a public function, and
importing a module of this package puts the package in that name's place:
`earmark.reconcile([("clip1", "ann", "dog"), ...], by="mace")` is `reconcile_rows` of `rows.py`.
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from earmark.reconcile.rows import ReconciledLabels


class CallableRoom(ModuleType):
    """The package as a function."""

    def __call__(
        self, answers: Any, *, by: str = "mace", seed: int = 0, **options: Any
    ) -> "ReconciledLabels":
        """Return one label per item from many people's answers; see `reconcile_rows`."""
        from earmark.reconcile.rows import reconcile_rows

        return reconcile_rows(answers, by=by, seed=seed, **options)


sys.modules[__name__].__class__ = CallableRoom
