"""The line that makes a score repeatable."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.values.errors import InputError
from earmark.values.signature import Signature, plain


def test_bars_colons_and_percents_are_encoded() -> None:
    assert str(Signature.of("t.m", {"ref": "a|b:c%"})) == "t.m|ref:a%7Cb%3Ac%25"


def test_own_options_come_first_in_their_order_and_the_version_last() -> None:
    options = {"earmark": "0.1.0", "seed": 7, "zeta": 1.0, "alpha": True, "ref": "r@1", "items": 3}
    assert str(Signature.of("t.m", options)) == (
        "t.m|zeta:1.0|alpha:yes|items:3|ref:r@1|seed:7|earmark:0.1.0"
    )


def test_signatures_of_two_versions_agree_without_their_versions() -> None:
    old, new = (Signature.of("t.m", {"items": 3, "earmark": v}) for v in ("0.1.0", "0.2.0"))
    assert old != new
    assert (old.version, new.version) == ("0.1.0", "0.2.0")
    assert old.without_version() == new.without_version() == Signature.of("t.m", {"items": 3})


def test_without_their_versions_signatures_of_other_options_still_differ() -> None:
    two, three = (Signature.of("t.m", {"items": n, "earmark": "0.1.0"}) for n in (2, 3))
    assert two.without_version() != three.without_version()
    assert Signature.of("t.m", {}).version == ""


@given(st.text(min_size=1), st.dictionaries(st.text(min_size=1), st.text(), max_size=4))
def test_a_signature_always_reads_back(metric: str, options: dict[str, str]) -> None:
    try:
        metric.encode()
        "".join([*options, *options.values()]).encode()
    except UnicodeEncodeError:
        return
    signature = Signature.of(metric, options)
    assert Signature.parse(str(signature)) == signature
    assert "\n" not in str(signature)


@pytest.mark.parametrize("line", ["", "|a:b", "t.m|no-colon"])
def test_what_is_no_signature_is_refused(line: str) -> None:
    with pytest.raises(InputError, match="a signature must be <task>"):
        Signature.parse(line)


def test_values_are_written_one_way() -> None:
    assert [plain(v) for v in (True, False, None, 0.5, 3, (1, "a"))] == [
        *("yes", "no", "none", "0.5", "3", "1,a"),
    ]
