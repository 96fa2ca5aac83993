/**
 * An id as one part of a page's address. Request ids are chosen by agents and may hold any character; the router
 * decodes an address once by itself, so the part is encoded twice.
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
