import { REQUEST_SIZES } from '../../limits.ts';

/** The handler of one method of a path, and where in the path each of its parameters is. */
interface Entry<Target> {
  target: Target;
  params: readonly (readonly [name: string, at: number])[];
}

/** The methods of one path. */
type Leaf<Target> = Map<string, Entry<Target>>;

interface Node<Target> {
  fixed: Map<string, Node<Target>>;
  /** `{id}`: any part that is not empty. */
  any?: Node<Target>;
  /** `*`: any rest, even an empty one. */
  rest?: Leaf<Target>;
  leaf?: Leaf<Target>;
}

type Found<Target> =
  | { target: Target; params: Record<string, string> }
  /** The methods that the path has; empty where there is no such path. */
  | { target?: undefined; allowed: readonly string[] };

/**
 * Finds the handler of a method and a path. Parts of a path are compared decoded, so that `%2F` never separates; what
 * cannot be decoded matches nothing. A fixed part comes before a parameter, and a parameter before any rest.
 */
export function createRouter<Target>(entries: readonly { method: string; path: string; target: Target }[]) {
  const root: Node<Target> = { fixed: new Map() };
  for (const { method, path, target } of entries) {
    const { leaf, params } = leafOf(root, path);
    leaf.set(method, { target, params });
    if (method === 'GET') leaf.set('HEAD', { target, params });
  }
  return (method: string, path: string): Found<Target> => {
    const parts = partsOf(path);
    const leaves: Leaf<Target>[] = [];
    if (parts) collect(root, parts, 0, leaves);
    for (const leaf of leaves) {
      const entry = leaf.get(method);
      if (!entry) continue;
      const params: Record<string, string> = {};
      for (const [name, at] of entry.params) params[name] = parts?.[at] ?? '';
      return { target: entry.target, params };
    }
    return { allowed: [...new Set(leaves.flatMap((leaf) => [...leaf.keys()]))].sort() };
  };
}

function leafOf<Target>(
  root: Node<Target>,
  path: string,
): { leaf: Leaf<Target> } & Pick<Entry<Target>, 'params'> {
  const params: [string, number][] = [];
  let node = root;
  for (const [at, part] of path.split('/').entries()) {
    if (part === '*') {
      node.rest ??= new Map();
      return { leaf: node.rest, params };
    }
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    let next = name === undefined ? node.fixed.get(part) : node.any;
    next ??= { fixed: new Map() };
    if (name === undefined) node.fixed.set(part, next);
    else {
      node.any = next;
      params.push([name, at]);
    }
    node = next;
  }
  node.leaf ??= new Map();
  return { leaf: node.leaf, params };
}

function collect<Target>(
  node: Node<Target>,
  parts: readonly string[],
  at: number,
  into: Leaf<Target>[],
): void {
  const part = parts[at];
  if (part === undefined) {
    if (node.leaf) into.push(node.leaf);
    return;
  }
  const fixed = node.fixed.get(part);
  if (fixed) collect(fixed, parts, at + 1, into);
  if (node.any && part !== '' && part.length <= REQUEST_SIZES.pathPart.count)
    collect(node.any, parts, at + 1, into);
  if (node.rest) into.push(node.rest);
}

function partsOf(path: string): string[] | undefined {
  const parts = path.split('/');
  if (!path.includes('%')) return parts;
  try {
    return parts.map((part) => decodeURIComponent(part));
  } catch {
    return undefined;
  }
}

/** The path and the query of a request's target; a target may be a whole address. */
export function splitTarget(target: string): { path: string; query: string } {
  const local = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '');
  const end = local.search(/[?#]/);
  return end < 0 ? { path: local, query: '' } : { path: local.slice(0, end), query: local.slice(end + 1) };
}
