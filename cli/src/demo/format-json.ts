import { plain } from '../output.ts';

export interface JsonColours {
  name(text: string): string;
  value(text: string): string;
}

/** JSON for reading: what fits stays on one line, and nothing in it can move the cursor. */
export function formatJson(value: unknown, colours: JsonColours, width = 96, indent = ''): string {
  const flat = oneLine(value);
  if (typeof value !== 'object' || value === null || indent.length + flat.length <= width) {
    return paintFlat(value, colours);
  }
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item) => formatJson(item, colours, width, inner))
    : Object.entries(value).map(
        ([name, member]) =>
          `${colours.name(quoted(name))}: ${formatJson(member, colours, width - quoted(name).length - 2, inner)}`,
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.map((line) => inner + line).join(',\n')}\n${indent}${close}`;
}

function oneLine(value: unknown): string {
  return paintFlat(value, { name: (text) => text, value: (text) => text });
}

function paintFlat(value: unknown, colours: JsonColours): string {
  if (Array.isArray(value)) return `[${value.map((item) => paintFlat(item, colours)).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([name, member]) => `${colours.name(quoted(name))}: ${paintFlat(member, colours)}`,
    );
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }
  return colours.value(typeof value === 'string' ? quoted(value) : String(value));
}

/** Quoted before it is made harmless, so that a line end stays visible as `\n`. */
function quoted(text: string): string {
  return plain(JSON.stringify(text));
}
