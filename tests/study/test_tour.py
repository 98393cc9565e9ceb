"""The tour where packages are missing."""

import pytest

from earmark import tasks
from earmark.study import tour as touring
from earmark.task.extras import MissingExtra
from earmark.task.progress import notes_to
from earmark.task.task import Step, Tour


@pytest.fixture
def without(monkeypatch):
    """Let one verb of every tour lack a package."""

    def change(verb):
        run_step = touring.run_step

        def lacking(task, folder, seed, step):
            if step.verb == verb:
                raise MissingExtra(
                    "this needs the package torch", fix="pip install 'earmark[nets]'"
                )
            run_step(task, folder, seed, step)

        monkeypatch.setattr(touring, "run_step", lacking)

    return change


def test_a_system_that_lacks_a_package_is_left_out_and_the_tour_goes_on(sixth, tmp_path, without):
    without("run")
    result = touring.tour_task("coins", tmp_path / "coins", 0)
    # nothing is left to score, which is another matter
    assert result.left_out[0].endswith("this needs the package torch: pip install 'earmark[nets]'")
    assert "score needs outputs" in result.problem


def test_a_task_that_cannot_start_is_left_out_as_a_whole(sixth, tmp_path, without):
    without("make")
    result = touring.tour_task("coins", tmp_path / "coins", 0)
    assert result.problem == "" and not result.folder.exists()
    assert result.left_out == ("this needs the package torch: pip install 'earmark[nets]'",)
    chapter = touring._chapter(result)
    assert chapter.headline.big == "left out" and "earmark[nets]" in chapter.problem


def test_the_extra_that_a_task_lacks_is_named_before_it_starts(monkeypatch):
    task = tasks.load("boundaries")
    assert task.tour and task.tour.extras == ("nets",)
    monkeypatch.setattr(touring, "missing_extras", lambda *extras: list(extras))
    lines: list[str] = []
    with notes_to(lines.append):
        touring._announce(["boundaries", "events"])
    assert lines == [
        "boundaries uses packages that are not installed: pip install 'earmark[nets]'; "
        "what needs them is left out"
    ]


def test_a_tour_of_nothing_is_refused(sixth, tmp_path, without, monkeypatch):
    def left_out(name, folder, seed, news=None):
        return touring.TourResult(name, folder, 0.0, "", ("speakers need a voice",))

    class Pool:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def submit(self, function, *args):
            from concurrent.futures import Future

            future: Future[object] = Future()
            future.set_result(left_out(*args))
            return future

    monkeypatch.setattr(touring, "ProcessPoolExecutor", lambda *_, **__: Pool())
    with pytest.raises(MissingExtra, match="no tour can start here"):
        touring.tour(tmp_path / "tour", only=("coins",))


def test_a_tour_says_which_extras_it_uses():
    assert Tour(steps=(Step("make"),)).extras == ()
