"""A study: one folder, one task, six verbs in order. The only code that knows the order."""

from earmark.study.study import Study

__all__ = ["Study"]
