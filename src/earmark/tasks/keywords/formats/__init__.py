"""Files of this task, in and out."""
