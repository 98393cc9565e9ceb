"""The contract between a task and the rest: what a task declares, options, views, progress."""
