"""The systems: two baselines of the challenge, and ours."""
