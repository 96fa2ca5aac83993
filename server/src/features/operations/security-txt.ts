import type { Document } from '../../http/document.ts';
import { addMs, DAY_MS } from '../../lib/clock.ts';

const PATH = '/.well-known/security.txt';
const POLICY_PATH = '/.well-known/security-policy.txt';
const TEXT = 'text/plain; charset=utf-8';
/** RFC 9116 asks for less than a year. Counted from the moment of reading, so that a long run never shows a past one. */
const VALID_DAYS = 180;

const POLICY = `Please report a vulnerability privately to the contact in ${PATH}, not in public.
Say what you did, what happened, and what an attacker would gain.
Use your own accounts and wallets only, and stop when you see data of others.
You will hear back within three working days.
`;

/** Where to report a vulnerability (RFC 9116). */
export function securityDocuments(): Document[] {
  return [
    {
      method: 'GET',
      path: PATH,
      serve({ config, clock }) {
        const expires = addMs(clock.now(), VALID_DAYS * DAY_MS);
        const lines = [
          `Contact: ${config.securityContact}`,
          `Expires: ${expires.toISOString().slice(0, 10)}T00:00:00Z`,
          'Preferred-Languages: en',
          `Policy: ${config.baseUrl}${POLICY_PATH}`,
          `Canonical: ${config.baseUrl}${PATH}`,
          '',
        ];
        return { contentType: TEXT, body: lines.join('\n') };
      },
    },
    { method: 'GET', path: POLICY_PATH, serve: () => ({ contentType: TEXT, body: POLICY }) },
  ];
}
