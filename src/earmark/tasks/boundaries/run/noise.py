"""Labelled texts with a recogniser's errors: words change, ends keep their place."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from earmark.tasks.boundaries.run.labelled import NONE, LabelledText
from earmark.tasks.boundaries.run.vocabulary import simplified
from earmark.text.recognition_noise import RecognitionNoise

# Share of the passages that have errors in an epoch, drawn anew: words that people wrote down are
# to be read, too. Chosen on dev2012, where a half did better than all.
NOISY_SHARE = 0.5
PASSAGE = 400  # words that share a rate of errors: about a short talk
FEWEST_TIMES = 2  # a word that occurs less often is not taken for another, as in the vocabulary


@dataclass(frozen=True, slots=True)
class TextNoise:
    """Errors at a word error rate in a share of the passages, by words of all texts."""

    noise: RecognitionNoise
    rate: float
    share: float = NOISY_SHARE

    @classmethod
    def of(
        cls, texts: Sequence[LabelledText], *, rate: float, share: float = NOISY_SHARE
    ) -> "TextNoise":
        """Return the noise of a recogniser that knows the words of these texts."""
        counts = Counter(simplified(word) for text in texts for word in text.words)
        known = {word: times for word, times in counts.items() if times >= FEWEST_TIMES}
        return cls(RecognitionNoise(known), rate, share)

    def corrupt(self, text: LabelledText, rng: np.random.Generator) -> LabelledText:
        """Return the text with errors in some of its passages.

        Every mark stays, after the word in its place.
        """
        words: list[str] = []
        classes: list[int] = []
        for start in range(0, len(text.words), PASSAGE):
            part = slice(start, start + PASSAGE)
            passage = LabelledText(text.words[part], text.classes[part])
            if rng.random() < self.share:
                passage = self._corrupt_passage(passage, rng)
            words += passage.words
            classes += passage.classes
        return LabelledText(words, classes)

    def _corrupt_passage(self, passage: LabelledText, rng: np.random.Generator) -> LabelledText:
        classes = np.asarray(passage.classes, dtype=np.int64)
        noisy = self.noise.corrupt(
            passage.words,
            marked=(classes != NONE).tolist(),
            rate=self.noise.draw_rate(self.rate, rng),
            rng=rng,
        )
        after = np.full(len(noisy.words), NONE, dtype=np.int64)
        np.maximum.at(after, np.asarray(noisy.carrier, dtype=np.int64), classes)
        return LabelledText(noisy.words, after.tolist())
