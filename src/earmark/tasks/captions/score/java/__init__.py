"""The original SPICE, by its authors' Java program."""
