"""The original SPICE, by the authors' Java program, and SPIDEr."""

import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from earmark.files.json_text import read_json
from earmark.score.counting import Prepared
from earmark.score.metric import Metric, mean
from earmark.task.options import changed, option
from earmark.tasks.captions.score.java.jars import (
    JARS_HELP,
    NEEDS,
    SPICE_JAR,
    JarOptions,
    find_jar,
    require_jar,
    run_java,
)
from earmark.tasks.captions.score.ngrams.cider import CiderOptions, cider
from earmark.tasks.captions.values import Captions, single_caption
from earmark.values.counts import Mean


@dataclass(frozen=True, slots=True, kw_only=True)
class SpiderOptions(CiderOptions):
    """How CIDEr compares lengths, and where SPICE's jar is."""

    jars: Path | None = option(None, JARS_HELP)


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


def spider(options: SpiderOptions = SpiderOptions(), **changes: Any) -> Metric:
    """Build the mean of CIDEr and of the original SPICE.

    Definition
    ----------
    Liu et al. 2017: (CIDEr-D + SPICE) / 2.

    Undefined
    ---------
    Without Java or without SPICE's jar, and with fewer than two items.
    """
    chosen = changed(options, changes)
    parts = cider(sigma=chosen.sigma), spice(jars=chosen.jars)

    def count_all(
        references: Mapping[str, Captions], outputs: Mapping[str, Captions]
    ) -> dict[str, Mean]:
        prepared = Prepared(references, outputs, tuple(references))
        one, two = (part.counts(prepared) for part in parts)
        return {item: Mean.of((mean(one[item]) + mean(two[item])) / 2) for item in references}

    return Metric(
        task="captions",
        name="spider",
        count=lambda reference, output: count_all({"item": reference}, {"item": output})["item"],
        count_all=count_all,
        rate=mean,
        options={"sigma": chosen.sigma},
        average="macro",
        separable=False,
        high=5.5,  # the mean of CIDEr's 10 and SPICE's 1
        undefined=NEEDS.format(jar=SPICE_JAR),
        check_installed=partial(require_jar, "spider", SPICE_JAR, chosen.jars),
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
