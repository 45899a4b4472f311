"""The command that says whether hedgerow works here: versions, optional parts, and a self-test.

It needs nothing but the package itself, not even what the command line needs, and its text has neither colours nor
tables: it can be read in any terminal, and sent to somebody else.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from hedgerow import __version__
from hedgerow.cli.exit_codes import DONE, FAILED
from hedgerow.cli.parts import Package, Part, find_parts
from hedgerow.cli.self_test import Step, self_test

#: The most and the least characters of a line.
_WIDEST, _NARROWEST = 88, 30
_HANGING = " " * 4


@dataclass(frozen=True)
class Diagnosis:
    """What was found.

    Attributes
    ----------
    needed : tuple of Package
    parts : tuple of Part
    steps : tuple of Step
    """

    needed: tuple[Package, ...]
    parts: tuple[Part, ...]
    steps: tuple[Step, ...]

    @property
    def broken(self) -> list[str]:
        """What does not work; an optional part that is missing, or older than wanted, is not broken."""
        packages = [str(package) for package in self.needed if package.state != "ok"]
        parts = [f"the part {part.extra}" for part in self.parts if part.state == "broken"]
        return packages + parts + [f"the step {step.name} of the self-test" for step in self.steps if not step.passed]


def diagnose(as_json: bool = False, imports: bool = False) -> int:
    """Print what works here and return the exit code: 1 if something is broken."""
    needed, parts = find_parts(tried=imports)
    found = Diagnosis(needed, parts, tuple(self_test()))
    width = min(_WIDEST, max(_NARROWEST, shutil.get_terminal_size().columns))
    shown = json.dumps(_record(found), indent=2) if as_json else "\n".join(_lines(found, width))
    sys.stdout.write(shown + "\n")
    return FAILED if found.broken else DONE


def _machine() -> dict[str, Any]:
    return {
        "hedgerow": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(terse=True),
        "processors": os.cpu_count(),
    }


def _lines(found: Diagnosis, width: int) -> Iterator[str]:
    """Yield the lines of the report, no longer than the width but for commands, which are there to be copied."""
    machine = _machine()
    said = "hedgerow {hedgerow}, Python {python}, {platform}, {processors} processors".format(**machine)
    yield from textwrap.wrap(said, width)
    yield from ("", "needed")
    for package in found.needed or ():
        yield from _entry(package.state, str(package), width)
    if not found.needed:
        yield from _entry("unknown", "hedgerow runs from its source; the versions it needs are not known", width)
    yield from ("", "optional")
    for part in found.parts:
        yield from _entry(part.state, f"{part.extra}: {part.purpose} ({', '.join(map(str, part.packages))})", width)
        if part.state != "ok":
            yield f"{_HANGING}{part.install}"
    yield from ("", "self-test")
    for step in found.steps:
        said = f"{step.name}: {step.found} ({step.seconds:.2f} s)"
        yield from _entry("ok" if step.passed else "broken", said, width)
    yield ""
    verdict = f"broken: {'; '.join(found.broken)}" if found.broken else "hedgerow works here"
    yield from textwrap.wrap(verdict, width, subsequent_indent=_HANGING)


def _entry(state: str, text: str, width: int) -> list[str]:
    return textwrap.wrap(f"  {state}: {text}", width, subsequent_indent=_HANGING, break_on_hyphens=False)


def _record(found: Diagnosis) -> dict[str, Any]:
    return {
        **_machine(),
        "needed": [_package_record(package) for package in found.needed],
        "optional": [
            {
                "extra": part.extra,
                "purpose": part.purpose,
                "state": part.state,
                "install": part.install,
                "packages": [_package_record(package) for package in part.packages],
            }
            for part in found.parts
        ],
        "self_test": [asdict(step) for step in found.steps],
        "broken": found.broken,
    }


def _package_record(package: Package) -> dict[str, Any]:
    return {**asdict(package), "state": package.state}
