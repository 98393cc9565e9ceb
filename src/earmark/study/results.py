"""What came out of a submission: its outputs and logs on disk, its scores in the queue."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from earmark.files import jsonl
from earmark.files.folder import whole_folder, write_file
from earmark.study.challenge import Challenge
from earmark.study.places import header
from earmark.study.score import score_one
from earmark.study.snapshot import Snapshot
from earmark.values.output import Output
from earmark.values.pack import pack

OUTPUTS = "outputs.jsonl"


def keep_results(challenge: Challenge, identity: str, finished: Any) -> None:
    """Write the outputs, run.json and the logs of a submission into its folder, all together."""
    with whole_folder(challenge.results(identity)) as place:
        made_by = header("run", {"submission": identity, "digest": finished.run["digest"]})
        rows = (pack(finished.outputs[item]) for item in sorted(finished.outputs))
        write_file(place / OUTPUTS, jsonl.lines(made_by, rows))
        write_file(place / "run.json", json.dumps(finished.run, indent=1) + "\n")
        for name, content in finished.files.items():
            write_file(place / Path(name).name, content)


def scored_facts(
    challenge: Challenge, row: Mapping[str, Any], finished: Any, data: Snapshot
) -> dict[str, Any]:
    """Return the scores of a submission, as the queue stores them."""
    rules = challenge.rules
    output = {item: one.value for item, one in finished.outputs.items()}
    reference = data.reference(rules.reference)
    return {"scores": score_one(data, reference, rules.recipe(), row["team"], output)}


class BoardSnapshot(Snapshot):
    """A study as a board sees it: its own systems are baselines, and beside them the teams'."""

    def __init__(self, data: Snapshot, places: Mapping[str, Path]) -> None:
        super().__init__(data.folder, data.task, data.seed, data.settings())
        self._places = places  # name on the board to the folder of results

    def baselines(self) -> dict[str, dict[str, Output[Any]]]:
        """Return the outputs of the study's own systems."""
        own = super().outputs()
        return {name: outputs for name, outputs in own.items() if name not in self._places}

    def outputs(self) -> dict[str, dict[str, Output[Any]]]:
        """Return outputs by name and item: baselines, then teams."""
        teams = {
            name: self._once(place / OUTPUTS, self._read_outputs)
            for name, place in self._places.items()
        }
        return {**self.baselines(), **teams}
