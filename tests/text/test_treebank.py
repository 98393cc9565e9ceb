import pytest

from earmark.text.treebank import TreeWord, plain, read_trees
from earmark.values.errors import InputError

SENTENCE = (
    "# text = Don't bark!\n"
    "1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\tDo\tdo\tAUX\tVB\t_\t3\taux\t_\t_\n"
    "2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t_\t_\n"
    "3\tbark\tbark\tVERB\tVB\t_\t0\troot\t_\t_\n"
    "4\t!\t!\tPUNCT\t.\t_\t3\tpunct\t_\t_\n"
)


def test_multi_word_tokens_are_left_out(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(SENTENCE + "\n" + SENTENCE)
    first, second = read_trees(path)
    assert first == second
    assert [word.form for word in first] == ["Do", "n't", "bark", "!"]
    assert [word.head for word in first] == [2, 2, -1, 2]


def test_a_plain_tree_hangs_the_marks_children_on_the_marks_governor():
    tree = (
        TreeWord("Dogs", "NOUN", "NNS", 1, "nsubj"),
        TreeWord("-", "PUNCT", ":", 2, "punct"),
        TreeWord("Bark", "VERB", "VBP", -1, "root"),
    )
    assert [(word.form, word.head) for word in plain(tree)] == [("dogs", 1), ("bark", -1)]


def test_a_plain_tree_whose_root_was_a_mark_gets_one_root():
    tree = (
        TreeWord("dogs", "NOUN", "NNS", 1, "nsubj"),
        TreeWord("-", "PUNCT", ":", -1, "root"),
        TreeWord("cats", "NOUN", "NNS", 1, "dep"),
    )
    assert [(word.head, word.relation) for word in plain(tree)] == [(-1, "root"), (0, "parataxis")]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1\tdog\n", "a CoNLL-U line must have ten columns"),
        ("1\tdog\t_\tNOUN\tNN\t_\tx\troot\t_\t_\n", "the head of a word must be a number"),
        ("1\tdog\t_\tNOUN\tNN\t_\t1\troot\t_\t_\n", "a sentence must have one root"),
        (
            "1\ta\t_\tX\tX\t_\t0\troot\t_\t_\n2\tb\t_\tX\tX\t_\t9\tdep\t_\t_\n",
            "a head must be a word of its sentence",
        ),
    ],
)
def test_a_broken_treebank_names_its_line(tmp_path, line, message):
    path = tmp_path / "broken.conllu"
    path.write_text(line + "\n")
    with pytest.raises(InputError, match=message) as caught:
        list(read_trees(path))
    assert "broken.conllu:" in str(caught.value)
