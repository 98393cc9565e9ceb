"""Pages: what a study found, in one HTML file that needs nothing else."""
