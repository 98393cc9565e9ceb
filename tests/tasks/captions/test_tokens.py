"""Our words against those of the tokeniser that the published metrics use."""

import csv
import json
import shutil

import pytest

from earmark.tasks.captions.score.ngrams.tokens import tokenise


def captions(folder):
    """Every caption of the benchmark and of AudioCaps, each once."""
    found = set()
    for name in ("train_captions", "test_refs", "cands"):
        with (folder / f"audiocaps_{name}.csv").open(encoding="utf-8") as lines:
            found.update(row["caption"] for row in csv.DictReader(lines))
    for sound in json.loads((folder / "audiocaps_eval.json").read_text(encoding="utf-8")):
        found.update(sound["references"])
        pairs = [value for key, value in sound.items() if key[:2] in {"HC", "HI", "HM", "MM"}]
        found.update(text for pair in pairs if pair for text in pair[:2])
    return sorted(" ".join(text.split()) for text in found if text.strip())


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.skipif(shutil.which("java") is None, reason="Java is not on this machine")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_every_caption_is_cut_as_the_java_tokeniser_cuts_it(shared):
    peer = pytest.importorskip("pycocoevalcap.tokenizer.ptbtokenizer")
    texts = captions(shared / "data/captions")
    cut = peer.PTBTokenizer().tokenize({at: [{"caption": text}] for at, text in enumerate(texts)})
    assert len(texts) > 50_000
    differ = [text for at, text in enumerate(texts) if " ".join(tokenise(text)) != cut[at][0]]
    assert not differ
