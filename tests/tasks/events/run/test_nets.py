"""The CRNN's net."""


def test_the_published_net_has_the_published_size() -> None:
    from earmark.tasks.events.run.nets import Crnn, CrnnShape

    net = Crnn(CrnnShape.of("paper", list("abcdef")))
    assert abs(sum(part.numel() for part in net.parameters()) - 366_822) < 4_000
