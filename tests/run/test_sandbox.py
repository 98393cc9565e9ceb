"""Ways of isolating: the words of each, what each shuts in, what is said of those that do not."""

import os
import shutil
import struct
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.run.strangers import needs_box

from earmark.run import cgroups, sandbox
from earmark.run.box import Box, Limits, Mount, Runner
from earmark.run.bubblewrap import Bubblewrap, box_environment, bubblewrap_arguments, limited
from earmark.run.cgroups import GroupLimits, GroupV2
from earmark.run.containers import Container, apptainer_arguments, container_arguments
from earmark.run.logs import LogKeeper, readable
from earmark.run.meter import SandboxError
from earmark.run.plain import PlainProcess, Unshared
from earmark.run.seccomp import TABLES, filter_program
from earmark.run.supervise import Ended, StepStopped, supervise
from earmark.run.trees import remove_tree
from earmark.values.errors import InputError, StudyError

MEGABYTE = 1024 * 1024
LIMITS = Limits(seconds=10.0, memory=300 * MEGABYTE, processes=40, disk=20 * MEGABYTE, log=20000)
BOX = Box(
    ("/bin/bash", "/task/code/predict.sh", "/task/test", "/task/output/predictions.txt"),
    (
        Mount(Path("/srv/run/ready"), "/task/code"),
        Mount(Path("/srv/run/input/test"), "/task/test"),
        Mount(Path("/srv/run/output"), "/task/output", writable=True),
    ),
    {"PATH": "/usr/bin", "HOME": "/tmp"},
    owner=1900000001,
)


def test_bubblewraps_words() -> None:
    words = " ".join(bubblewrap_arguments(BOX, files={"/etc/passwd": 5}, calls=7))
    for part in (
        *("--unshare-pid --unshare-net --unshare-ipc --unshare-uts", "--die-with-parent"),
        *("--new-session", "--clearenv", "--cap-drop ALL", "--ro-bind /usr /usr"),
        *("--ro-bind /srv/run/ready /task/code", "--ro-bind /srv/run/input/test /task/test"),
        *("--bind /srv/run/output /task/output", "--remount-ro /dev --remount-ro /"),
        *("--chdir /task/code", "--setenv HOME /tmp", "--seccomp 7"),
    ):
        assert part in words
    assert "--unshare-user" not in words
    assert words.count("--bind ") == 1  # one folder can be written, and no other


def test_as_an_ordinary_user_a_user_namespace_makes_the_box() -> None:
    box = Box(BOX.command, BOX.mounts, BOX.environment, owner=None)
    words = " ".join(bubblewrap_arguments(box, files={}))
    assert "--unshare-user --uid 1000 --gid 1000" in words and "--cap-add" not in words
    assert limited(box, LIMITS, groups=True)[0] == "prlimit"


def test_every_right_is_given_up_before_the_script_starts() -> None:
    words = " ".join(limited(BOX, LIMITS, groups=False))
    assert words.startswith("setpriv --reuid=1900000001 --regid=1900000001 --clear-groups")
    assert "--bounding-set=-all --no-new-privs" in words
    if os.getuid() == 0:  # others may only lower their own
        assert f"--core=0 --nofile=1024 --fsize={20 * MEGABYTE} --nproc=43" in words
    assert f"--data={300 * MEGABYTE}" in words
    assert "--data" not in " ".join(limited(BOX, LIMITS, groups=True))


@pytest.mark.parametrize("engine", ["podman", "docker"])
def test_the_words_of_containers(engine: str) -> None:
    runner = Container("podman" if engine == "podman" else "docker", "registry/image:1", engine)
    words = container_arguments(runner, BOX, LIMITS, name="earmark-1")
    assert words == [
        *("run", "--rm", "--name", "earmark-1", "--network", "none", "--read-only", "--init"),
        *("--cap-drop", "ALL", "--security-opt", "no-new-privileges"),
        *("--user", "1900000001:1900000001", "--pids-limit", "40"),
        *("--memory", "314572800", "--memory-swap", "314572800", "--ipc", "private"),
        *("--ulimit", "core=0", "--ulimit", "fsize=20971520", "--hostname", "box"),
        *("--log-driver", "none", "--pull", "never", "--workdir", "/task/code"),
        *("--volume", "/srv/run/ready:/task/code:ro"),
        *("--volume", "/srv/run/input/test:/task/test:ro"),
        *("--volume", "/srv/run/output:/task/output:rw"),
        *("--env", "HOME=/tmp", "--entrypoint", "/bin/bash", "registry/image:1"),
        *("/task/code/predict.sh", "/task/test", "/task/output/predictions.txt"),
    ]
    with runner.launch(BOX, LIMITS, runner.meter(LIMITS)) as launch:
        assert launch.words[:3] == (engine, "run", "--rm")
        # a container outlives the program that started it: it is ended by its name
        assert launch.stop[:3] == (engine, "rm", "--force")
        assert launch.stop[-1] == launch.words[4]


