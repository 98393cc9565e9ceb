"""What is trained for this task: the parser and the fluency detector."""
