import json

import pytest
from tests.tasks.context.making import train

from earmark.study import Study
from earmark.task.task import Training
from earmark.tasks.context.train.discourse import train_discourse
from earmark.tasks.context.train.examples import labelled_passages, split_training
from earmark.tasks.context.train.ngrams import train_ngrams
from earmark.tasks.context.values import Flags, Passage
from earmark.values.errors import InputError
from earmark.values.reference import Reference


def test_labels_of_another_length_are_refused(training):
    item = training.items[0]
    with pytest.raises(InputError, match="there must be one label for every token"):
        labelled_passages((item,), {item.id: Flags(3, frozenset())})


def test_training_needs_a_study_and_a_study_needs_swaps(training, tmp_path):
    with pytest.raises(InputError, match="training needs a study"):
        split_training(None, None)
    with pytest.raises(InputError, match="a study with known swaps is needed"):
        split_training(training, tmp_path)
    nothing = {i.id: Flags(len(Passage.of(i).tokens), frozenset()) for i in training.items}
    with pytest.raises(InputError, match="a detector learns from swapped nouns"):
        train_discourse(
            Training(training.items, Reference("none", nothing)), out=tmp_path / "m", seed=1
        )


def test_the_threshold_is_chosen_on_the_development_study(talks, training, tmp_path):
    study = Study.create(tmp_path / "dev", task="context", seed=8)
    study.make(text=talks, swaps=2)
    one = train(train_ngrams, training, tmp_path / "a", seed=1)
    two = train(train_ngrams, training, tmp_path / "b", seed=1, develop=tmp_path / "dev")
    assert two["documents"] == 12 > one["documents"]
    assert one["threshold"] != two["threshold"]


def test_further_studies_are_learnt_from_and_hold_other_documents(talks, training, tmp_path):
    others = Study.create(tmp_path / "others", task="context", seed=8)
    others.make(text=talks, swaps=2)
    with pytest.raises(InputError, match="every passage id must appear once"):
        split_training(training, None, [others.folder])
    half = Training(training.items[:6], training.reference)
    ids = {item.id for item in half.items}
    for path in (others.folder / "1-material" / f"{name}.jsonl" for name in ("items", "truth")):
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        kept = [row for row in rows if row.get("id", row.get("item")) not in ids]
        path.write_text("".join(json.dumps(row) + "\n" for row in kept))
    learn, held_out = split_training(half, others.folder, [others.folder])
    assert len(learn.passages) == len(training.items) == len(held_out.passages) + 6


@pytest.mark.parametrize("line", ["[]", '"x"', "5", '{"item": [], "value": {}}', '{"item": "a"}'])
def test_a_damaged_study_to_develop_on_is_refused_by_name(talks, training, tmp_path, line):
    study = Study.create(tmp_path / "development", task="context", seed=1)
    study.make(text=talks, swaps=2)
    truth = study.folder / "1-material" / "truth.jsonl"
    truth.write_text(truth.read_text() + line + "\n")
    with pytest.raises(InputError, match="1-material"):
        split_training(training, study.folder)
