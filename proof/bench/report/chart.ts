import type { Curve } from './model.ts';

const WIDTH = 720;
const HEIGHT = 400;
const PLOT = { left: 78, right: 560, top: 52, bottom: 340 };
const COLOURS = ['#0b6e99', '#b5482a', '#3f7d3a', '#7a4fa3'];
const MARKS = ['', '6 4', '2 3', '8 3 2 3'];

/** A scaling curve as an SVG that needs nothing: no font, no script, readable on light and dark pages. */
export function toSvg(curve: Curve): string {
  const points = curve.lines.flatMap((line) => line.points);
  const xs = [...new Set(points.map((point) => point.x))].sort((a, b) => a - b);
  const top = roundUp(Math.max(...points.map((point) => point.y), 1));
  const scale = (value: number) => (curve.isLogarithmic ? Math.log10(value) : value);
  const [low, high] = [scale(xs[0] ?? 1), scale(xs.at(-1) ?? 10)];
  const xOf = (value: number) =>
    PLOT.left + ((scale(value) - low) / Math.max(high - low, 1e-9)) * (PLOT.right - PLOT.left);
  const yOf = (value: number) => PLOT.bottom - (value / top) * (PLOT.bottom - PLOT.top);
  const grid = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const y = yOf(top * share).toFixed(1);
    return (
      `<line x1="${PLOT.left}" x2="${PLOT.right}" y1="${y}" y2="${y}" stroke="#d7dbe0"/>` +
      `<text x="${PLOT.left - 10}" y="${y}" dy="4" text-anchor="end">${short(top * share)}</text>`
    );
  });
  const ticks = xs.map(
    (x) => `<text x="${xOf(x).toFixed(1)}" y="${PLOT.bottom + 22}" text-anchor="middle">${short(x)}</text>`,
  );
  const places = labelPlaces(curve.lines.map((line) => yOf(line.points.at(-1)?.y ?? 0)));
  const lines = curve.lines.map((line, index) => {
    const colour = COLOURS[index % COLOURS.length];
    const path = line.points.map(({ x, y }) => `${xOf(x).toFixed(1)},${yOf(y).toFixed(1)}`).join(' ');
    const dots = line.points.map(
      ({ x, y }) =>
        `<circle cx="${xOf(x).toFixed(1)}" cy="${yOf(y).toFixed(1)}" r="4" fill="${colour}"><title>${line.name}, ${short(x)}: ${short(y)}</title></circle>`,
    );
    return (
      `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2.5" stroke-dasharray="${MARKS[index % MARKS.length]}"/>` +
      dots.join('') +
      `<text x="${PLOT.right + 12}" y="${(places[index] ?? 0).toFixed(1)}" dy="4" fill="${colour}" font-weight="600">${line.name}</text>`
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${curve.title}" font-family="system-ui, sans-serif" font-size="13" fill="#30363d">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" rx="8" fill="#ffffff"/>`,
    `<text x="${PLOT.left}" y="28" font-size="16" font-weight="600">${curve.title}</text>`,
    ...grid,
    ...ticks,
    `<text x="${(PLOT.left + PLOT.right) / 2}" y="${PLOT.bottom + 46}" text-anchor="middle">${curve.x}</text>`,
    ...lines,
    '</svg>',
    '',
  ].join('\n');
}

/** Labels at the ends of their lines, pushed apart where lines end together. */
function labelPlaces(ends: readonly number[]): number[] {
  const order = ends.map((y, index) => ({ y, index })).sort((a, b) => a.y - b.y);
  const places: number[] = [];
  let last = -Infinity;
  for (const { y, index } of order) {
    last = Math.max(y, last + 17);
    places[index] = last;
  }
  return places;
}

function roundUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  return ([1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10].find((step) => step * unit >= value) ?? 10) * unit;
}

function short(value: number): string {
  if (value >= 1_000_000) return `${Number((value / 1_000_000).toPrecision(3))} M`;
  if (value >= 10_000) return `${Number((value / 1000).toPrecision(3))} k`;
  return value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : 0 });
}
