(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const form = data.form;
  const samples = data.samples;

  // JSON has no infinity and no NaN, so these come as strings.

  const SPECIAL = { inf: Infinity, "-inf": -Infinity, nan: NaN };
  const number = (value) => (typeof value === "string" ? SPECIAL[value] : value);
  const round = form.precision === "float32" ? Math.fround : (value) => value;

  // Sums in the order in which the list itself adds, because the order determines the last digits.

  function sumInTurn(values) {
    let total = 0;
    for (const value of values) total += value;
    return total;
  }

  function sumPairwise(values, start, n) {
    if (n < 8) return sumInTurn(values.slice(start, start + n));
    if (n > 128) {
      const half = (n >> 1) - ((n >> 1) % 8);
      return sumPairwise(values, start, half) + sumPairwise(values, start + half, n - half);
    }
    const r = values.slice(start, start + 8);
    let i = 8;
    for (; i < n - (n % 8); i += 8) for (let j = 0; j < 8; j++) r[j] += values[start + i + j];
    let total = r[0] + r[1] + (r[2] + r[3]) + (r[4] + r[5] + (r[6] + r[7]));
    for (; i < n; i++) total += values[start + i];
    return total;
  }

  function statistic(part, kind, order) {
    const n = part.length;
    const mean = (values) => (order === "sequential" ? sumInTurn(values) : sumPairwise(values, 0, n)) / n;
    const middle = mean(part);
    if (kind === "mean") return middle;
    if (kind === "slope") {
      if (n === 1) return 0;
      const steps = part.map((_, i) => i + 1);
      const center = (n + 1) / 2;
      const squares = sumInTurn(steps.map((step) => step * step)) / n;
      return (mean(part.map((value, i) => value * steps[i])) - center * middle) / (squares - center * center);
    }
    const variance = mean(part.map((value) => (value - middle) * (value - middle)));
    return kind === "std" ? Math.sqrt(variance) : variance;
  }

  // The sum of each window: what leaves is subtracted, what enters is added.
  function running(values, length) {
    let total = sumInTurn(values.slice(0, length));
    const sums = [total];
    for (let i = length; i < values.length; i++) {
      total -= values[i - length];
      total += values[i];
      sums.push(total);
    }
    return sums;
  }

  function distance(series, shapelet, isScaled) {
    const n = shapelet.length;
    const sums = isScaled ? running(series, n) : [];
    const squares = isScaled ? running(series.map((value) => value * value), n) : [];
    let least = Infinity;
    for (let begin = 0; begin + n <= series.length; begin++) {
      let middle = 0;
      let spread = 1;
      if (isScaled) {
        middle = sums[begin] / n;
        const variance = squares[begin] / n - middle * middle;
        spread = Math.sqrt(variance > 0 ? variance : 1);
      }
      let total = 0;
      for (let i = 0; i < n; i++) {
        const apart = isScaled ? shapelet[i] - (series[begin + i] - middle) / spread : series[begin + i] - shapelet[i];
        total += apart * apart;
      }
      if (total < least) least = total;
    }
    return Math.sqrt(least);
  }

  // A feature's value as the rules compare it; NaN if it is missing.

  function valueOf(feature, filled) {
    if (feature.kind === "choice") return number(feature.codes[filled]);
    if (feature.kind === "shapelet") return round(distance(filled, feature.shapelet, feature.is_scaled));
    if (feature.kind === "interval") {
      return round(statistic(filled.slice(feature.start, feature.end), feature.statistic, feature.order));
    }
    let value = filled === null ? NaN : filled;
    if (feature.fill !== null && Number.isNaN(value)) value = number(feature.fill);
    if (feature.lowest !== null && value >= number(feature.lowest) && value <= number(feature.highest)) return NaN;
    if (feature.blank !== null && Math.fround(value) === Math.fround(number(feature.blank))) return NaN;
    return round(value);
  }

  function holds(condition, value) {
    if (Number.isNaN(value)) return condition.missing;
    if (condition.codes !== null) return condition.codes.includes(value);
    const isAbove = condition.lower === null || value > number(condition.lower);
    return isAbove && (condition.upper === null || value <= number(condition.upper));
  }

  // What is entered. A problem is a string; null is a missing value.

  const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
  const DECIMAL_COMMA = /^[+-]?(\d+,\d*|,\d+)(e[+-]?\d+)?$/i;
  // Groups of three digits that can only be groups: 1,234.5 and 1,234,567, the same with the marks exchanged, 1 234,5.
  const GROUPED = [/^[+-]?\d{1,3}((,\d{3})+\.\d*|(,\d{3}){2,})$/, /^[+-]?\d{1,3}((\.\d{3})+,\d*|(\.\d{3}){2,})$/, /^[+-]?\d{1,3}([ \u00a0\u202f]\d{3})+([.,]\d*)?$/];

  function plain(text) {
    if (DECIMAL_COMMA.test(text) || GROUPED[2].test(text)) return text.replace(/[ \u00a0\u202f]/g, "").replace(",", ".");
    if (GROUPED[0].test(text)) return text.replaceAll(",", "");
    return GROUPED[1].test(text) ? text.replaceAll(".", "").replace(",", ".") : text;
  }

  function typedNumber(text) {
    const word = text.trim().toLowerCase().replace(/^([+-]?)inf(inity)?$/, "$1inf").replace(/^\+inf$/, "inf");
    if (Object.hasOwn(SPECIAL, word)) return SPECIAL[word];
    const digits = plain(word);
    return NUMBER.test(digits) ? Number(digits) : undefined;
  }

  // A number as it is written in the column's file: digits in groups of three or in none, the decimal mark, more digits.
  function writtenNumber(notation, text) {
    const bare = notation.affixes.reduce((rest, affix) => (affix === "" ? rest : rest.replaceAll(affix, "")), text).trim();
    const [thousands, decimal] = [notation.thousands, notation.decimal].map((mark) => mark.replace(/[^\w\s]/g, "\\$&"));
    const whole = thousands === "" ? "\\d+" : `(\\d+|\\d{1,3}(${thousands}\\d{3})+)`;
    const shape = new RegExp(`^[+-]?(${whole}(${decimal}\\d*)?|${decimal}\\d+)(e[+-]?\\d+)?$`, "i");
    if (!shape.test(bare)) return undefined;
    const digits = notation.thousands === "" ? bare : bare.replaceAll(notation.thousands, "");
    return Number(digits.replace(notation.decimal, "."));
  }

  // A number as text that the field reads as this number.
  function writeNumber(field, value) {
    const digits = String(value);
    if (field.notation === null || writtenNumber(field.notation, digits) === value) return digits;
    return digits.replace(".", field.notation.decimal);
  }

  const WAY_OUT = "Write it with a point or a comma, such as 12.5 or 12,5, without a unit.";

  function wayOut(notation) {
    if (notation === null || (notation.decimal === "." && notation.thousands === "")) return WAY_OUT;
    return `Write it as the data do, such as 1${notation.thousands}234${notation.decimal}5.`;
  }

  function readNumber(field, text) {
    const typed = text.trim();
    if (typed === "" || typed.toLowerCase() === "nan") {
      return field.takes_missing ? { value: null } : { problem: `Enter a number for ${field.label}.` };
    }
    const written = field.notation === null ? undefined : writtenNumber(field.notation, typed);
    if (written !== undefined && field.notation.missing.includes(written)) {
      const said = `${typed} stands for a missing value`;
      return field.takes_missing ? { value: null, hint: said } : { problem: `${field.label}: ${said}. Enter a number.` };
    }
    const value = written ?? typedNumber(typed);
    if (value === undefined) return { problem: `${field.label}: “${typed}” is not a number. ${wayOut(field.notation)}` };
    if (!form.allows_infinity && !Number.isFinite(round(value))) {
      return { problem: `${field.label}: ${typed} is too large.` };
    }
    const isPlain = plain(typed) === typed && (written === undefined || Number(typed) === value);
    const isForeign = field.notation !== null && written === undefined && Number.isFinite(value);
    return isPlain && !isForeign ? { value } : { value, hint: `read as ${value}` };
  }

  function readSeries(field, text) {
    if (text.trim() === "") return { problem: `Enter ${field.length} numbers for ${field.label}.` };
    const split = (mark) => text.split(mark).filter((word) => word !== "");
    const [words, withCommas] = [split(/[\s,;]+/), split(/[\s;]+/)];
    // A comma separates numbers, unless only decimal commas give the number of values that is needed.
    const hasDecimalCommas = words.length !== field.length && withCommas.length === field.length;
    const chosen = hasDecimalCommas ? withCommas : words;
    const values = chosen.map(typedNumber);
    const wrong = values.findIndex((value) => value === undefined || !Number.isFinite(value));
    if (wrong >= 0) return { problem: `${field.label}: “${chosen[wrong]}” is not a number. ${WAY_OUT}` };
    if (values.length !== field.length) {
      return { problem: `${field.label}: expected ${field.length} numbers, got ${values.length}.` };
    }
    return hasDecimalCommas ? { value: values, hint: `commas are read as decimal marks: ${values[0]}, …` } : { value: values };
  }

  function read(field, input) {
    if (field.kind === "choice") return { value: input.selectedIndex };
    return field.kind === "series" ? readSeries(field, input.value) : readNumber(field, input.value);
  }

  // Small helpers for the page. Strings are always inserted as text, never as HTML.

  function make(tag, className, ...children) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.append(...children);
    return element;
  }

  // How a condition and a value are written side by side: with as many digits as it takes for the written condition to
  // be true of the written value.

  function isTold(text, condition, value, written) {
    const isAbove = condition.lower === null || value > number(condition.lower);
    const isBelow = condition.upper === null || value <= number(condition.upper);
    const [lower, upper] = [number(text.lower), number(text.upper)];
    const readsAbove = text.least ? written >= lower : written > lower;
    const readsBelow = text.excluded ? written < upper : written <= upper;
    return isAbove === readsAbove && isBelow === readsBelow;
  }

  function wording(condition, value) {
    return condition.texts.find((text) => isTold(text, condition, value, value)) ?? condition.texts.at(-1);
  }

  function shown(value, text, condition) {
    if (!Number.isFinite(value)) return String(value);
    for (let digits = 6; digits < 17; digits++) {
      const rounded = Number(value.toPrecision(digits));
      if (isTold(text, condition, value, rounded)) return String(rounded);
    }
    return String(value);
  }

  // The form

  const inputs = form.fields.map((_, i) => document.getElementById(`field-${i}`));
  const verdict = document.getElementById("verdict");
  const chooser = document.getElementById("sample");

  function fill(k) {
    form.fields.forEach((field, i) => {
      const value = samples.values[i][k];
      if (field.kind === "choice") inputs[i].selectedIndex = value;
      else if (field.kind === "series") inputs[i].value = value.map(String).join(", ");
      else inputs[i].value = value === null ? "" : writeNumber(field, number(value));
    });
  }

  function conditionItem(condition, values) {
    const value = values[condition.feature];
    const isMissing = Number.isNaN(value);
    const passes = holds(condition, value);
    const item = make("li", passes ? "holds" : "fails");
    item.dataset.value = String(value);
    item.append(make("span", "mark", passes ? "✓" : "✗"), make("span", "hidden-text", passes ? "holds: " : "fails: "));
    const text = wording(condition, value);
    item.append(make("span", "text", isMissing ? condition.text_if_missing : text.text));
    const feature = form.features[condition.feature];
    if (isMissing) item.append(make("span", "value", " missing"));
    else if (feature.kind !== "choice") item.append(make("span", "value", ` ${shown(value, text, condition)}`));
    else item.append(make("span", "value", ` ${form.fields[feature.field].options[inputs[feature.field].selectedIndex]}`));
    return item;
  }

  function conditionList(rule, values) {
    return make("ul", "conditions", ...rule.map((condition) => conditionItem(condition, values)));
  }

  function headline(first) {
    const prediction = make("strong", "", data.predictions.at(first));
    if (first >= 0) return make("p", "headline", `Rule ${first + 1} predicts `, prediction, ".");
    if (data.asks_ensemble) return make("p", "headline", "No rule matches, so the ensemble makes the prediction.");
    return make("p", "headline", "No rule matches, so the default applies: ", prediction, ".");
  }

  function otherRules(first, matches, values) {
    const list = make("ol", "others");
    form.rules.forEach((rule, i) => {
      if (i === first) return;
      const item = make("li", matches[i] ? "also" : "");
      item.value = i + 1;
      if (matches[i]) {
        item.append(make("p", "", `Rule ${i + 1} matches as well, but rule ${first + 1} comes first.`));
      } else {
        const failing = rule.filter((condition) => !holds(condition, values[condition.feature]));
        item.append(make("p", "", `Rule ${i + 1} (${data.predictions[i]}) does not match:`), conditionList(failing, values));
      }
      list.append(item);
    });
    return list;
  }

  // The nearest sample: numbers are compared by their distance relative to the usual spread, choices by equality.

  function apart(i, a, b) {
    const field = form.fields[i];
    if (field.kind === "choice") return a === b ? 0 : 1;
    if (a === null || b === null) return a === b ? 0 : 1;
    const numbers = field.kind === "series" ? a.map((value, k) => value - b[k]) : [number(a) === number(b) ? 0 : number(a) - number(b)];
    return Math.hypot(...numbers) / samples.spread[i];
  }

  function nearest(filled) {
    let best = { k: -1, distance: Infinity };
    samples.row.forEach((_, k) => {
      const distance = Math.hypot(...filled.map((value, i) => apart(i, value, samples.values[i][k])));
      if (distance < best.distance || best.k < 0) best = { k, distance };
    });
    return best;
  }

  function comparison(filled) {
    const { k, distance } = nearest(filled);
    const where = `${samples.of} row ${samples.row[k]}`;
    const box = make("div", "nearest");
    box.dataset.row = samples.row[k];
    box.append(make("h3", "", distance === 0 ? `Equal to ${where}` : `Most similar stored row: ${where}`));
    const facts = make("dl", "facts");
    const fact = (name, text) => facts.append(make("div", "", make("dt", "", name), make("dd", "", text)));
    if (samples.ensemble.length) fact(data.whole, samples.ensemble[k]);
    const rule = samples.rule[k];
    fact("rule list", rule >= 0 ? `rule ${rule + 1}: ${data.predictions[rule]}` : "no rule");
    if (samples.truth.length) fact("true value", samples.truth[k]);
    box.append(facts);
    const columns = form.fields.length === 1 ? "the value in this form" : `the ${form.fields.length} values in this form`;
    if (distance > 0) {
      box.append(make("p", "note", `Of ${samples.row.length} stored rows, by ${columns}; other columns are not compared.`));
    }
    return box;
  }

  // The smallest changes to another answer

  const possible = data.changes;
  const mayChange = form.fields.map((_, i) => document.getElementById(`may-${i}`));

  function cellsOfField(i, filled) {
    const features = form.features.filter((feature) => feature.field === i);
    const places = features.map((feature) => form.features.indexOf(feature));
    const conditions = form.rules.flat().filter((condition) => places.includes(condition.feature));
    const fill = features.find((feature) => feature.fill !== null)?.fill;
    const { cells, measure } = leastChanges.cellsOf({
      field: possible.fields[i],
      kind: form.fields[i].kind,
      options: form.fields[i].options.map((_, k) => k),
      nLevels: places.map((k) => possible.n_levels[k]),
      mayChange: mayChange[i].checked,
      look: (value) => features.map((feature) => valueOf(feature, value)),
      holds: (values) => conditions.map((one) => holds(one, values[places.indexOf(one.feature)])),
      number: (own) => own ?? number(fill ?? "nan"),
    }, filled);
    const passing = new Map(conditions.map((one, c) => [one, cells.reduce((bits, cell, k) => (cell.held[c] ? bits | (1n << BigInt(k)) : bits), 0n)]));
    return { cells, measure, passing };
  }

  function wantedAnswers(first) {
    const isSaid = (_, i) => i < form.rules.length || !data.asks_ensemble;
    const given = possible.answers.map((answer, i) => ({ answer, rule: i < form.rules.length ? i : -1 })).filter(isSaid);
    const now = possible.answers.at(first);
    const rules = (test) => given.filter((one) => test(number(one.answer))).map((one) => one.rule);
    const ways = possible.labels.length
      ? possible.labels.map((name, k) => ({ name, wanted: k === now ? [] : rules((answer) => answer === k) }))
      : [["a higher number", (answer) => answer > number(now)], ["a lower number", (answer) => answer < number(now)]]
        .map(([name, test]) => ({ name, wanted: rules(test) }));
    return ways.filter((one) => one.wanted.length);
  }

  function findChanges(first, filled) {
    const fields = filled.map((value, i) => cellsOfField(i, value));
    const rules = form.rules.map((rule) => {
      const allowed = {};
      for (const condition of rule) {
        const { field } = form.features[condition.feature];
        const bits = fields[field].passing.get(condition);
        allowed[field] = field in allowed ? allowed[field] & bits : bits;
      }
      return allowed;
    });
    const costs = fields.map((field) => field.cells.map((cell) => cell.cost));
    return wantedAnswers(first).map(({ name, wanted }) => {
      const { found, isComplete } = leastChanges.search(costs, rules, wanted);
      const ways = found.map(({ corner, rule, cost }) => ({
        rule,
        cost,
        parts: corner.flatMap((cell, i) => (cell ? [{ i, ...fields[i].cells[cell], measure: fields[i].measure }] : [])),
      }));
      return { name, ways, isComplete };
    });
  }

  function entryText(i, value) {
    const field = form.fields[i];
    if (field.kind === "choice") return field.options[value];
    return value === null ? "missing" : writeNumber(field, value);
  }

  function howFar(part, own) {
    if (part.measure === "any") return "";
    if (part.measure === "thresholds") return ` (across ${part.cost} threshold${part.cost === 1 ? "" : "s"})`;
    return part.cost < 0.01 ? " (<0.01 spreads)" : ` (${part.value > own ? "+" : "−"}${part.cost.toFixed(2)} spreads)`;
  }

  function tryOut(parts) {
    touched = true;
    if (chooser) chooser.value = "";
    for (const { i, value } of parts) {
      if (form.fields[i].kind === "choice") inputs[i].selectedIndex = value;
      else inputs[i].value = writeNumber(form.fields[i], value);
    }
    update();
    inputs[parts[0].i].focus();
  }

  function changeItem(way, filled) {
    const item = make("li", "");
    way.parts.forEach((part, k) => {
      const [own, text] = [filled[part.i], entryText(part.i, part.value)];
      item.append(k ? " and " : "", make("span", "", form.fields[part.i].label), ` ${entryText(part.i, own)} → `);
      item.append(make("strong", "", text), make("span", "value", howFar(part, own)));
    });
    const then = way.rule < 0 ? "no rule matches" : `rule ${way.rule + 1}: ${data.predictions[way.rule]}`;
    const button = make("button", "small", "Try");
    button.type = "button";
    button.setAttribute("aria-label", `Try ${way.parts.map((part) => `${form.fields[part.i].label} ${entryText(part.i, part.value)}`).join(" and ")}`);
    button.addEventListener("click", () => tryOut(way.parts));
    item.append("; then ", then, ". ", button);
    item.dataset.rule = String(way.rule);
    item.dataset.cost = String(way.cost);
    item.dataset.values = JSON.stringify(way.parts.map((part) => [part.i, part.value]));
    return item;
  }

  function answerList(answers, filled) {
    const list = make("dl", "");
    for (const { name, ways, isComplete } of answers) {
      const told = make("dd", "", ways.length ? make("ul", "ways", ...ways.map((way) => changeItem(way, filled))) : "no change leads there");
      if (!isComplete) told.append(make("p", "note", "The search was ended, so there may be others."));
      list.append(make("dt", "", name), told);
      told.dataset.answer = name;
    }
    return list;
  }

  // Of many classes, the nearest are shown, and the others are folded.
  const MOST_ANSWERS = 4;
  const SHOWN_OF_MANY = 3;

  function changesBox(first, filled) {
    const box = make("div", "changes", make("h3", "", "The smallest changes to another prediction"));
    const found = findChanges(first, filled);
    const measures = new Set(found.flatMap((one) => one.ways.flatMap((way) => way.parts.map((part) => part.measure))));
    const note = `A spread is the distance between the 5\u00a0% and the 95\u00a0% quantile of the ${samples?.of} rows.`;
    if (found.length <= MOST_ANSWERS) {
      box.append(answerList(found, filled));
    } else {
      const least = (one) => one.ways[0]?.cost ?? Infinity;
      found.sort((a, b) => (least(a) === least(b) ? 0 : least(a) - least(b)));
      const rest = make("details", "", make("summary", "", `${found.length - SHOWN_OF_MANY} other predictions`));
      rest.append(answerList(found.slice(SHOWN_OF_MANY), filled));
      rest.open = wantsAll;
      rest.firstChild.addEventListener("click", () => { wantsAll = !rest.open; });
      box.append(answerList(found.slice(0, SHOWN_OF_MANY), filled), rest);
    }
    if (measures.has("spreads")) box.append(make("p", "note", note));
    return box;
  }

  function update() {
    const read_ = form.fields.map((field, i) => read(field, inputs[i]));
    const problems = read_.filter((one) => "problem" in one);
    // Before anything is entered, an empty field is neither a mistake nor a missing value.
    const isUntouched = !touched && inputs.some((input) => input.tagName !== "SELECT" && input.value.trim() === "");
    read_.forEach((one, i) => {
      inputs[i].setAttribute("aria-invalid", String("problem" in one && !isUntouched));
      const hint = document.getElementById(`hint-${i}`);
      if (hint) hint.textContent = isUntouched ? "" : (one.problem ?? one.hint ?? "");
    });
    verdict.replaceChildren();
    delete verdict.dataset.rule;
    if (isUntouched) {
      verdict.append(make("p", "headline", "Enter values to see the prediction."));
      return;
    }
    if (problems.length) {
      verdict.append(make("ul", "problems", ...problems.map((one) => make("li", "", one.problem))));
      return;
    }
    const filled = read_.map((one) => one.value);
    const values = form.features.map((feature) => valueOf(feature, filled[feature.field]));
    const matches = form.rules.map((rule) => rule.every((condition) => holds(condition, values[condition.feature])));
    const first = matches.indexOf(true);
    verdict.dataset.rule = String(first);
    verdict.append(headline(first));
    if (first >= 0 && form.rules[first].length) verdict.append(conditionList(form.rules[first], values));
    if (possible && !(first < 0 && data.asks_ensemble)) verdict.append(changesBox(first, filled));
    if (samples) verdict.append(comparison(filled));
    if (form.rules.length > (first >= 0 ? 1 : 0)) {
      const details = make("details", "", make("summary", "", first >= 0 ? "Why not another rule?" : "Why does no rule match?"));
      details.open = wantsOpen ?? first < 0;
      details.append(otherRules(first, matches, values));
      // A click, by mouse or keyboard, comes from the reader; the event "toggle" also comes when the page opens it.
      details.firstChild.addEventListener("click", () => { wantsOpen = !details.open; });
      verdict.append(details);
    }
  }

  let wantsOpen = null;
  let wantsAll = false;
  let touched = false;

  if (verdict) {
    if (samples) {
      chooser.append(new Option("your own values", ""));
      samples.row.forEach((row, k) => {
        const rule = samples.rule[k];
        chooser.append(new Option(`${samples.of} row ${row} – ${rule >= 0 ? `rule ${rule + 1}` : "no rule"}`, String(k)));
      });
      chooser.addEventListener("change", () => {
        if (chooser.value === "") return;
        touched = true;
        fill(Number(chooser.value));
        update();
      });
      chooser.value = "0";
      fill(0);
      touched = true;
    }
    document.getElementById("try").addEventListener("input", (event) => {
      if (event.target === chooser) return;
      if (event.target.type === "checkbox") {
        update();
        return;
      }
      touched = true;
      if (chooser) chooser.value = "";
      update();
    });
    document.getElementById("try").addEventListener("submit", (event) => event.preventDefault());
    update();
  }

  // The slider over budgets

  const slider = document.getElementById("budget");
  if (slider) {
    const panels = [...document.querySelectorAll(".budget")];
    const label = document.getElementById("budget-label");
    const show = () => {
      const chosen = Number(slider.value);
      panels.forEach((panel, i) => { panel.hidden = i !== chosen; });
      document.querySelectorAll("[data-point]").forEach((point) => {
        point.classList.toggle("on", Number(point.dataset.point) === chosen);
      });
      label.textContent = panels[chosen].dataset.label;
      slider.setAttribute("aria-valuetext", panels[chosen].dataset.label);
    };
    slider.addEventListener("input", show);
    show();
  }

  // The list as SQL

  const dialect = document.getElementById("dialect");
  if (dialect) {
    const statements = [...document.querySelectorAll(".sql")];
    const copied = document.getElementById("copied");
    const show = () => {
      statements.forEach((one, i) => { one.hidden = i !== dialect.selectedIndex; });
      copied.textContent = "";
    };
    const copy = async (text) => {
      try {
        await navigator.clipboard.writeText(text.textContent);
        return true;
      } catch {
        // Not every browser lets a page from a file use its clipboard; what is selected can be copied anyway.
        getSelection().selectAllChildren(text);
        return document.execCommand("copy");
      }
    };
    document.getElementById("copy").addEventListener("click", async () => {
      const done = await copy(statements[dialect.selectedIndex].querySelector("code"));
      copied.textContent = done ? "Copied." : "Press Ctrl+C to copy the selected text.";
    });
    dialect.addEventListener("change", show);
    show();
  }

  // What is folded is unfolded for printing, and folded again.

  const folds = [...document.querySelectorAll("details.fold")];
  addEventListener("beforeprint", () => folds.forEach((fold) => { fold.dataset.was = String(fold.open); fold.open = true; }));
  addEventListener("afterprint", () => folds.forEach((fold) => { fold.open = fold.dataset.was === "true"; }));

  document.documentElement.classList.add("ready");
})();
