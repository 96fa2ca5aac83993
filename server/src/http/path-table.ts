interface Entry {
  method: string;
  path: string;
}

/** Answers which methods a path has, for 405: the router itself only says "no route". */
export function createPathTable(entries: readonly Entry[]): (url: string) => string[] {
  const methods = new Map<string, Set<string>>();
  for (const { method, path } of entries) {
    const known = methods.get(path) ?? new Set();
    known.add(method);
    if (method === 'GET') known.add('HEAD');
    methods.set(path, known);
  }
  const patterns = [...methods].map(([path, allowed]) => ({
    pattern: toPattern(path),
    allowed: [...allowed].sort(),
  }));
  return (url) => {
    const path = pathOf(url);
    const found = new Set(
      patterns.filter(({ pattern }) => pattern.test(path)).flatMap(({ allowed }) => allowed),
    );
    return [...found];
  };
}

/**
 * The path that a request's target names, as the router reads it: a target may be a whole address, and a letter may be
 * written by its number.
 */
export function pathOf(target: string): string {
  const [path = ''] = target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1);
  return path.replaceAll(/%[0-9a-f]{2}/gi, (code) => {
    const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(letter) ? letter : code;
  });
}

function toPattern(path: string): RegExp {
  const source = path
    .split('/')
    .map((part) =>
      part.startsWith('{') ? '[^/]+' : part === '*' ? '.*' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    )
    .join('/');
  return new RegExp(`^${source}$`);
}

/** `/v1/agents/{agentId}` → `/v1/agents/:agentId` */
export function toRouterPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
