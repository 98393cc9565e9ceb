"""Ten families of attack, and some of our own, by real submissions that misbehave.

Each ends the same way: the score is what the honest part of it earns, the reason is shown, no
label was read, and no process, mount, control group or file is left.
"""

import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.run.strangers import challenge, copy_study, needs_box, run, score_of, submission

from earmark.run import trees
from earmark.study.snapshot import Snapshot

pytestmark = pytest.mark.sandbox


@pytest.fixture(scope="module", autouse=True)
def box() -> None:
    needs_box()


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return challenge(tmp_path_factory.mktemp("challenge"))


def truth_of(study: Snapshot) -> Path:
    return study.material / "truth.jsonl"


def test_an_honest_submission_is_scored_and_leaves_nothing(study: Snapshot, tmp_path: Path) -> None:
    outcome = run(study, submission(tmp_path / "code"))
    assert outcome.finished.run["status"] == "done"
    assert (score_of(study, outcome), outcome.left) == (0.0, [])
    assert len(outcome.finished.outputs) == 6


def test_labels_cannot_be_read_by_any_path(study: Snapshot, tmp_path: Path) -> None:
    """Family 1: absolute, upwards, through other processes' roots, environments, open files."""
    truth = truth_of(study)
    lines = f"""
    cat {truth} && echo LEAK
    cat ../../../../../..{truth} && echo LEAK
    for pid in /proc/[0-9]*; do
      cat $pid/root{truth} && echo LEAK
      cat $pid/environ | tr '\\0' '\\n' | grep OPEN_SECRET && echo LEAK
      tr '\\0' '\\n' < $pid/cmdline | grep -F '{study.folder}' && echo LEAK
      for file in $pid/fd/*; do
        case "$(readlink $file)" in *jsonl*) cat $file && echo LEAK;; esac
      done
    done
    cd /task/work && ln -s {truth} link; cat link && echo LEAK
    ln {truth} hard && echo LEAK
    true
    """
    search = """
    find / -path /proc -prune -o -path /usr -prune -o -type f \\( -name truth.jsonl \\
      -o -name '*_test_labels.txt' \\) -print | grep . && echo LEAK
    """
    handle = os.open(truth, os.O_RDONLY)
    os.set_inheritable(handle, True)
    os.environ["OPEN_SECRET"] = "a label"
    try:
        code = submission(
            tmp_path / "code", initialize=lines + search, enrollment=lines, predict=lines
        )
        outcome = run(study, code)
    finally:
        os.close(handle)
        del os.environ["OPEN_SECRET"]
    assert "LEAK" not in outcome.log and "is_target" not in outcome.log
    assert "No such file" in outcome.log
    assert (score_of(study, outcome), outcome.left) == (0.0, [])


def test_nothing_but_its_own_folders_can_be_written(study: Snapshot, tmp_path: Path) -> None:
    """Family 2: code between speakers, other speakers' folders, marks of start and end."""
    lines = """
    for place in /task /task/code /task/code/predict.sh /task/test /task/enroll /usr /etc /dev / \\
      /proc/sys/kernel; do
      echo spoiled >> $place/mark && echo WRITTEN $place
    done
    echo 'exit 1' >> /task/code/predict.sh && echo WRITTEN
    rm -rf /task/code/predict.sh && echo WRITTEN
    mv /task/output /task/other && echo WRITTEN
    [ -e /tmp/state ] || [ -e /dev/shm/state ] || [ -e $2/state ] && echo WRITTEN
    echo secret | tee /tmp/state /dev/shm/state > $2/state; rm $2/state
    true
    """
    outcome = run(study, submission(tmp_path / "code", enrollment=lines, predict=lines))
    assert "WRITTEN" not in outcome.log
    assert "Read-only file system" in outcome.log
    assert (score_of(study, outcome), outcome.left) == (0.0, [])


