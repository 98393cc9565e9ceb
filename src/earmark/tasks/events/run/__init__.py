"""Systems: linear regression on band energies, a small CRNN, and a reference replayed."""