def test_as_an_ordinary_user_a_container_keeps_us_as_we_are() -> None:
    box = Box(BOX.command, BOX.mounts, BOX.environment, owner=None)
    for engine in ("podman", "docker"):
        runner = Container("podman" if engine == "podman" else "docker", "image", engine)
        words = " ".join(container_arguments(runner, box, LIMITS, name="one"))
        assert f"--user {os.getuid()}:{os.getgid()}" in words
        assert ("--userns keep-id" in words) == (engine == "podman")


def test_the_words_of_apptainer() -> None:
    words = " ".join(apptainer_arguments("image.sif", BOX, LIMITS))
    assert words.startswith(
        "exec --containall --cleanenv --no-home --no-privs --net --network none"
    )
    assert "--memory 300m --memory-swap 300m --pids-limit 40" in words
    assert "--bind /srv/run/output:/task/output:rw" in words
    assert words.endswith("image.sif /bin/bash /task/code/predict.sh /task/test "
                          "/task/output/predictions.txt")  # fmt: skip


def test_a_runner_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="there is no runner 'bubblewarp'"):
        sandbox.choose_runner("bubblewarp")
    if shutil.which("apptainer") is None:
        with pytest.raises(InputError, match="the runner apptainer is not installed"):
            sandbox.choose_runner("apptainer", "image.sif")
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    with pytest.raises(InputError, match="the runner podman needs an image"):
        sandbox.choose_runner("podman")
    assert sandbox.choose_runner("podman", "image").name == "podman"


def test_what_is_not_shut_in_is_said_aloud() -> None:
    assert sandbox.warning(Bubblewrap(groups=False)) == ""
    for runner in (Unshared(), PlainProcess()):
        assert sandbox.warning(runner).startswith(f"NOT ISOLATED ({runner.name}, level")


def test_the_filter_of_calls_has_an_end_for_every_jump() -> None:
    for machine in TABLES:
        program = filter_program(machine)
        assert program is not None and len(program) % 8 == 0
        rows = [struct.unpack("<HBBI", program[k : k + 8]) for k in range(0, len(program), 8)]
        for place, (code, true, false, _) in enumerate(rows):
            if code & 7 == 5:
                assert place + 1 + max(true, false) < len(rows)
        assert rows[-1][0] == 6  # it returns
        assert len(rows) < 4096  # the kernel's limit
    assert filter_program("unheard-of") is None