@pytest.fixture
def listener() -> Iterator[tuple[int, str]]:
    """Services of the host that answer whoever reaches them: by loopback, by an abstract name."""
    name = f"earmark-{os.getpid()}"
    servers = [socket.socket(), socket.socket(socket.AF_UNIX)]
    servers[0].bind(("127.0.0.1", 0))
    servers[1].bind(f"\0{name}")

    def answer(server: socket.socket) -> None:
        while True:
            try:
                peer, _ = server.accept()
            except OSError:
                return
            peer.sendall(b"REACHED\n")
            peer.close()

    for server in servers:
        server.listen()
        threading.Thread(target=answer, args=(server,), daemon=True).start()
    yield servers[0].getsockname()[1], name
    for server in servers:
        server.shutdown(socket.SHUT_RDWR)
        server.close()


def test_there_is_no_network(study: Snapshot, tmp_path: Path, listener: tuple[int, str]) -> None:
    """Family 4: names, addresses, services of the host by loopback and by abstract sockets."""
    port, name = listener
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "reach.py").write_text(
        "import socket\n"
        "def attempt(kind, address):\n"
        "    try:\n"
        "        peer = socket.socket(kind); peer.settimeout(2); peer.connect(address)\n"
        "        print(peer.recv(20).decode() or 'REACHED')\n"
        "    except OSError as error:\n"
        "        print('refused', error)\n"
        f"attempt(socket.AF_INET, ('127.0.0.1', {port}))\n"
        "attempt(socket.AF_INET, ('192.0.2.1', 80))\n"
        f"attempt(socket.AF_UNIX, '\\0{name}')\n"
        "try:\n"
        "    print('REACHED', socket.getaddrinfo('example.org', 80))\n"
        "except OSError as error:\n"
        "    print('refused', error)\n"
    )
    with socket.create_connection(("127.0.0.1", port)) as peer:
        assert peer.recv(20) == b"REACHED\n"  # from here it answers
    outcome = run(study, submission(tmp_path / "code", initialize="$PYTHON reach.py"))
    assert "REACHED" not in outcome.log and outcome.log.count("refused [") == 4
    assert (score_of(study, outcome), outcome.left) == (0.0, [])


def test_daemons_do_not_outlive_their_step(study: Snapshot, tmp_path: Path) -> None:
    """Family 5: sessions of their own, double forks, from enrolment into prediction."""
    daemon = """
    for number in 1 2 3 4 5; do
      (setsid nohup bash -c '(while true; do date +%s%N > $0/beat; sleep .05; done) & exit' $2 \\
        > /dev/null 2>&1 &)
    done
    sleep .3
    """
    look = """
    before=$(cat $2/beat); sleep .4; after=$(cat $2/beat)
    [ "$before" = "$after" ] && echo SILENT || echo ALIVE
    ls -d /proc/[0-9]* | wc -l
    """
    outcome = run(study, submission(tmp_path / "code", enrollment=daemon, predict=look))
    assert "ALIVE" not in outcome.log and outcome.log.count("SILENT") == 2
    assert (score_of(study, outcome), outcome.left) == (0.0, [])


def test_a_background_child_does_not_outlive_a_script_that_ends_well(
    study: Snapshot, tmp_path: Path
) -> None:
    lines = "(setsid sleep 600 &) ; sleep 600 &"
    outcome = run(study, submission(tmp_path / "code", predict=lines))
    assert outcome.statuses == ["ok"] * 5
    assert (score_of(study, outcome), outcome.left) == (0.0, [])


# Family 6: what a step does, how it ends, and what is said of it.
THREADS = """$PYTHON -c '
import threading, time
for _ in range(500):
    threading.Thread(target=time.sleep, args=(3,), daemon=True).start()' || exit 1"""
BALLOON = """$PYTHON -c 'x = bytearray(10**9); x[::4096] = b"1" * len(x[::4096])'"""
SHARED = """$PYTHON -c '
import mmap
blocks = [mmap.mmap(-1, 10**8) for _ in range(9)]
for block in blocks: block.write(b"1" * 10**8)'"""
GREEDY = {
    "a fork bomb": (":(){ :|:& };: ; sleep 1; exit 1", "processes", "40 processes"),
    "threads": (THREADS, "processes", "40 processes"),
    "a memory balloon": (BALLOON, "memory", "300 MB of memory"),
    "shared memory": (SHARED, "memory", "300 MB of memory"),
    "a full disk": (
        "for n in $(seq 99); do head -c 5000000 /dev/zero > $2/$n; sleep .02; done",
        "disk",
        "wrote more than its 20 MB",
    ),
    "a full /dev/shm": (
        "for n in $(seq 6); do head -c 5000000 /dev/zero > /dev/shm/$n; done; sleep 5",
        "disk",
        "wrote more than its 20 MB",
    ),
    "a large file": ("head -c 90000000 /dev/zero > /tmp/a || exit $?; sleep 5", "disk", "wrote"),
    "a sparse file": ("truncate -s 90G $2/sparse || exit 153", "disk", "wrote"),
    "many files": ("cd $2; for n in $(seq 3000); do : > $n; done; sleep 5", "disk", "too many"),
    "deep folders": (
        'cd $2; $PYTHON -c \'import os\nfor _ in range(900): os.mkdir("d" * 9); '
        'os.chdir("d" * 9)\'; sleep 5',
        "disk",
        "too deep",
    ),
}


