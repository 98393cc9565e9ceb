"""What asking costs."""

import pytest

from earmark.ask.price import Price, price
from earmark.values.errors import InputError


def test_a_price_worked_by_hand() -> None:
    """20 opinions of 36 s are 0.2 h; at 0.50 each they pay 10, which is 50 an hour."""
    cost = price(10, people=2, seconds=36, pay=0.5, fee=0.1)
    assert (cost.hours, cost.pay, cost.fee, cost.total, cost.hourly) == (0.2, 10.0, 1.0, 11.0, 50.0)


def test_no_time_is_no_hourly_pay() -> None:
    assert Price(0, 0.0, 0.0, 0.0).hourly == 0.0


@pytest.mark.parametrize("wrong", [{"people": 0}, {"seconds": -1.0}, {"pay": -0.1}, {"fee": -0.2}])
def test_a_price_of_nothing_or_less_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError, match="a price needs questions, people"):
        price(3, **{"people": 1, "seconds": 1.0, **wrong})  # type: ignore[arg-type]