@pytest.fixture
def version_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that looks like a control group of version 2, with children of the same files."""
    (tmp_path / "cgroup.controllers").write_text("cpu memory pids\n")
    (tmp_path / "cgroup.subtree_control").write_text("memory pids\n")
    mkdir = Path.mkdir

    def with_files(self: Path, *words: int, **options: bool) -> None:
        mkdir(self, *words, **options)  # type: ignore[arg-type]
        for name in (
            "memory.max",
            "memory.swap.max",
            "memory.oom.group",
            "pids.max",
            "cgroup.procs",
        ):
            (self / name).write_text("")
        (self / "memory.stat").write_text("anon 1048576\nfile 999\nshmem 1048576\n")
        (self / "cpu.stat").write_text("usage_usec 1500000\nuser_usec 1\n")
        (self / "pids.current").write_text("7\n")
        (self / "memory.events").write_text("low 0\nmax 3\noom 1\noom_kill 1\n")
        (self / "pids.events").write_text("max 2\n")

    monkeypatch.setattr(Path, "mkdir", with_files)
    return tmp_path


def test_a_group_of_version_2_limits_and_counts(version_2: Path) -> None:
    mounts = f"cgroup2 {version_2} cgroup2 rw 0 0\nproc /proc proc rw 0 0\n"
    place = cgroups._version_2(mounts, "0::/\n")
    assert place == version_2
    group = GroupV2.make(place, "earmark-1", GroupLimits(300 * MEGABYTE, 43))
    read = {name: (group.folder / name).read_text() for name in ("memory.max", "pids.max")}
    assert read == {"memory.max": str(300 * MEGABYTE), "pids.max": "43"}
    assert (group.folder / "memory.swap.max").read_text() == "0"
    assert group.joining() == (version_2 / "earmark-1" / "cgroup.procs",)
    sample = group.sample(1)
    assert (sample.cpu_seconds, sample.megabytes, sample.processes) == (1.5, 2.0, 7)
    assert (group.events().out_of_memory, group.events().forks_refused) == (1, 2)
    group.end(1)


def test_a_group_of_version_2_without_our_controllers_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "cgroup.controllers").write_text("hugetlb\n")
    (tmp_path / "cgroup.subtree_control").write_text("\n")
    assert cgroups._version_2(f"cgroup2 {tmp_path} cgroup2 rw 0 0\n", "0::/\n") is None


def test_groups_of_version_1_are_found_by_controller(tmp_path: Path) -> None:
    for name in ("memory", "pids", "cpuacct"):
        (tmp_path / name / "own").mkdir(parents=True)
    mounts = "".join(f"cgroup {tmp_path}/{n} cgroup rw,{n} 0 0\n" for n in ("memory", "pids"))
    groups = "4:memory:/own\n8:pids:/\n2:cpuacct:/\n"
    assert cgroups._version_1(mounts, groups) == {
        "memory": tmp_path / "memory" / "own",
        "pids": tmp_path / "pids",
    }
    assert cgroups._version_1(mounts.partition("\n")[0] + "\n", groups) is None


def test_groups_of_killed_processes_are_swept_and_others_stay(tmp_path: Path) -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    names = [f"earmark-{gone.pid}-ab", f"earmark-{os.getpid()}-cd", "earmark-own-name", "other"]
    for name in names:
        (tmp_path / name).mkdir()
    cgroups.sweep([tmp_path])
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names[1:])


def test_a_log_keeps_its_beginning_and_its_end() -> None:
    log = LogKeeper(20)
    for word in (b"beginning ", b"x" * 100, b"y" * 1000, b" the ending"):
        log.add(word)
    assert log.text() == b"beginning \n[... 1101 bytes are left out ...]\nthe ending"
    short = LogKeeper(20)
    short.add(b"all of it")
    assert short.text() == b"all of it"
    assert (
        readable(b"a\x1b[2J\r\nb\xff")
        == "a\N{REPLACEMENT CHARACTER}[2J\nb\N{REPLACEMENT CHARACTER}"
    )


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that another user may pass through."""
    folder = Path(tempfile.mkdtemp(prefix="earmark-test-"))
    folder.chmod(0o755)
    yield folder
    remove_tree(folder)


def boxed(runner: Runner, script: str, place: Path, limits: Limits = LIMITS) -> Ended:
    """Run a script of bash in a box with a work folder."""
    owner = sandbox.new_owner()
    (place / "code").mkdir()
    (place / "code" / "script.sh").write_text(script)
    mounts = [Mount(place / "code", "/task/code")]
    for name, target in (("work", "/task/work"), ("tmp", "/tmp"), ("shm", "/dev/shm")):
        (place / name).mkdir()
        if owner is not None:
            os.chown(place / name, owner, owner)
        mounts.append(Mount(place / name, target, writable=True))
    command = ("/bin/bash", "/task/code/script.sh", "/task/work")
    return supervise(runner, Box(command, tuple(mounts), box_environment(), owner), limits)


WITHOUT_GROUPS = {
    "a fork bomb": (":(){ :|:& };: ; sleep 5; exit 1", {"processes", "memory"}),
    "memory": (
        "for n in $(seq 9); do (head -c 60000000 /dev/zero | tail -c 50000000 | sleep 9) &\n"
        "done; wait",
        {"memory"},
    ),
    "disk": ("for n in $(seq 9); do head -c 5000000 /dev/zero > $1/$n; done; sleep 9", {"disk"}),
    "time": ("(setsid sleep 600 &); sleep 600", {"timeout"}),
}


