"""A user's own models replace the shipped ones, file by file."""

from earmark.text.shipped_models import SHIPPED, model_file, model_name


def test_without_own_models_the_shipped_ones_are_used(monkeypatch, tmp_path):
    for folder in ("", str(tmp_path)):
        monkeypatch.setenv("EARMARK_MODELS", folder)
        assert model_file("fluency", "card.json") == SHIPPED / "fluency" / "card.json"
        assert model_name("fluency") == "builtin"


def test_an_own_model_is_used_where_it_has_the_file_and_named_by_its_digest(monkeypatch, tmp_path):
    names = []
    for folder, text in (("one", "1"), ("two", "2")):
        own = tmp_path / folder / "fluency"
        own.mkdir(parents=True)
        (own / "card.json").write_text(text)
        monkeypatch.setenv("EARMARK_MODELS", str(tmp_path / folder))
        assert model_file("fluency", "card.json") == own / "card.json"
        assert model_file("fluency", "other.json") == SHIPPED / "fluency" / "other.json"
        names.append(model_name("fluency"))
    assert names[0] != names[1]
    assert all(name.startswith("own-") for name in names)
