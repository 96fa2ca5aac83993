import { expect, it } from 'vitest';
import { sessionCheck } from './session-guard.ts';

it('a server that answers nothing when a connection begins is a lost connection', () => {
  const { judge } = sessionCheck({ allowUnsafeDurability: false, isDirect: true });
  expect(judge(undefined, 1)).toMatchObject({ code: '08006' });
});
