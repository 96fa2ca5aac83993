/**
 * The host in a pasted text: without scheme, user, port, path and final dot, in lower case. Nothing else is repaired.
 */
export function hostOf(pasted: string): string {
  const [authority = ''] = pasted
    .trim()
    .replace(/^([a-z][a-z0-9+.-]*:)?\/\//i, '')
    .split(/[/?#\\]/);
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
  return host.trim().replace(/\.$/, '').toLowerCase();
}

/**
 * The name of a record as it is typed where the provider appends the zone. Only the provider knows which zone that is:
 * a host can be a zone itself or belong to one above, so each possible name is returned.
 */
export function relativeNames(record: string, host: string): Array<{ zone: string; name: string }> {
  const labels = host.split('.');
  return labels.slice(0, -1).map((_, above) => {
    const zone = labels.slice(above).join('.');
    return { zone, name: record.slice(0, -zone.length - 1) };
  });
}
