"""How a partition problem is solved: one file per solver.

A solver is a frozen dataclass with ``solve(problem, time_limit) -> Solution``; see
:class:`~hedgerow.optimize.solvers.solver.Solver`. To add one, write it in a new file and name it here.
"""

from hedgerow.optimize.solvers.exhaustive import Exhaustive
from hedgerow.optimize.solvers.gurobi import Gurobi
from hedgerow.optimize.solvers.highs import Highs
from hedgerow.optimize.solvers.row_generation import RowGeneration
from hedgerow.optimize.solvers.scip import Scip
from hedgerow.optimize.solvers.solver import Solver

__all__ = ["Exhaustive", "Gurobi", "Highs", "RowGeneration", "Scip", "Solver"]
