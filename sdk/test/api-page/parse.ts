/** One exported declaration, or one public member of it, with what its documentation comment says. */
export interface Documented {
  name: string;
  kind: 'class' | 'interface' | 'type' | 'function' | 'const' | 'member';
  signature: string;
  doc: string;
  /** Whether the comment shows how it is used. */
  hasExample: boolean;
  members: Documented[];
}

const DECLARATION = /^export (?:abstract )?(?:async )?(class|interface|type|function|const) (\w+)/;
/** Private ones, the inherited `name` of errors, and constructors that only the SDK calls. */
const NOT_PUBLIC = /^(?:(?:readonly )?#|async #|override readonly name\b)/;

/**
 * Reads declarations out of source text. It relies on the formatter: two spaces before a member, a signature that ends
 * with ` {` or `;`, a closing brace of its own line.
 */
export function parseSource(text: string): Map<string, Documented> {
  const lines = text.split('\n');
  const found = new Map<string, Documented>();
  for (let index = 0; index < lines.length; index += 1) {
    const match = DECLARATION.exec(lines[index] ?? '');
    const [, kind, name] = match ?? [];
    if (kind === undefined || name === undefined) continue;
    const isBody = kind === 'class' || kind === 'interface';
    const end = isBody ? index : endOfSignature(lines, index, kind === 'type');
    const signature = clean(lines.slice(index, end + 1).join('\n'));
    const entry: Documented = {
      name,
      kind: kind as Documented['kind'],
      signature,
      ...docAbove(lines, index),
      members: isBody ? parseMembers(lines, index, kind === 'interface') : [],
    };
    const earlier = found.get(name);
    // Of an overloaded function the implementation is nobody's business.
    if (!earlier) found.set(name, entry);
    else if (!lines[end]?.endsWith('{')) earlier.signature += `\n${signature}`;
  }
  return found;
}

function parseMembers(lines: readonly string[], start: number, isInterface: boolean): Documented[] {
  const members: Documented[] = [];
  for (let index = start + 1; lines[index] !== '}' && index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const isMember = /^ {2}[A-Za-z#[]/.test(line) && !line.startsWith('  return');
    if (!isMember) continue;
    const end = endOfSignature(lines, index, isInterface);
    const signature = clean(lines.slice(index, end + 1).join('\n'));
    const { doc, hasExample } = docAbove(lines, index);
    if (!NOT_PUBLIC.test(line.trim()) && !doc.startsWith('Made by')) {
      const name = /(?:(?:static|readonly|override|abstract|get|async) )*\[?(\w+)/.exec(signature)?.[1] ?? '';
      members.push({ name, kind: 'member', signature, doc, hasExample, members: [] });
    }
    index = end;
    if (lines[end]?.endsWith('{')) while (lines[index] !== '  }') index += 1;
  }
  return members;
}

function endOfSignature(lines: readonly string[], start: number, isType: boolean): number {
  let depth = 0;
  for (let index = start; index < lines.length; index += 1) {
    const line = (lines[index] ?? '').replace(/'[^']*'|\/\*\*.*\*\//g, '');
    const opensBody = !isType && line.endsWith(' {') && depth + balance(line) === 1;
    if (opensBody) return index;
    depth += balance(line);
    if (depth === 0 && line.endsWith(';')) return index;
  }
  throw new Error(`no end of: ${lines[start]}`);
}

function balance(line: string): number {
  return (line.match(/[({[]/g) ?? []).length - (line.match(/[)}\]]/g) ?? []).length;
}

function docAbove(lines: readonly string[], index: number): Pick<Documented, 'doc' | 'hasExample'> {
  let end = index - 1;
  if (!lines[end]?.trim().endsWith('*/')) return { doc: '', hasExample: false };
  let start = end;
  while (!lines[start]?.trim().startsWith('/**')) start -= 1;
  const text = lines.slice(start, end + 1).join('\n');
  end = text.lastIndexOf('*/');
  const [words = '', ...examples] = text.split('@example');
  const doc = words
    .slice(words.indexOf('/**') + 3, examples.length > 0 ? undefined : end)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trim())
    .filter((line) => line !== '')
    .join(' ')
    .trim();
  return { doc, hasExample: examples.length > 0 };
}

/** One line, without what only the compiler needs. */
function clean(text: string): string {
  return text
    .replace(/\/\*\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?\{$|;$/, '')
    .replace(/^export (?:async )?/, '')
    .replace(/^ ?(static )?(?:override )?(?:async )?/, '$1')
    .replace(/(\w+): ([\w<>.]+) = \{\}/g, '$1?: $2')
    .replace(/(\w+): (\{[^}]*\}|[^,()]+?) = \{\}/g, '$1?: $2')
    .replace(/\( /g, '(')
    .replace(/,? \)/g, ')')
    .trim();
}
