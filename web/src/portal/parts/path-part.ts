/**
 * An id as one part of a page's address. Agents choose request ids, which may hold any character; the router decodes an
 * address once, so the part is encoded twice.
 */
export function pathPart(id: string): string {
  return encodeURIComponent(encodeURIComponent(id));
}

export function idInPath(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