@pytest.mark.parametrize("name", GREEDY)
def test_greed_costs_the_greedy_step_alone(
    name: str, study: Snapshot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second speaker's enrolment is greedy; the first speaker's score stands."""
    lines, status, reason = GREEDY[name]
    monkeypatch.setattr(trees, "MOST_ENTRIES", 2000)
    second = f'if [ "$(stat -c %s "$1"/E001.wav)" -gt 3600 ]; then {lines}\nfi'
    outcome = run(study, submission(tmp_path / "code", enrollment=second))
    assert outcome.statuses == ["ok", "ok", "ok", status, status]
    assert reason in outcome.reasons["S02"]
    assert outcome.finished.run["status"] == "partial"
    assert "never wakes" in outcome.finished.run["reason"]
    # the mean of a speaker without a mistake, and one whose device never wakes
    assert (score_of(study, outcome), outcome.left) == (0.5, [])


def test_a_huge_log_keeps_its_beginning_and_its_end(study: Snapshot, tmp_path: Path) -> None:
    lines = "echo BEGINNING; yes 'so much to say' | head -c 30000000; echo; echo ENDING"
    outcome = run(study, submission(tmp_path / "code", initialize=lines))
    assert len(outcome.log) < 60000
    assert "BEGINNING" in outcome.log and "ENDING" in outcome.log
    assert "bytes are left out" in outcome.log
    assert (score_of(study, outcome), outcome.left) == (0.0, [])


# Family 8: how a step may try to get more time than it has.
SLOW = {
    "sleeping": "sleep 600",
    "ignoring signals": "trap '' TERM INT HUP; while true; do sleep 600; done",
    "stopping itself": "kill -STOP $$; sleep 600",
    "killing everybody": "kill -9 -1; sleep 600",
    "stopping the parent": "kill -STOP $PPID; kill -9 1; sleep 600",
    "changing the clock": "date -s 2000-01-01; sleep 600",
}


@pytest.mark.parametrize("name", SLOW)
def test_time_cannot_be_stolen(name: str, study: Snapshot, tmp_path: Path) -> None:
    short = copy_study(study, tmp_path / "short")
    settings = short.folder / "study.toml"
    text = settings.read_text()
    settings.write_text(text.replace("slack_seconds = 20.0", "slack_seconds = 0.5"))
    first = f'if [ "$(cat $2/size)" -lt 3600 ]; then {SLOW[name]}\nfi'
    outcome = run(
        copy_study(short, tmp_path / "again"), submission(tmp_path / "code", predict=first)
    )
    assert outcome.statuses in (
        ["ok", "ok", "timeout", "ok", "ok"],
        ["ok", "ok", "error", "ok", "ok"],  # it killed itself
    )
    assert outcome.results[2].seconds < 10
    assert (score_of(study, outcome), outcome.left) == (0.5, [])


def test_initialising_sees_no_speaker_and_steps_see_their_own(
    study: Snapshot, tmp_path: Path
) -> None:
    """Family 8: nothing can be worked out in the half hour before the clock starts."""
    lines = "find /task -name '*.wav' | sort | sed 's/^/SEEN /'"
    outcome = run(
        study, submission(tmp_path / "code", initialize=lines, enrollment=lines, predict=lines)
    )
    seen = [part.count("SEEN") for part in outcome.log.split("== ")[1:]]
    assert seen == [0, 5, 3, 5, 3]
    assert outcome.left == []


def test_names_order_and_times_of_clips_say_nothing(study: Snapshot, tmp_path: Path) -> None:
    """Family 9: in the material, positives come first; in the box, names are numbers."""
    lines = "ls -i --full-time $1 | sed 's/^/SEEN /'"
    outcome = run(study, submission(tmp_path / "code", predict=lines))
    seen = [
        line.split()
        for line in outcome.log.splitlines()
        if line.startswith("SEEN") and ".wav" in line
    ]
    assert {row[-1] for row in seen} == {"T0001.wav", "T0002.wav", "T0003.wav"}
    assert len({tuple(row[7:9]) for row in seen}) == 1
    assert "S01" not in outcome.log.replace("== enroll S01", "").replace("== predict S01", "")
    assert outcome.left == []


def test_a_log_cannot_steer_a_terminal(study: Snapshot, tmp_path: Path) -> None:
    """Family 10; what of a log a participant sees is the phase's to say."""
    lines = "printf '\\033[2J\\033]0;title\\007 \\xff\\xfe done\\r\\n'"
    outcome = run(study, submission(tmp_path / "code", predict=lines))
    assert "\x1b" not in outcome.log and "\x07" not in outcome.log and "done" in outcome.log


def test_privileges_cannot_be_won_back(study: Snapshot, tmp_path: Path) -> None:
    """Our own, 1: namespaces, mounts, tracing, keys, programs that set the user id."""
    lines = """
    unshare -Ur true && echo WON
    unshare -m true && echo WON
    mount -t tmpfs none /tmp && echo WON
    nsenter -t 1 -m true && echo WON
    chroot / true && echo WON
    su -c true && echo WON
    $PYTHON - <<'END'
import ctypes, os
call = ctypes.CDLL(None, use_errno=True).syscall
for words in ((101, 16, 1, 0, 0), (321, 0, 0, 0), (250, 0, -3, 1), (298, 0, 0, -1, -1, 0),
              (425, 1, 0), (308, 0, 0)):  # ptrace, bpf, keyctl, perf, io_uring, setns
    result = call(*words)
    print(words[0], "refused" if result < 0 and ctypes.get_errno() == 1 else "WON")
try:
    os.setuid(0); print("WON")
except OSError:
    print("refused")
END
    grep -h '^CapEff\\|^NoNewPrivs\\|^Seccomp:' /proc/self/status
    """
    outcome = run(study, submission(tmp_path / "code", initialize=lines))
    if os.uname().machine == "x86_64":
        assert "WON" not in outcome.log and outcome.log.count("refused") >= 7
    assert "CapEff:\t0000000000000000" in outcome.log and "NoNewPrivs:\t1" in outcome.log
    assert (score_of(study, outcome), outcome.left) == (0.0, [])


def test_what_it_leaves_in_its_folder_leads_nobody_astray(study: Snapshot, tmp_path: Path) -> None:
    """Our own, 2: links that our copy or removal might follow, closed folders, odd names."""
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "precious").write_text("kept")
    lines = f"""
    cd $2
    ln -s {victim} link; ln -s / root; ln -s {victim}/precious precious
    mkfifo pipe; mkdir closed; : > closed/file; chmod 000 closed
    : > $'new\\nline'; : > ' -rf'; : > '*'
    """
    outcome = run(study, submission(tmp_path / "code", enrollment=lines))
    assert (score_of(study, outcome), outcome.left) == (0.0, [])
    assert (victim / "precious").read_text() == "kept"
    assert victim.stat().st_uid == os.getuid()


def test_the_supervisors_environment_and_terminal_are_out_of_reach(
    study: Snapshot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Our own, 3: secrets in variables, open files, the terminal it was started from."""
    monkeypatch.setenv("TEAM_TOKEN", "very-secret")
    monkeypatch.setenv("LD_PRELOAD_NOT", "very-secret")
    lines = """
    env; ls /proc/self/fd | wc -l; tty; : < /dev/tty && echo REACHED
    read -t 1 line && echo "REACHED $line"; hostname
    """
    outcome = run(study, submission(tmp_path / "code", initialize=lines))
    assert "very-secret" not in outcome.log and "REACHED" not in outcome.log
    assert "\nbox\n" in outcome.log
    assert outcome.left == []
