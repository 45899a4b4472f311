"""The quadratic program of NodeHarvest, solved by Clarabel.

Few of the samples' sum constraints are independent. The others follow from them, because the root alone, with weight
1, satisfies all. Samples in exactly the same nodes are merged.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.linalg import qr

from hedgerow._support.arrays import FloatArray
from hedgerow.exceptions import SolverError

#: Added to the quadratic form, as in the authors' code: among equal solutions, prefer the one that spreads the weight.
_RIDGE = 1e-5
_TOLERANCE = 1e-10
_RANK_TOLERANCE = 1e-9
#: The number of rows reduced to independent ones at a time.
_BATCH = 3000


def node_weights(member: FloatArray, means: FloatArray, y: FloatArray, weight: FloatArray) -> FloatArray:
    """Return the weights of the nodes.

    Parameters
    ----------
    member : array of shape (n_samples, n_nodes)
        1 where a sample is in a node. The first node is the root, which contains all samples.
    means : array of shape (n_nodes,)
        The mean target in each node.
    y, weight : arrays of shape (n_samples,)

    Returns
    -------
    array of shape (n_nodes,)
        At least 0; those of the nodes that contain a sample add up to 1.
    """
    root_alone = np.zeros(member.shape[1])
    root_alone[0] = 1.0
    center = float(np.average(y, weights=weight))
    spread = float(np.sqrt(np.average((y - center) ** 2, weights=weight)))
    if spread == 0 or member.shape[1] == 1:
        return root_alone
    weight = weight * (len(weight) / weight.sum())  # so that the ridge and the tolerances do not depend on their scale
    # Packed into bits, because rows of floats are slow to compare.
    bits = np.packbits(member != 0, axis=1)
    _, first, group = np.unique(bits, axis=0, return_index=True, return_inverse=True)
    groups = member[first]
    group_weight = np.bincount(group.ravel(), weight)
    group_mean = np.bincount(group.ravel(), weight * (y - center) / spread) / group_weight
    predicted = groups * ((means - center) / spread)
    quadratic = predicted.T @ (predicted * group_weight[:, None])
    quadratic[np.diag_indices_from(quadratic)] += _RIDGE
    linear = -predicted.T @ (group_weight * group_mean)
    return _solve(quadratic, linear, _independent(groups))


def _independent(rows: FloatArray) -> FloatArray:
    """Return a largest set of linearly independent rows.

    A few thousand at a time: rows that depend on those found so far need not be examined again.
    """
    found, rest = rows[:0], np.random.default_rng(0).permutation(rows)
    while len(rest):
        candidates, rest = np.vstack([found, rest[:_BATCH]]), rest[_BATCH:]
        triangle, order = qr(candidates.T, mode="r", pivoting=True)[:2]
        size = np.abs(np.diag(triangle))
        rank = int(np.count_nonzero(size > _RANK_TOLERANCE * size[0]))
        found = candidates[np.sort(order[:rank])]
        if len(rest):
            basis = qr(found.T, mode="economic")[0]
            rest = rest[np.linalg.norm(rest - (rest @ basis) @ basis.T, axis=1) > _RANK_TOLERANCE * size[0]]
    return found


def _solve(quadratic: FloatArray, linear: FloatArray, rows: FloatArray) -> FloatArray:
    """Minimise ½ w'Pw + q'w with w >= 0 and rows w = 1."""
    try:
        import clarabel
    except ImportError:
        raise ImportError("NodeHarvest needs Clarabel. Install it with: pip install 'hedgerow[baselines]'.") from None
    n_rows, n_nodes = rows.shape
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_threads = 1
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = _TOLERANCE
    solver = clarabel.DefaultSolver(
        sparse.csc_matrix(np.triu(quadratic)),
        linear,
        sparse.vstack([sparse.csc_matrix(rows), -sparse.identity(n_nodes)], format="csc"),
        np.concatenate([np.ones(n_rows), np.zeros(n_nodes)]),
        [clarabel.ZeroConeT(n_rows), clarabel.NonnegativeConeT(n_nodes)],
        settings,
    )
    solution = solver.solve()
    if solution.status not in (clarabel.SolverStatus.Solved, clarabel.SolverStatus.AlmostSolved):
        raise SolverError(f"Clarabel stopped with status {solution.status}. Fewer nodes (max_nodes) may help.")
    return np.maximum(np.asarray(solution.x), 0.0)
