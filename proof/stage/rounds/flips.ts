import { type PublishedKey, verifyEvidence } from '@payassent/protocol/evidence';

/** The places at which another bit in the bundle breaks no claim; every `step`th byte is tried. */
export function unnoticedFlips(bundle: string, keys: readonly PublishedKey[], step: number): number[] {
  const bytes = new TextEncoder().encode(bundle);
  const unnoticed: number[] = [];
  for (let at = 0; at < bytes.length; at += step) {
    const flipped = bytes.slice();
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    const { ok, claims } = verifyEvidence(flipped, { keys });
    if (ok || !claims.some(({ status }) => status === 'broken')) unnoticed.push(at);
  }
  return unnoticed;
}
