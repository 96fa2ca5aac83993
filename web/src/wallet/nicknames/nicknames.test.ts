import { expect, it } from 'vitest';
import { isNickname } from './nickname.tsx';

it.each(['Groceries', 'Mum’s phone', 'Work laptop 2', 'Büro', '買い物', 'A'])(
  'a person may call something %s',
  (name) => {
    expect(isNickname(name)).toBe(true);
  },
);

it.each([
  'shop.example',
  'shop．example',
  'shop。example',
  'shop․example',
  'shopꓸexample',
  'shop٠example',
  'shop\u2024example',
  'Verified shop',
  'vеrified',
  'Shop ✔',
  'Pay 10.00',
  '10 XLM',
  'two  spaces',
  'hid\u200bden',
  'turn\u202eed',
  'blank\u3164',
  '',
  ' ',
  '-',
  'x'.repeat(41),
])('a nickname imitates neither a domain nor a check, and hides nothing: %j', (name) => {
  expect(isNickname(name)).toBe(false);
});
