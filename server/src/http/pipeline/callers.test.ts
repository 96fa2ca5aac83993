import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { createClientAddress } from '../../lib/client-address.ts';
import type { Kernel } from '../kernel.ts';
import { clientAddressOf } from './callers.ts';

const kernel = { clientAddress: createClientAddress(['127.0.0.1']) } as Kernel;
const addressOf = (...lines: string[]) =>
  clientAddressOf(kernel, {
    rawHeaders: lines.flatMap((line) => ['X-Forwarded-For', line]),
    socket: { remoteAddress: '127.0.0.1' },
  } as unknown as IncomingMessage);

it('the address of a caller is the one that the proxy added last, whatever lines the caller sent before', () => {
  expect(addressOf('203.0.113.7')).toBe('203.0.113.7');
  expect(addressOf('198.51.100.1', '203.0.113.7')).toBe('203.0.113.7');
  // Its own address first: the line of the proxy repeats it, and must not count as that one.
  expect(addressOf('203.0.113.7', '198.51.100.1', '203.0.113.7')).toBe('203.0.113.7');
});
