"""Models and weights that `run --model` and its like read, of every system that has one."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

from tests.text import tiny_llama
from tests.torture.reader import Reader, Words
from tests.torture.readers_formats import UNITS

from earmark.study import Study

TINY: dict[str, Any] = {"epochs": 1, "vocabulary": 50, "embedding": 4, "units": 4}


def model_readers(folder: Path, studies: dict[str, Study]) -> Iterator[Reader]:
    """Yield the readers of models."""
    place = folder / "models"
    place.mkdir()
    yield from _shipped(place, studies)
    yield from _trained(place, studies)
    yield from _llamas(place, studies)
    yield from _folders(place, studies)


def _shipped(place: Path, studies: dict[str, Study]) -> Iterator[Reader]:
    """Yield models that come with the package, given by name."""
    shipped = {
        "boundaries cnn": "cnn.safetensors",
        "boundaries gru": "gru.safetensors",
        "context discourse": "discourse.npz",
        "context local": "discourse.npz",
        "keywords auto": "auto.npz",
    }
    yield _committee(place, studies["boundaries"])
    for name, file in shipped.items():
        task, system = name.split()
        whole = files(f"earmark.tasks.{task}").joinpath("models", file).read_bytes()
        path, study = place / f"{system}-{file}", studies[task].folder
        words = ("run", str(study), system, "--model", str(path))
        yield Reader(f"{name}: --model", path, whole, words, study, takes_seconds=True)


def _committee(place: Path, study: Study) -> Reader:
    """Return two models that judge together, one of them damaged."""
    own = files("earmark.tasks.boundaries").joinpath("models")
    good, path = place / "member-gru.safetensors", place / "member-cnn.safetensors"
    good.write_bytes(own.joinpath("gru.safetensors").read_bytes())
    words = ("run", str(study.folder), "committee", "--model", str(good), "--model", str(path))
    whole = own.joinpath("cnn.safetensors").read_bytes()
    return Reader(
        "boundaries committee: --model", path, whole, words, study.folder, takes_seconds=True
    )


def _trained(place: Path, studies: dict[str, Study]) -> Iterator[Reader]:
    """Yield models of each system that `train` writes, trained for a moment."""
    cases: dict[str, dict[str, Any]] = {
        "events crnn": {"epochs": 1},
        "events energy": {},
        "events frequent": {},
        "events loud": {},
        "context ngrams": {},
        "context classifier": TINY,
        "context language-model": TINY,
    }
    learnt = _several(place, studies["events"])
    for name, options in cases.items():
        task, system = name.split()
        path, study = place / f"{task}-{system}.model", studies[task].folder
        (learnt if task == "events" else studies[task]).train(system, out=path, **options)
        words = ("run", str(study), system, "--model", str(path))
        slow = system in ("crnn", "classifier", "language-model")
        yield Reader(f"{name}: --model", path, path.read_bytes(), words, study, takes_seconds=slow)
    yield _checkpoint(place, learnt)
    yield _tagger(place)


def _several(place: Path, study: Study) -> Study:
    """Return a study of events with recordings enough to learn from some and validate on one."""
    made = Study.create(place / "several", task=study.task.name)
    made.make(recordings=2, seconds=10.0)
    return made


def _checkpoint(place: Path, study: Study) -> Reader:
    """Return a training that was ended after its first epoch, which the same command goes on."""
    from earmark.learn.checkpoint import Checkpoint

    path, remove = place / "unfinished.checkpoint", Checkpoint.remove
    out = ("--out", str(place / "crnn.model"), "--study", str(study.folder))
    try:
        Checkpoint.remove = lambda self: None  # type: ignore[method-assign]
        study.train("crnn", out=place / "crnn.model", epochs=2, checkpoint=path)
    finally:
        Checkpoint.remove = remove  # type: ignore[method-assign]
    words = ("train", "events", "crnn", "--epochs", "2", "--checkpoint", str(path), *out)
    return Reader("train: --checkpoint", path, path.read_bytes(), words, takes_seconds=True)


def _tagger(place: Path) -> Reader:
    from tests.torture.readers_formats import LINES

    from earmark.text.tagger import TaggedSentence, train

    text, path, new = place / "talks.jsonl", place / "tagger.npz", place / "new-tagged"
    text.write_text(LINES, encoding="utf-8")
    corpus = [TaggedSentence(("we", "hear", "dogs"), ("PRP", "VBP", "NNS"))] * 9
    train(corpus, seed=0, rows=64).save(path)
    words = ("make", "context", str(new), "--text", str(text), "--tagger", str(path))
    return Reader("context: --tagger", path, path.read_bytes(), words, new)


def _llamas(place: Path, studies: dict[str, Study]) -> Iterator[Reader]:
    """Yield a language model in one file, for every option that takes one, and what is on top."""
    path = tiny_llama.write(place / "tiny.gguf", tiny_llama.weights())
    whole = path.read_bytes()
    talk, passages = str(studies["boundaries"].folder), str(studies["context"].folder)
    cases: dict[str, tuple[str, Words]] = {
        "boundaries language-model": (talk, ("language-model", "--model", str(path))),
        "context discourse-lm": (passages, ("discourse-lm", "--model", str(path))),
    }
    for name, (study, words) in cases.items():
        yield Reader(f"{name}: --model", path, whole, ("run", study, *words), Path(study),
                     takes_seconds=True)  # fmt: skip
    models = files("earmark.tasks.context").joinpath("models")
    for flag, file in (
        ("--weights", "discourse-lm.npz"),
        ("--discourse", "discourse.npz"),
    ):
        own = place / f"own-{file}"
        own.write_bytes(models.joinpath(file).read_bytes())
        words = ("run", passages, "discourse-lm", "--model", str(path), flag, str(own))
        yield Reader(f"context discourse-lm: {flag}", own, own.read_bytes(), words,
                     Path(passages), takes_seconds=True)  # fmt: skip
    learning = ("train", "context", "discourse-lm", "--study", passages, "--out",
                str(place / "far.npz"), "--model", str(path))  # fmt: skip
    yield Reader("train discourse-lm: --model", path, whole, learning, takes_seconds=True)
    own = place / "beneath.npz"
    own.write_bytes(models.joinpath("discourse.npz").read_bytes())
    words = (*learning, "--discourse", str(own))
    yield Reader("train discourse-lm: --discourse", own, own.read_bytes(), words,
                 takes_seconds=True)  # fmt: skip
    yield from _ends(place, studies["boundaries"], path)


def _ends(place: Path, study: Study, llama: Path) -> Iterator[Reader]:
    """Yield what a network over a language model's states learns from, and such a network."""
    text, weights, out = place / "ends.txt", place / "ends.weights", place / "ends-new.weights"
    text.write_text(UNITS, encoding="utf-8")
    sizes: dict[str, Any] = {"depth": 1, "epochs": 1, "width": 4, "hidden": 4}
    study.train("language-model", out=weights, text=(text,), model=llama, **sizes)
    flags = [word for name, size in sizes.items() for word in (f"--{name}", str(size))]
    learning = ("train", "boundaries", "language-model", *flags, "--text", str(text),
                "--model", str(llama), "--out", str(out))  # fmt: skip
    run = ("run", str(study.folder), "language-model", "--model", str(llama), "--weights",
           str(weights))  # fmt: skip
    name = "boundaries language-model"
    yield Reader(f"train {name}: --model", llama, llama.read_bytes(), learning, takes_seconds=True)
    yield Reader(f"train {name}: --text", text, UNITS.encode(), learning, takes_seconds=True)
    other = place / "develop.txt"
    yield Reader(f"train {name}: --develop", other, UNITS.encode(),
                 (*learning, "--develop", str(other)), takes_seconds=True)  # fmt: skip
    yield Reader(f"{name}: --weights", weights, weights.read_bytes(), run, study.folder,
                 takes_seconds=True)  # fmt: skip


