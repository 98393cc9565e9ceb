import pytest


@pytest.fixture(autouse=True)
def own_vectors(tmp_path_factory, monkeypatch):
    """Vectors are kept in the tests' own place, shared by them."""
    monkeypatch.setenv("EARMARK_CACHE", str(tmp_path_factory.getbasetemp() / "vectors"))
