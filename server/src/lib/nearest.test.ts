import { expect, it } from 'vitest';
import { nearestName } from './nearest.ts';

const KNOWN = ['cursor', 'limit', 'wait', 'status', 'device_id', 'token'];

it.each([
  ['limt', 'limit'],
  ['Limit', 'limit'],
  ['deviceId', 'device_id'],
  ['stauts', 'status'],
  ['curser', 'cursor'],
  ['wiat', 'wait'],
])('%s most likely means %s', (sent, meant) => {
  expect(nearestName(sent, KNOWN)).toBe(meant);
});

it.each(['', 'x', 'surprise', 'page', 'l', 'cursor'.repeat(9_000)])('%s means none of them', (sent) => {
  expect(nearestName(sent, KNOWN)).toBeUndefined();
});
