"""Our words against those of the tokeniser that the published metrics use."""

import csv
import json
import shutil

import pytest

from earmark.tasks.captions.score.ngrams.tokens import tokenise


def captions(folder):
    """Every caption of the benchmark and of AudioCaps, each once."""
    texts: set[str] = set()
    for name in ("train_captions", "test_refs", "cands"):
        with (folder / f"audiocaps_{name}.csv").open(encoding="utf-8") as lines:
            texts.update(row["caption"] for row in csv.DictReader(lines))
    for sound in json.loads((folder / "audiocaps_eval.json").read_text(encoding="utf-8")):
        texts.update(sound["references"])
        pairs = [value for key, value in sound.items() if key[:2] in {"HC", "HI", "HM", "MM"}]
        texts.update(text for pair in pairs if pair for text in pair[:2])
    return sorted(" ".join(text.split()) for text in texts if text.strip())


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


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A dog barks.", "a dog barks"),
        ("It's loud, isn't it?", "it 's loud is n't it"),
        ("A high-pitched tone - then nothing...", "a high-pitched tone then nothing"),
        ("They cannot (yet) stop!", "they can not -lrb- yet -rrb- stop"),
        ("birds/insects at 3.5 kHz, 10,000 times", "birds/insects at 3.5 khz 10,000 times"),
        ('Mr. Smith says "hello"', "mr. smith says hello"),
        ("wow!!", "wow !!"),
        ("", ""),
        ("🐕 barks", "🐕 barks"),
    ],
)
def test_words_are_those_of_the_penn_treebank_without_punctuation(text, words):
    assert " ".join(tokenise(text)) == words


def test_easy_captions_are_cut_as_hard_ones_are():
    text = "a gonna dog, barks at people."
    assert tokenise(text) == ("a", "gon", "na", "dog", "barks", "at", "people")
