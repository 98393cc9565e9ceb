"""Models are named by digest in what they made, and loaded only by formats that run nothing."""

import ast
import json
from pathlib import Path

import pytest
from tests.studies import small_study

import earmark
from earmark.files.models import models_explained, models_used, use_model, use_named_model
from earmark.values.errors import InputError

SOURCE = Path(earmark.__file__).parent
# What can run code while it loads, and the argument that keeps it from that.
LOADERS = {
    "torch.load": "weights_only",
    "np.load": "allow_pickle",
    "from_pretrained": "use_safetensors",
    "SentenceTransformer": "model_kwargs",
}
# A tokeniser has no weights.
WITHOUT_WEIGHTS = ("transformers.AutoTokenizer.from_pretrained",)
FORBIDDEN = {"pickle", "cloudpickle", "joblib", "dill", "marshal", "shelve", "yaml"}


def calls() -> list[tuple[Path, str, ast.Call]]:
    pairs = []
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                pairs.append((path, ast.unparse(node.func), node))
    return pairs


def test_a_loader_that_could_run_code_is_told_not_to() -> None:
    seen = set()
    for path, name, node in calls():
        for loader, keyword in LOADERS.items():
            if name in WITHOUT_WEIGHTS or not (name == loader or name.endswith(f".{loader}")):
                continue
            seen.add(loader)
            given = {word.arg: ast.unparse(word.value) for word in node.keywords}
            assert given.get(keyword) in ("True", "False", "safe"), (path, name)
            assert given[keyword] == {"allow_pickle": "False", "model_kwargs": "safe"}.get(
                keyword, "True"
            )
    assert seen == set(LOADERS)


def test_nothing_that_unpickles_is_imported() -> None:
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {name.partition(".")[0] for name in names} & FORBIDDEN, path


def test_a_file_and_a_folder_are_named_by_their_content(tmp_path: Path) -> None:
    (tmp_path / "m.npz").write_bytes(b"weights")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "w").write_bytes(b"weights")
    with models_used() as names:
        use_model(tmp_path / "m.npz")
        use_model(tmp_path / "m.npz")
        use_model(tmp_path / "folder")
        use_model(tmp_path / "absent")
        use_named_model("hub/name", None)
    # sha256sum of the seven bytes `weights`
    assert "m.npz@9a129038d9a0" in names
    assert len(names) == 3 and "hub/name@unknown" in names
    (tmp_path / "m.npz").write_bytes(b"changed")
    with models_used() as later:
        use_model(tmp_path / "m.npz")
    assert len(later) == 1 and later.isdisjoint(names)
    use_model(tmp_path / "m.npz")  # to nobody


def header_of(folder: Path, system: str) -> dict[str, str]:
    first = (folder / "4-outputs" / system / "outputs.jsonl").read_text().partition("\n")[0]
    made_by: dict[str, str] = json.loads(first)["made_by"]
    return made_by


def test_outputs_say_which_model_made_them(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs earmark[learn]")
    study = small_study("boundaries", tmp_path / "talk", verbs=4)
    assert "model" not in header_of(study.folder, "pauses")
    study.run("cnn")
    shipped = header_of(study.folder, "cnn")["model"]
    study.run("cnn", name="again")
    assert shipped.startswith("cnn.safetensors@")
    assert header_of(study.folder, "again")["model"] == shipped
    own = SOURCE / "tasks" / "boundaries" / "models" / "cnn.safetensors"
    (tmp_path / "mine.safetensors").write_bytes(own.read_bytes())
    study.run("cnn", name="mine", model=tmp_path / "mine.safetensors")
    named = header_of(study.folder, "mine")["model"]
    assert named == shipped.replace("cnn.", "mine.")


def test_a_failure_with_a_model_from_outside_names_the_model(tmp_path: Path) -> None:
    given = tmp_path / "own.npz"
    given.write_bytes(b"x")
    with pytest.raises(InputError) as error, models_explained():
        use_model(given)
        raise RuntimeError("size mismatch\nand more")
    assert str(error.value).splitlines()[:3] == [
        "a model must be usable as it was written",
        f"  at:   {given}",
        "  got:  RuntimeError: size mismatch",
    ]


def test_a_failure_with_a_shipped_model_or_without_one_is_ours(tmp_path: Path) -> None:
    shipped = Path(earmark.__file__).parent / "tasks" / "keywords" / "models" / "auto.npz"
    with pytest.raises(LookupError, match="ours"), models_explained():
        use_model(shipped)
        raise LookupError("ours")
    given = tmp_path / "own.npz"
    given.write_bytes(b"x")
    with models_explained():
        use_model(given)
    with pytest.raises(LookupError, match="ours"), models_explained():
        raise LookupError("ours")
    with pytest.raises(InputError, match="as it is"), models_explained():
        use_model(given)
        raise InputError("as it is")