@pytest.mark.sandbox
@pytest.mark.parametrize("name", WITHOUT_GROUPS)
def test_without_control_groups_limits_hold_too(name: str, place: Path) -> None:
    needs_box()
    script, statuses = WITHOUT_GROUPS[name]
    limits = Limits(2.0 if name == "time" else 15.0, *_without_seconds(LIMITS))
    ended = boxed(Bubblewrap(groups=False), script, place, limits)
    assert ended.status in statuses, ended
    assert ended.seconds < 14


def _without_seconds(limits: Limits) -> tuple[int, int, int, int]:
    return limits.memory, limits.processes, limits.disk, limits.log


@pytest.mark.sandbox
def test_namespaces_and_landlock_hide_files_where_there_is_no_bubblewrap(place: Path) -> None:
    if shutil.which("unshare") is None:
        pytest.skip("needs unshare")
    secret = place / "secret"
    secret.write_text("LABELS")
    script = f"cat {secret}; ls /home; echo x > $1/file && echo written; exit 0"
    ended = boxed(Unshared(), script, place)
    if ended.status == "error" and b"written" not in ended.log:
        pytest.skip("needs namespaces that may be made, and Landlock")
    assert ended.status == "ok" and b"LABELS" not in ended.log and b"written" in ended.log


def test_a_plain_process_leaves_no_daemon_that_it_started(place: Path) -> None:
    """Level 0 hides nothing, but its processes are ended all the same."""
    mark = f"86{os.getpid()}"
    script = f"(setsid nohup sleep {mark} > /dev/null 2>&1 &); sleep .3; exit 0"
    ended = boxed(PlainProcess(), script, place)
    assert ended.status == "ok"
    deadline = time.monotonic() + 5
    while (left := _running(f"sleep\0{mark}")) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert left == []


def _running(words: str) -> list[str]:
    names = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and (entry / "cmdline").read_text().startswith(words):
                names.append(entry.name)
        except OSError:
            continue
    return names


def test_as_root_without_bubblewrap_strangers_code_never_runs_as_root(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if os.getuid() != 0:
        pytest.skip("needs root")
    monkeypatch.setattr(sandbox, "_is_open", lambda folder: False)
    with pytest.raises(SandboxError, match="closed to others"):
        sandbox.owner_for(PlainProcess())
    monkeypatch.setattr(sandbox, "_is_open", lambda folder: True)
    assert sandbox.owner_for(PlainProcess()) is not None


@pytest.mark.sandbox
def test_a_step_is_called_off_and_all_of_it_is_gone(place: Path) -> None:
    needs_box()
    (place / "code").mkdir()
    (place / "code" / "script.sh").write_text("sleep 600 & sleep 600")
    owner = sandbox.new_owner()
    box = Box(
        ("/bin/bash", "/task/code/script.sh"),
        (Mount(place / "code", "/task/code"),),
        box_environment(),
        owner,
    )
    with pytest.raises(StepStopped):
        supervise(sandbox.choose_runner(), box, LIMITS, stop=lambda: True)
    if owner is not None:
        listed = subprocess.run(["ps", "-o", "pid=", "-u", str(owner)], capture_output=True)
        assert listed.stdout.strip() == b""


@pytest.mark.sandbox
def test_a_box_that_cannot_be_made_is_our_failure_and_not_the_codes(place: Path) -> None:
    needs_box()
    box = Box(("/bin/true",), (Mount(place / "nowhere", "/task/code"),), box_environment(), None)
    with pytest.raises(SandboxError, match="the box could not be made"):
        supervise(sandbox.choose_runner(), box, LIMITS)


def test_errors_of_the_study_are_not_the_submissions(tmp_path: Path) -> None:
    from tests.run.strangers import challenge, submission

    from earmark.study.execution import open_execution

    study = challenge(tmp_path, 1)
    with pytest.raises(StudyError, match="there is no limit"):
        open_execution(
            study,
            submission(tmp_path / "code"),
            tmp_path / "run",
            name="x",
            settings={"budget": {"minutes": 3}},
        )
