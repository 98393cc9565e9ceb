"""Kernels: compiled at their first call, or run as they are written."""

import subprocess
import sys

from earmark.kernels import njit, plain


@njit(cache=False)
def half(number):
    return number / 2


@njit(cache=False)
def quarter(number):
    return half(half(number))


def test_a_kernel_calls_kernels_compiled_and_plain() -> None:
    with plain():
        assert quarter(6) == 1.5 and "compiled" not in vars(quarter)
    assert quarter(6) == 1.5 and "compiled" in vars(half)


def test_plain_is_over_with_its_block_and_only_where_it_is_wanted() -> None:
    with plain(False):
        assert half(3) == 1.5
    assert "compiled" in vars(half)


def test_small_files_of_events_are_scored_without_loading_numba(tmp_path) -> None:
    """Loading it takes longer than all the rest of the command."""
    table = tmp_path / "events.tsv"
    table.write_text("filename\tonset\toffset\tevent_label\na.wav\t0.5\t2.0\tdog\n")
    command = ["measure", "events", "--reference", str(table), "--output", str(table)]
    code = (
        "import sys; from earmark.cli.main import main\n"
        f"sys.argv[1:] = {command!r}\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n"
        "assert 'numba' not in sys.modules, 'numba was loaded'\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "segment_f1" in done.stdout, done.stderr
