"""Sound as arrays: level, noise, mixing, reverberation, voice activity, spectral features."""
