"""How a parser reads kinds of made-up captions that it has not learned from.

    python -m benchmarks.caption_kinds TREEBANK PARSER

TREEBANK is a CoNLL-U file, PARSER a folder that `earmark train captions parser` wrote. The parser
is trained on, shortly, on a part of the treebank and on made-up captions: of all kinds, and of all
but one. A line per kind: labelled attachment on new captions of that kind, before, with the kind
left out, and with all of them.
"""

import argparse
import tempfile
from pathlib import Path

from earmark.tasks.captions.train.caption_kinds import KINDS, caption_trees
from earmark.tasks.captions.train.parser import ParserTrainingPlan, test_pipeline, train_pipeline
from earmark.text.parse import pipeline
from earmark.text.treebank import plain

SENTENCES, CAPTIONS, TESTED = 600, 900, 150  # a short run; new captions per kind


def attachment(nlp, kind):
    trees = list(caption_trees(TESTED, seed=101, kinds=(kind,)))
    return 100 * test_pipeline(nlp, map(plain, trees))["las"]


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("treebank", type=Path)
    parser.add_argument("parser", type=Path)
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def trained(*without):
            plan = ParserTrainingPlan(
                epochs=1,
                captions=CAPTIONS,
                kinds=tuple(kind for kind in KINDS if kind not in without),
                start=options.parser,
                sentences=SENTENCES,
            )
            out = folder / ("all" if not without else without[0].replace(" ", "_"))
            train_pipeline(options.treebank, out=out, seed=7, plan=plan)
            return pipeline(out)

        before, after = pipeline(options.parser), trained()
        for kind in KINDS:
            rows = (before, trained(kind), after)
            scores = [attachment(nlp, kind) for nlp in rows]
            print(
                f"{kind}: before {scores[0]:.1f}   left out {scores[1]:.1f}   all {scores[2]:.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
