import { isIP } from 'node:net';
import { generate } from 'selfsigned';

export interface KeyAndCertificate {
  /** PEM. */
  key: string;
  cert: string;
}

export interface TestAuthority {
  /** PEM of the authority itself, for `extraCa` or NODE_EXTRA_CA_CERTS. */
  readonly cert: string;
  issue(hosts: readonly string[], validity?: 'now' | 'expired' | 'not-yet'): Promise<KeyAndCertificate>;
}

const dayMs = 86_400_000;
const keys = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;

export async function createAuthority(name = 'PayAssent test authority'): Promise<TestAuthority> {
  const authority = await generate([{ name: 'commonName', value: name }], {
    ...keys,
    notBeforeDate: new Date(Date.now() - 30 * dayMs),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return {
    cert: authority.cert,
    async issue(hosts, validity = 'now') {
      const made = await generate([{ name: 'commonName', value: hosts[0] ?? 'nobody' }], {
        ...keys,
        ...period(validity),
        ca: { key: authority.private, cert: authority.cert },
        extensions: serverExtensions(hosts),
      });
      return { key: made.private, cert: made.cert };
    },
  };
}

/** A certificate that only vouches for itself. */
export async function selfSigned(hosts: readonly string[]): Promise<KeyAndCertificate> {
  const made = await generate([{ name: 'commonName', value: hosts[0] ?? 'nobody' }], {
    ...keys,
    ...period('now'),
    extensions: serverExtensions(hosts),
  });
  return { key: made.private, cert: made.cert };
}

function serverExtensions(hosts: readonly string[]) {
  return [
    { name: 'basicConstraints' as const, cA: false },
    { name: 'keyUsage' as const, digitalSignature: true },
    { name: 'extKeyUsage' as const, serverAuth: true },
    {
      name: 'subjectAltName' as const,
      altNames: hosts.map((host) =>
        isIP(host) === 0 ? { type: 2 as const, value: host } : { type: 7 as const, ip: host },
      ),
    },
  ];
}

function period(validity: 'now' | 'expired' | 'not-yet') {
  const now = Date.now();
  const from = { now: now - dayMs, expired: now - 10 * dayMs, 'not-yet': now + dayMs }[validity];
  const until = validity === 'expired' ? now - dayMs : now + 10 * dayMs;
  return { notBeforeDate: new Date(from), notAfterDate: new Date(until) };
}