MARKS = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "we",
    "are",
    "here",
    "dogs",
    ".",
    ",",
    "?",
    "!",
]


def _folders(place: Path, studies: dict[str, Study]) -> Iterator[Reader]:
    """Yield folders of transformers: every file of a tagger, a causal model and a llama."""
    import transformers

    transformers.set_seed(1)
    words = transformers.BertTokenizerFast(vocab={word: k for k, word in enumerate(MARKS)})
    shape = {"vocab_size": len(MARKS), "hidden_size": 8, "num_hidden_layers": 1,
             "num_attention_heads": 1, "intermediate_size": 8}  # fmt: skip
    ends = {"id2label": {0: "O", 1: "PERIOD"}, "label2id": {"O": 0, "PERIOD": 1}}
    tagger = transformers.BertForTokenClassification(transformers.BertConfig(**shape, **ends))
    small = {"n_positions": 64, "n_embd": 8, "n_layer": 1, "n_head": 1}
    causal = transformers.GPT2LMHeadModel(
        transformers.GPT2Config(vocab_size=len(MARKS), bos_token_id=1, eos_token_id=2, **small)
    )
    llama = transformers.LlamaForCausalLM(
        transformers.LlamaConfig(**shape, max_position_embeddings=64, bos_token_id=1)
    )
    sounds = transformers.Wav2Vec2ForPreTraining(
        transformers.Wav2Vec2Config(
            hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16,
            conv_dim=(8,) * 7, num_conv_pos_embeddings=8, num_conv_pos_embedding_groups=2,
            num_codevectors_per_group=8, codevector_dim=16, proj_codevector_dim=12,
        )
    )  # fmt: skip
    models = {
        "keywords template": (sounds, ("template", "--features")),
        "keywords window": (sounds, ("window", "--features")),
        "boundaries tagger": (tagger, ("tagger", "--model")),
        "context pretrained": (causal, ("pretrained", "--model")),
        "boundaries language-model": (llama, ("language-model", "--model")),
    }
    for name, (network, flags) in models.items():
        folder, study = place / name.replace(" ", "-"), studies[name.split()[0]].folder
        network.save_pretrained(folder)
        words.save_pretrained(folder)
        command = ("run", str(study), *flags, str(folder))
        for file in sorted(folder.iterdir()):
            yield Reader(f"{name}: {file.name}", file, file.read_bytes(), command, study,
                         takes_seconds=True)  # fmt: skip
