import type { IncomingMessage } from 'node:http';
import type { Config } from '../config/index.ts';
import { headerValues } from './headers.ts';

/** Absent headers pass (not a browser); present ones must name this service. */
export function isSameOrigin(
  config: Pick<Config, 'baseUrl' | 'baseUrlIsLoopback'>,
  request: IncomingMessage,
): boolean {
  if (headerValues(request, 'sec-fetch-site').some((site) => site === 'cross-site')) return false;
  return headerValues(request, 'origin').every((origin) => isOwnAddress(config, origin));
}

/** Equal to the base URL; on loopback the usual spellings of the same host count as one. */
function isOwnAddress(config: Pick<Config, 'baseUrl' | 'baseUrlIsLoopback'>, address: string): boolean {
  const trimmed = address.endsWith('/') ? address.slice(0, -1) : address;
  if (trimmed === config.baseUrl) return true;
  return config.baseUrlIsLoopback && plainLoopback(trimmed) === plainLoopback(config.baseUrl);
}

function plainLoopback(address: string): string {
  return address.replace(/^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$)/, 'http://loopback');
}
