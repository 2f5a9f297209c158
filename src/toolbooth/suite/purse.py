"""A budget in dollars × what a model call could cost → leave to make it, or a refusal before it is made."""

from toolbooth.errors import Refused


class Purse:
    """Of one test; `above` is the suite's. What is on its way counts as spent until it is settled."""

    def __init__(self, dollars: float | None = None, whose: str = "", above: "Purse | None" = None) -> None:
        self._dollars, self._whose, self._above = dollars, whose, above
        self.spent = 0.0

    @property
    def limited(self) -> bool:
        """Whether anything has to be asked at all."""
        return self._dollars is not None or (self._above is not None and self._above.limited)

    def reserve(self, dollars: float) -> None:
        """Raises Refused where it could pass the budget; nothing is reserved then."""
        if self._dollars is not None and self.spent + dollars > self._dollars:
            raise Refused(
                f"the next model call could cost ${dollars:.4f}, and ${self.spent:.4f} of the budget of "
                f"${self._dollars:g} for {self._whose} are spent or on their way; raise `budget`, or lower "
                "`max_tokens` or `runs`"
            )
        if self._above is not None:
            self._above.reserve(dollars)
        self.spent += dollars

    def settle(self, reserved: float, cost: float) -> None:
        """What it came to in the end."""
        self.spent += cost - reserved
        if self._above is not None:
            self._above.settle(reserved, cost)
