import type { Block } from './blocks.ts';

/** A request as a page shows it: method and path, headers, an empty line, a body. */
export interface ShownRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** The replacement of `con_…` and the like, by the part before the dots. */
export type Values = Readonly<Record<string, string>>;

export function shownRequest(block: Block, values: Values): ShownRequest {
  const [head = '', ...rest] = filled(block.code, values).split('\n\n');
  const [first = '', ...lines] = head.split('\n');
  const [method = '', path = ''] = first.split(' ');
  const headers = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]));
  return { method, path, headers, body: JSON.parse(rest.join('\n\n')) };
}

/** Replaces every abbreviation of the page with a real value; an unknown one is an error. */
function filled(text: string, values: Values): string {
  return text.replace(/([\w]+)…/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`Nothing is known for ${whole}`);
    return value;
  });
}

/** Names of the members that a shown JSON object has, at its top level and one below. */
export function shownMembers(block: Block): Record<string, string[]> {
  const shown = JSON.parse(block.code.replaceAll('{…}', '{}').replaceAll('[…]', '[]')) as Record<
    string,
    unknown
  >;
  return membersOf(shown);
}

export function membersOf(value: object): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      typeof member === 'object' && member !== null && !Array.isArray(member)
        ? Object.keys(member).sort()
        : [],
    ]),
  );
}
