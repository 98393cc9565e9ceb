"""Labelled texts with a recogniser's errors: words change, ends keep their place."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from earmark.tasks.boundaries.run.labelled import NONE, LabelledText
from earmark.tasks.boundaries.run.vocabulary import simplified
from earmark.text.recognition_noise import RecognitionNoise

# Share of the texts that have errors at all in an epoch.
NOISY_SHARE = 1.0
FEWEST_TIMES = 2  # a word that occurs less often is not taken for another, as in the vocabulary


@dataclass(frozen=True, slots=True)
class TextNoise:
    """Errors at a word error rate, by words of the texts that are trained on."""

    noise: RecognitionNoise
    rate: float

    @classmethod
    def of(cls, texts: Sequence[LabelledText], *, rate: float) -> "TextNoise":
        """Return the noise of a recogniser that knows the words of these texts."""
        counts = Counter(simplified(word) for text in texts for word in text.words)
        return cls(RecognitionNoise({w: n for w, n in counts.items() if n >= FEWEST_TIMES}), rate)

    def corrupt(self, text: LabelledText, rng: np.random.Generator) -> LabelledText:
        """Return the text with errors; every mark stays, after the word in its place."""
        if rng.random() >= NOISY_SHARE:
            return text
        classes = np.asarray(text.classes, dtype=np.int64)
        noisy = self.noise.corrupt(
            text.words,
            marked=(classes != NONE).tolist(),
            rate=self.noise.text_rate(self.rate, rng),
            rng=rng,
        )
        after = np.full(len(noisy.words), NONE, dtype=np.int64)
        np.maximum.at(after, np.asarray(noisy.carrier, dtype=np.int64), classes)
        return LabelledText(noisy.words, after.tolist())
