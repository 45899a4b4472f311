"use strict";

// The smallest changes that lead to another answer: what hedgerow.evidence.reasons finds, in the same way. The cells of
// a field are the values that no condition tells apart. Sets of cells are bits; the cheapest cell is the lowest bit.

const leastChanges = (() => {
  const MOST_STEPS = 5000;
  const FARTHER = 0.01;

  // A number with few digits, at most 1 % farther from the center than the nearest one.
  function easier(nearest, center, low, high) {
    if (nearest === 0 || nearest === center) return nearest;
    const up = nearest > center;
    const farthest = FARTHER * Math.abs(nearest - center);
    const exponent = Number(nearest.toExponential(6).split("e")[1]);
    for (let digits = 1; digits < 16; digits++) {
      const power = exponent - digits + 1;
      const scaled = power >= 0 ? nearest / Number(`1e${power}`) : nearest * Number(`1e${-power}`);
      if (!Number.isFinite(scaled)) continue;
      const whole = up ? Math.ceil(scaled) : Math.floor(scaled);
      const made = Number(`${BigInt(whole)}e${power}`);
      if (low <= made && made <= high && Math.abs(made - nearest) <= farthest) return made + 0;
    }
    return nearest;
  }

  // The numbers on either side of every threshold, the nearest first: { value, cost, measure }.
  function numbers(field, own, isMissing) {
    const lost = isMissing || !Number.isFinite(own);
    const center = lost ? (field.middle ?? 0) : own;
    const home = field.ends.filter((end) => end < center).length;
    const found = [];
    field.parts.forEach(([low, high], i) => {
      if (low > high) return;
      const nearest = Math.min(Math.max(center, low), high);
      const away = Math.abs(nearest - center);
      const cost = lost ? 1 : field.unit === null ? Math.abs(i - home) : away / field.unit;
      const value = field.is_whole ? nearest : easier(nearest, center, low, high);
      if (Number.isFinite(cost)) found.push({ value, cost, away });
    });
    found.sort((a, b) => a.away - b.away);
    return { found, measure: lost ? "any" : field.unit === null ? "thresholds" : "spreads" };
  }

  // The cells of a field, that of its entry first. `look(i, value)` returns the values of the features for an entry,
  // `holds` whether each condition holds for them; both as lists.
  function cellsOf(asked, own) {
    const { field, kind, options, look, holds, nLevels, mayChange } = asked;
    const here = look(own);
    const isMissing = here.some(Number.isNaN);
    let candidates = [];
    let measure = "any";
    if (mayChange && kind === "choice") candidates = options.map((value) => ({ value, cost: 1 }));
    else if (mayChange) ({ found: candidates, measure } = numbers(field, asked.number(own), isMissing));
    candidates.sort((a, b) => a.cost - b.cost);
    const isKnown = (values) => values.every((value, k) =>
      Number.isNaN(value) ? Number.isNaN(here[k]) : nLevels[k] === 0 || value < nLevels[k]);
    const cells = [{ value: own, cost: 0, held: holds(here) }];
    const known = new Set([cells[0].held.join()]);
    for (const { value, cost } of candidates) {
      const values = look(value);
      const held = holds(values);
      if (!isKnown(values) || known.has(held.join())) continue;
      known.add(held.join());
      cells.push({ value, cost, held });
    }
    return { cells, measure };
  }

  const lowest = (bits) => {
    let i = 0;
    while (!((bits >> BigInt(i)) & 1n)) i++;
    return i;
  };
  const compare = (a, b) => {
    for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
  };
  const before = (a, b) => a.cost - b.cost || a.changed - b.changed || compare(a.corner, b.corner) || compare(a.rest, b.rest);

  // `costs` has the cost of each cell by field, `rules` the cells that each rule allows by field, `wanted` positions of
  // rules (-1 is no rule). Returns the cheapest ways, each further one with fewer changes, and whether that is certain.
  function search(costs, rules, wanted) {
    const open = [];
    const known = new Set();
    const fired = (corner) => rules.findIndex((rule) => Object.entries(rule).every(([j, bits]) => (bits >> BigInt(corner[j])) & 1n));
    const add = (allowed, kept) => {
      const rest = allowed.map((bits, j) => (j in kept ? bits & kept[j] : bits));
      if (rest.some((bits) => bits === 0n) || known.has(rest.join())) return;
      known.add(rest.join());
      const corner = rest.map(lowest);
      const node = { cost: corner.reduce((sum, i, j) => sum + costs[j][i], 0), changed: corner.filter((i) => i > 0).length, corner, rest };
      let [low, high] = [0, open.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (before(open[middle], node) > 0) low = middle + 1;
        else high = middle;
      }
      open.splice(low, 0, node); // the cheapest comes last
    };
    const every = costs.map((one) => (1n << BigInt(one.length)) - 1n);
    [...wanted].sort((a, b) => a - b).forEach((rule) => add(every, rule < 0 ? {} : rules[rule]));
    const found = [];
    for (let step = 0; step < MOST_STEPS; step++) {
      let node = open.pop();
      while (node && found.length && node.changed >= found.at(-1).changed) node = open.pop();
      if (!node) return { found, isComplete: true };
      const rule = fired(node.corner);
      if (wanted.includes(rule)) {
        found.push({ ...node, rule });
        continue;
      }
      if (rule >= 0) for (const [j, bits] of Object.entries(rules[rule])) add(node.rest, { [j]: every[j] & ~bits });
    }
    return { found, isComplete: false };
  }

  return { cellsOf, search };
})();
