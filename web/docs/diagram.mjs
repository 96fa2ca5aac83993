import { escapeHtml } from './layout.mjs';

/**
 * State diagrams, drawn when the pages are built: the states in columns by their distance from the initial one, an
 * arrow for each transition, and a table of who causes it and when.
 */
/** With more transitions than this, arrows are harder to read than the table. */
const DRAWN_AT_MOST = 16;
const BOX = { height: 36, gapX: 120, gapY: 40, letter: 8.6, margin: 10 };

/** The lines that `drawStateMachine` of the protocol writes. */
function read(text) {
  const arrows = [...text.matchAll(/^\s*(\S+) --> (\S+)(?: : (.*))?$/gm)].map(([, from, to, label = '']) => ({
    from,
    to,
    reasons: label.split(' / '),
  }));
  const isEnd = (name) => name === '[*]';
  return {
    initial: arrows.find(({ from }) => isEnd(from))?.to,
    finals: arrows.filter(({ to }) => isEnd(to)).map(({ from }) => from),
    moves: arrows.filter(({ from, to }) => !isEnd(from) && !isEnd(to)),
  };
}

/** Each state's column: no arrow leads further than one column to the right. */
function columnsOf({ initial, moves }) {
  const columns = [[initial]];
  const placed = new Set([initial]);
  for (let column = columns[0]; column.length > 0; column = columns.at(-1)) {
    const next = [
      ...new Set(column.flatMap((name) => moves.filter(({ from }) => from === name)).map(({ to }) => to)),
    ];
    columns.push(next.filter((name) => !placed.has(name)));
    for (const name of next) placed.add(name);
  }
  return columns.slice(0, -1);
}

function place(columns) {
  const rows = Math.max(...columns.map(({ length }) => length));
  const places = new Map();
  let x = BOX.margin;
  for (const [column, names] of columns.entries()) {
    const width = Math.max(...names.map(({ length }) => length)) * BOX.letter + 28;
    const top = BOX.margin + ((rows - names.length) * (BOX.height + BOX.gapY)) / 2;
    for (const [row, name] of names.entries())
      places.set(name, { column, x, y: top + row * (BOX.height + BOX.gapY), width });
    x += width + BOX.gapX;
  }
  const height = rows * (BOX.height + BOX.gapY) - BOX.gapY + 2 * BOX.margin;
  // Arrows within the last column need room next to it.
  return { places, width: x - BOX.gapX / 2, height };
}

/** From side to side through the space between two columns; the arrows of the two directions do not overlap. */
function curve(from, to) {
  const isForward = to.column > from.column;
  const isWithin = to.column === from.column;
  const middle = (box, shift) => box.y + BOX.height / 2 + shift;
  const start = [isForward || isWithin ? from.x + from.width : from.x, middle(from, isForward ? -6 : 8)];
  const end = [isForward ? to.x : to.x + to.width, middle(to, isForward ? -6 : 8)];
  const bend = isWithin
    ? Math.min(BOX.gapX / 2, 24 + Math.abs(end[1] - start[1]) / 8)
    : Math.abs(end[0] - start[0]) / 2;
  const points = [
    start,
    [start[0] + (isForward || isWithin ? bend : -bend), start[1]],
    [end[0] + (isForward ? -bend : bend), end[1]],
    end,
  ];
  const path = `M${points[0]} C${points.slice(1).join(' ')}`;
  return { path, label: [0, 1].map((axis) => at(points, axis, 0.4)) };
}

/** A point of a cubic curve. */
function at(points, axis, t) {
  const weights = [(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t ** 2, t ** 3];
  return Math.round(weights.reduce((sum, weight, index) => sum + weight * points[index][axis], 0));
}

function drawing(machine, id) {
  const { places, width, height } = place(columnsOf(machine));
  const boxes = [...places].map(([name, { x, y, width: wide }]) => {
    const kind = machine.finals.includes(name) ? 'final' : name === machine.initial ? 'initial' : 'usual';
    return `<rect class="state" data-kind="${kind}" x="${x}" y="${y}" width="${wide}" height="${BOX.height}" rx="10"/><text class="state-name" x="${x + wide / 2}" y="${y + 23}">${escapeHtml(name)}</text>`;
  });
  const curves = machine.moves.map(({ from, to }) => curve(places.get(from), places.get(to)));
  const lines = curves.map(({ path }) => `<path class="move" d="${path}" marker-end="url(#${id}-head)"/>`);
  const numbers = curves.map(
    ({ label: [x, y] }, index) =>
      `<circle class="move-ground" cx="${x}" cy="${y}" r="10"/><text class="move-number" x="${x}" y="${y + 4}">${index + 1}</text>`,
  );
  const head = `<marker id="${id}-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="arrow-head" d="M0 0l8 4-8 4z"/></marker>`;
  return `<div class="states" tabindex="0" role="group" aria-label="Diagram"><svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="The states and the ways between them; the table below has the same."><defs>${head}</defs>${lines.join('')}${boxes.join('')}${numbers.join('')}</svg></div>`;
}

/** `id` distinguishes this diagram from others of its page. */
export function stateDiagram(text, id) {
  const machine = read(text);
  const drawn = machine.moves.length > DRAWN_AT_MOST ? '' : drawing(machine, id);
  const rows = machine.moves.map(
    ({ from, to, reasons }, index) =>
      `<tr><td>${index + 1}</td><td><code>${escapeHtml(from)}</code></td><td><code>${escapeHtml(to)}</code></td><td>${reasons.map(escapeHtml).join('<br>')}</td></tr>`,
  );
  return `${drawn}<table><thead><tr><th>No.</th><th>From</th><th>To</th><th>Who, and when</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}
