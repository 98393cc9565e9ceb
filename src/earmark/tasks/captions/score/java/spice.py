"""The original SPICE, by the authors' Java program."""

import json
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from earmark.files.json_text import read_json
from earmark.score.metric import Metric, mean
from earmark.task.options import changed
from earmark.tasks.captions.score.java.jars import (
    NEEDS,
    SPICE_JAR,
    JarOptions,
    find_jar,
    require_jar,
    run_java,
)
from earmark.tasks.captions.values import Captions, single_caption
from earmark.values.counts import Mean


def spice(options: JarOptions = JarOptions(), **changes: Any) -> Metric:
    """Build the original SPICE, by the authors' own program.

    Definition
    ----------
    Anderson et al. 2016: F of tuples of scene graphs, synonyms by WordNet.

    Undefined
    ---------
    Without Java or without the jar, which Earmark does not ship.
    """
    jars = changed(options, changes).jars

    def count_all(
        references: Mapping[str, Captions], outputs: Mapping[str, Captions]
    ) -> dict[str, Mean]:
        jar = find_jar(SPICE_JAR, jars)
        if jar is None:
            return dict.fromkeys(references, Mean.of(float("nan")))
        return _spice_scores(jar, references, outputs)

    return Metric(
        task="captions",
        name="spice",
        count=lambda reference, output: count_all({"item": reference}, {"item": output})["item"],
        count_all=count_all,
        rate=mean,
        average="macro",
        undefined=NEEDS.format(jar=SPICE_JAR),
        check_installed=partial(require_jar, "spice", SPICE_JAR, jars),
    )


def _spice_scores(
    jar: Path, references: Mapping[str, Captions], outputs: Mapping[str, Captions]
) -> dict[str, Mean]:
    requests = [
        {
            "image_id": item,
            "test": single_caption(outputs[item], item),
            "refs": list(references[item].texts),
        }
        for item in references
    ]
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "in.json", Path(folder) / "out.json"
        source.write_text(json.dumps(requests), encoding="utf-8")
        run_java(
            ["-Xmx4G", "-jar", jar.name, str(source), "-out", str(target), "-silent"],
            folder=jar.parent,
        )
        rows = read_json(target)
    return {str(row["image_id"]): Mean.of(float(row["scores"]["All"]["f"])) for row in rows}
