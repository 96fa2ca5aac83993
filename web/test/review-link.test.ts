import { expect, it } from 'vitest';
import { placeIn } from '../src/wallet/payments/places.ts';

it('opens the request that the link of an agent names, whatever its id is made of', () => {
  const link = (id: string, search: string) =>
    placeIn({ pathname: `/wallet/requests/${encodeURIComponent(id)}`, search });
  const place = { kind: 'request', connectionId: 'con_1' };
  expect(link('pr_1', '?connection=con_1')).toEqual({ ...place, id: 'pr_1' });
  expect(link('50% / half?', '?connection=con_1')).toEqual({ ...place, id: '50% / half?' });
  expect(link('pr_1', '')).toBeUndefined();
  expect(placeIn({ pathname: '/wallet/requests/%', search: '?connection=con_1' })).toBeUndefined();
});
