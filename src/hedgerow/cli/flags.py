"""Commands whose help shows flags without a type, and that know their options by name."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperGroup


class PlainCommand(TyperCommand):
    """A command with plain flags; it tells the session its options, so that errors can name them."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return all parameters, including those that typer adds."""
        return _plain(super().get_params(ctx))

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        ctx.obj.options = {parameter.name: parameter.opts[0] for parameter in self.params}
        return super().invoke(ctx)


class PlainGroup(TyperGroup):
    """A group of commands with plain flags."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return all parameters, including those that typer adds."""
        return _plain(super().get_params(ctx))


def _plain(parameters: list[Any]) -> list[Any]:
    for parameter in parameters:
        if getattr(parameter, "is_flag", False):
            parameter.metavar = ""
    return parameters
