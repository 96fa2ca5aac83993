const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** As `URL.hostname` spells it. */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.includes(hostname);
}
