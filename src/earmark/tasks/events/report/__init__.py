"""Pictures: timelines over the spectrogram, labels one by one, people, activity, PSD-ROC."""
