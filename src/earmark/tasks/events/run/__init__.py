"""Systems: a linear reading of band energies, a small CRNN, and a reference put out as it is."""
