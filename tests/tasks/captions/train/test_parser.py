import hashlib
import shutil

import pytest

from earmark.tasks.captions.train.caption_kinds import KINDS, caption_trees
from earmark.tasks.captions.train.parser import ParserTrainingPlan, test_pipeline, train_pipeline
from earmark.tasks.captions.train.trainers import (
    ParserOptions,
    train_earshot,
    train_fluency,
    train_parser,
)
from earmark.text.parse import lemma, parse, pipeline
from earmark.text.shipped_models import SHIPPED
from earmark.text.treebank import plain, read_trees
from earmark.values.errors import InputError

pytest.importorskip("spacy")
test_pipeline.__test__ = False  # type: ignore[attr-defined]


def test_made_up_captions_are_trees_and_the_same_for_the_same_seed():
    trees = list(caption_trees(300, seed=7))
    assert trees == list(caption_trees(300, seed=7))
    assert trees[:50] != list(caption_trees(50, seed=8))
    for tree in trees:
        assert sum(word.head < 0 for word in tree) == 1
        assert all(word.head < len(tree) for word in tree)
    words = {word.form.lower() for tree in trees for word in tree}
    assert {"followed", "while", "background"} <= words


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_made_up_captions_is_one_of_trees(kind):
    for tree in caption_trees(120, seed=2, kinds=(kind,)):
        assert sum(word.head < 0 for word in tree) == 1
        for word in tree:
            above = word
            for _ in tree:  # every way up ends at the root
                above = tree[above.head] if above.head >= 0 else above
            assert above.head < 0


def test_kinds_are_mixed_and_one_that_there_is_not_is_refused():
    mixed = {word.form for tree in caption_trees(400, seed=2, kinds=tuple(KINDS)) for word in tree}
    assert {"heard", "followed", "was"} <= mixed
    with pytest.raises(InputError, match="no such kind"):
        next(caption_trees(1, seed=2, kinds=("songs",)))


def write_treebank(path, size):
    rows = []
    for tree in caption_trees(size, seed=1):
        for at, word in enumerate(tree, 1):
            cells = [at, word.form, "_", word.pos, word.tag, "_", word.head + 1, word.relation]
            rows.append("\t".join(map(str, [*cells, "_", "_"])))
        rows.append("")
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.mark.slow
def test_the_same_seed_trains_the_same_parser(tmp_path):
    treebank = write_treebank(tmp_path / "t.conllu", 40)
    weights = []
    for name in ("one", "two"):
        out = tmp_path / name
        train_pipeline(
            treebank, out=out, seed=3, plan=ParserTrainingPlan(epochs=2, captions=20), dev=treebank
        )
        weights.append(hashlib.sha256((out / "parser/model").read_bytes()).hexdigest())
    assert weights[0] == weights[1]
    assert (tmp_path / "one/card.json").exists()
    scores = test_pipeline(pipeline(tmp_path / "one"), read_trees(treebank))
    assert 0 < scores["las"] <= scores["uas"] <= 1


def test_the_rate_of_learning_falls_and_a_plan_may_stop_early():
    plan = ParserTrainingPlan(epochs=10)
    assert plan.rate(0) == 0.001
    assert plan.rate(9.7) < plan.rate(5) < 0.001


def test_a_parser_is_trained_on_from_a_copy_with_a_lower_rate(tmp_path):
    treebank = write_treebank(tmp_path / "t.conllu", 30)
    start = SHIPPED / "parser"
    before = (start / "parser/model").read_bytes()
    options = ParserOptions(
        treebank=treebank, epochs=1, made_captions=20, sentences=10, start=start
    )
    card = train_parser(None, options, out=tmp_path / "on")
    assert card["trained_on"].startswith("t.conllu: 10 sentences")
    assert card["start"] and (start / "parser/model").read_bytes() == before
    assert (tmp_path / "on/parser/model").read_bytes() != before
    assert ParserTrainingPlan(start=start).rate(0) < ParserTrainingPlan().rate(0)
    shutil.copytree(start, tmp_path / "damaged")
    (tmp_path / "damaged/parser/model").write_bytes(b"nothing")
    for name in ("none", "damaged"):
        other = ParserOptions(treebank=treebank, start=tmp_path / name)
        with pytest.raises(InputError, match="no parser here that could be trained on"):
            train_parser(None, other, out=tmp_path / "off")


def test_the_shipped_parser_is_small_and_reads_captions():
    size = sum(path.stat().st_size for path in (SHIPPED / "parser").rglob("*"))
    assert size < 15e6
    (sentence,) = parse(["A man speaks."])
    assert [(word.pos, word.tag) for word in sentence][1:3] == [("NOUN", "NN"), ("VERB", "VBZ")]
    assert [word.lemma for word in sentence][1:3] == ["man", "speak"]
    assert (sentence[2].start, sentence[2].end) == (6, 12)


def test_lemmas_of_odd_words():
    assert lemma("leaves", "NOUN") == "leaf"
    assert lemma("the", "DET") == "the"


def test_a_missing_model_and_missing_data_are_named(tmp_path):
    with pytest.raises(InputError, match="there is no parser here"):
        pipeline(tmp_path / "nothing")
    with pytest.raises(InputError, match="add --treebank"):
        train_parser(None, out=tmp_path)
    with pytest.raises(InputError, match="add --captions"):
        train_fluency(None, out=tmp_path)
    with pytest.raises(InputError, match="add --benchmark"):
        train_earshot(None, out=tmp_path)


TREEBANK = """1\tA\t_\tDET\tDT\t_\t2\tdet\t_\t_
2\tdog\t_\tNOUN\tNN\t_\t3\tnsubj\t_\t_
3\tbarks\t_\tVERB\tVBZ\t_\t0\troot\t_\t_

"""


def test_a_parser_is_written_whole_or_not_at_all_and_into_no_other_folder(tmp_path, monkeypatch):
    (tmp_path / "t.conllu").write_text(TREEBANK)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    few = ParserOptions(treebank=tmp_path / "t.conllu", epochs=1, made_captions=30)
    with pytest.raises(InputError, match="a folder of its own"):
        train_parser(None, few, out=tmp_path / "mine")
    train_parser(None, few, out=tmp_path / "parser")
    before = {p: p.read_bytes() for p in (tmp_path / "parser").rglob("*") if p.is_file()}
    assert tmp_path / "parser" / "card.json" in before

    def stopped(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr("earmark.tasks.captions.train.parser.write_file", stopped)
    with pytest.raises(KeyboardInterrupt):
        train_parser(None, few, out=tmp_path / "parser", seed=8)
    after = {p: p.read_bytes() for p in (tmp_path / "parser").rglob("*") if p.is_file()}
    assert after == before


@pytest.mark.shared
@pytest.mark.slow
def test_the_shipped_parser_reaches_its_figures_on_the_treebank(shared):
    trees = list(read_trees(shared / "data/text/ud_ewt/ewt_test.conllu"))
    assert test_pipeline(pipeline(), trees)["las"] >= 0.80
    assert test_pipeline(pipeline(), map(plain, trees))["las"] >= 0.79
