const COMMON = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

export function portalPolicy(): Record<string, string> {
  return {
    'content-security-policy': [...COMMON, "connect-src 'self'"].join('; '),
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  };
}

/** The wallet also scans codes, works offline, and may speak to the one Horizon server of this installation. */
export function walletPolicy(horizonUrl: string): Record<string, string> {
  return {
    'content-security-policy': [
      ...COMMON,
      "worker-src 'self'",
      `connect-src 'self' ${new URL(horizonUrl).origin}`,
    ].join('; '),
    'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
  };
}

/** Evidence is verified in the browser: the page can ask for the published keys, and for nothing else. */
export function verifyPolicy(baseUrl: string): Record<string, string> {
  return {
    'content-security-policy': [...COMMON, `connect-src ${baseUrl}/.well-known/svc-keys.json`].join('; '),
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  };
}

/** The worker fetches the wallet's own files again, runs nothing and reaches nobody else. */
export function workerPolicy(): Record<string, string> {
  return { 'content-security-policy': "default-src 'none'; connect-src 'self'" };
}
