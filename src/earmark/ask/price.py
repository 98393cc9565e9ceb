"""Minutes and money, before anybody is asked."""

from dataclasses import dataclass

from earmark.values.errors import InputError


@dataclass(frozen=True, slots=True)
class Price:
    """The cost of a round of questions: `hours` of people's time, pay and the market's fee."""

    opinions: int
    hours: float
    pay: float
    fee: float

    @property
    def total(self) -> float:
        """Pay and fee together."""
        return round(self.pay + self.fee, 2)

    @property
    def hourly(self) -> float:
        """What a person earns in an hour of this work."""
        return round(self.pay / self.hours, 2) if self.hours else 0.0


def price(units: int, *, people: int, seconds: float, pay: float = 0.10, fee: float = 0.2) -> Price:
    """Return the price of `people` opinions on every unit.

    `pay` is for one answer, `fee` the share that a crowd market adds to it. The defaults are
    the pay of Martin-Morato et al. 2021, whose study the example repeats, and Mechanical Turk's
    fee of 20 %.

    Examples
    --------
    >>> cost = price(3420, people=5, seconds=20.0)
    >>> cost.opinions, cost.hours, cost.pay, cost.total
    (17100, 95.0, 1710.0, 2052.0)
    """
    if min(units, people) < 1 or min(seconds, pay, fee) < 0:
        raise InputError(
            "a price needs questions, people, and no negative amounts",
            got=f"{units} units, {people} people, {seconds} s, pay {pay}, fee {fee}",
        )
    opinions = units * people
    paid = round(opinions * pay, 2)
    return Price(opinions, round(opinions * seconds / 3600, 2), paid, round(paid * fee, 2))
