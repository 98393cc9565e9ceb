from tests.tasks.context.making import corrupted

from earmark.tasks.context.make.rebuilt import RebuiltOptions, make_rebuilt


def test_the_change_log_alone_rebuilds_the_text_byte_for_byte(talks, tmp_path):
    from earmark.files import jsonl
    from earmark.tasks.context.files import change_line

    made = list(corrupted(text=talks, seed=6))
    log = tmp_path / "changes.jsonl"
    log.write_text(
        "".join(jsonl.dump(change_line(m.item.id, m.truth)) + "\n" for m in made), encoding="utf-8"
    )
    assert "The stairs" not in log.read_text(encoding="utf-8")
    again = list(make_rebuilt(options=RebuiltOptions(text=talks, changes=log)))
    assert [(m.item.id, m.item.text) for m in again] == [(m.item.id, m.item.text) for m in made]
    assert [m.item.details["offsets"] for m in again] == [m.item.details["offsets"] for m in made]
