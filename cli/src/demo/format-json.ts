import { harmless } from '../terminal-text.ts';

export interface JsonStyle {
  name(text: string): string;
  value(text: string): string;
  width: number;
}

/** How many members of a record have been shown before and have not changed. */
const UNCHANGED = Symbol('unchanged');

/** A record of which only what is new is shown. */
export function withUnchanged(members: Record<string, unknown>, count: number): object {
  return Object.assign({ ...members }, { [UNCHANGED]: count });
}

/** JSON for reading: what fits stays on one line, and nothing in it can move the cursor. */
export function formatJson(value: unknown, style: JsonStyle, indent = '', column = indent.length): string {
  const isNested = typeof value === 'object' && value !== null;
  if (!isNested || column + flat(value, PLAIN).length <= style.width) return flat(value, style);
  const inner = `${indent}  `;
  const items = Array.isArray(value)
    ? value.map((item) => formatJson(item, style, inner))
    : Object.entries(value).map(([name, member]) => {
        const opening = quoted(name);
        return `${style.name(opening)}: ${formatJson(member, style, inner, inner.length + opening.length + 2)}`;
      });
  const lines = [...items, ...unchanged(value)];
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.map((line) => inner + line).join(',\n')}\n${indent}${close}`;
}

const PLAIN: JsonStyle = { name: (text) => text, value: (text) => text, width: 0 };

function flat(value: unknown, style: JsonStyle): string {
  if (Array.isArray(value)) return `[${value.map((item) => flat(item, style)).join(', ')}]`;
  if (typeof value !== 'object' || value === null)
    return style.value(typeof value === 'string' ? quoted(value) : String(value));
  const members = Object.entries(value).map(
    ([name, member]) => `${style.name(quoted(name))}: ${flat(member, style)}`,
  );
  const parts = [...members, ...unchanged(value)];
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

function unchanged(value: object): string[] {
  const count = (value as { [UNCHANGED]?: number })[UNCHANGED];
  return count === undefined ? [] : [`… ${count} as before`];
}

/** Quoted before it is made harmless, so that a line end stays visible as `\n`. */
function quoted(text: string): string {
  return harmless(JSON.stringify(text));
}
