"""What can be passed as ``solver=``. The solvers live in :mod:`hedgerow.optimize.solvers`, one file each."""

from hedgerow.optimize.solvers import Exhaustive, Gurobi, Highs, RowGeneration, Scip, Solver

__all__ = ["Exhaustive", "Gurobi", "Highs", "RowGeneration", "Scip", "Solver"]
