"""Side by side with peers: CPU time and peak memory on the same made input, in one run."""
