"""`earshot`, our own metric: what the references say, no more than that, and in good English."""

from collections.abc import Mapping

from earmark.score.metric import Metric, mean
from earmark.task.extras import needs
from earmark.tasks.captions.score.earshot.content_words import MODEL, encoded_captions
from earmark.tasks.captions.score.earshot.parts import all_parts
from earmark.tasks.captions.values import Captions
from earmark.text.embed import DEFAULT_ENCODER, encoder_packages
from earmark.text.parse import PACKAGES as PARSER
from earmark.text.shipped_models import model_name
from earmark.values.counts import Mean


def earshot() -> Metric:
    """Build our best: sentence similarity, coverage of the references, padding, fluency.

    Definition
    ----------
    (1 - D) / (1 + exp(-7.0 x)), x = S - .08 W - .05 V - .056 clip(b, -1, 6) - .37 max(0, 1.2 - C)
    - .044 max(0, U - .5) - .29 G, with similarity S, distance of words W, vagueness V, coverage C,
    unsupported words U, generic words G, the log odds b of being disfluent and the share D that is
    contradicted, as in `EarshotParts`. A caption that breaks off is read up to the end of its last
    whole phrase, and b is 6 at least.
    A word is supported by the nearest word of any reference: the mean of the cosines of the two
    words in context and of the two lemmas alone, from 0 at .45 to 1 at .75 for C, and from .35 to
    .65 for U. Words that fit any sound (`sound`, `background`, ...) carry nothing and are supported
    only where two fifths of the references hold them. What is denied is supported by what the
    references deny; where they affirm it, it is contradicted.

    Undefined
    ---------
    Never: a caption without words is compared as it is, and scores low.

    Notes
    -----
    Higher is better; 0 to 1; .5 is a caption about as often preferred as not among those that
    machines write. Text only. Made to be hard to game: see the attack table in the README.
    """
    captions = encoded_captions()

    def count_all(
        references: Mapping[str, Captions], outputs: Mapping[str, Captions]
    ) -> dict[str, Mean]:
        parts = all_parts(references, outputs, captions)
        return {item: Mean.of(own.value()) for item, own in parts.items()}

    return Metric(
        task="captions",
        name="earshot",
        count=lambda reference, output: count_all({"item": reference}, {"item": output})["item"],
        count_all=count_all,
        rate=mean,
        options={
            "encoder": DEFAULT_ENCODER,
            "detector": model_name("fluency"),
            "parser": model_name("parser"),
            "weights": model_name(MODEL),
            # the formula: 2 tolerates some unsupported words and knows denial; 3 knows unfinished
            # and vague captions
            "form": 3,
        },
        average="macro",
        check_installed=needs("text", *PARSER, *encoder_packages(DEFAULT_ENCODER)),
    )
