"""Where people's recordings are: one folder per study, file names made by the server."""

from pathlib import Path

from earmark.web.live import Live

FOLDER = "live-recordings"  # in the study's folder


def recordings_folder(live: Live) -> Path:
    """Return the folder of the recordings, which is made for the first one."""
    return live.folder / FOLDER


def delete_recordings(live: Live, person: str) -> int:
    """Delete the recordings of a person; return how many there were."""
    files = sorted(recordings_folder(live).glob(f"{person}--*.wav"))
    for file in files:
        file.unlink()
    return len(files)
