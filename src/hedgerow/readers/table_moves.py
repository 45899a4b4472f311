"""What an encoder of tables does to each column, so that rules are about the columns of the table."""

from __future__ import annotations

from typing import Any

import numpy as np

from hedgerow.readers.inversions import Encode, Encoder, Move, TakePart
from hedgerow.tables.encoder import TableEncoder


def moves_of_table(step: Any) -> list[Move | None] | None:
    """Return a move per output of an encoder of tables; None if the step is not one."""
    return _moves(step) if type(step) is TableEncoder else None


def _moves(step: TableEncoder) -> list[Move | None]:
    texts, numbers, dates = (step.positions(kind) for kind in ("category", "number", "date"))
    moves: list[Move | None] = []
    if step.encoder_ is not None:
        encoder = Encoder(step.encoder_)
        places = np.repeat(np.arange(len(texts)), [len(known) for known in encoder.known])
        for target, place in enumerate(places):
            index = texts[place]
            moves.append(Encode(index, target, encoder, int(place), notation=step.uses_[index].notation))
    moves += [Move(index, notation=step.uses_[index].notation) for index in numbers]
    return [*moves, *(TakePart(index, part) for index in dates for part in step.date_parts(index))]
