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
    const path = url.split('?', 1)[0] ?? '';
    const found = new Set(
      patterns.filter(({ pattern }) => pattern.test(path)).flatMap(({ allowed }) => allowed),
    );
    return [...found];
  };
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
