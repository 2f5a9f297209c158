"""The model of a cell, by its name in the suite → something that can be talked to; each is opened once."""

from collections.abc import Mapping
from typing import Final

from toolbooth.errors import NoSuchModel
from toolbooth.suite.agents.lexical import Lexical
from toolbooth.suite.agents.model_name import read_model_name
from toolbooth.suite.agents.providers.settings import ProviderSettings
from toolbooth.suite.agents.scripted import Scripted
from toolbooth.suite.agents.talk import Model
from toolbooth.suite.spec.suite import TestCase

_PASSED_ON: Final = ("base_url", "api_key_env", "temperature", "max_tokens", "retries", "price")


class Models:
    """Every model of a run; an unknown one or a missing key is an error before anything runs."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._open: dict[tuple[object, ...], Model] = {}

    def open(self, name: str, test: TestCase) -> Model:
        """Raises NoSuchModel, NoKey or another ProviderFault."""
        key = (name, test.script if name == "scripted" else settings_of(test))
        if key not in self._open:
            self._open[key] = self._new(name, test)
        return self._open[key]

    def _new(self, name: str, test: TestCase) -> Model:
        settings = settings_of(test)
        read = read_model_name(name, settings.base_url)
        if read.provider == "scripted":
            return Scripted(test.script)
        if read.provider == "lexical":
            return Lexical()
        if read.key_free:
            raise NoSuchModel(
                f"{test.name}: the model replay only scores recordings; name a model to run it live"
            )
        from toolbooth.suite.agents.provider import open_provider

        return open_provider(read, settings, self._environ)

    async def close(self) -> None:
        """All connections."""
        for model in self._open.values():
            await model.close()


def settings_of(test: TestCase) -> ProviderSettings:
    """What the test says, and the defaults for the rest."""
    said = {key: getattr(test.agent, key) for key in _PASSED_ON}
    return ProviderSettings(**{key: value for key, value in said.items() if value not in (None, "")})
