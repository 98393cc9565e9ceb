"""Training of the models of this task: the parser, the fluency detector, weights of earshot."""
