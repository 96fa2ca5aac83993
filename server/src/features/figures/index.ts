// The figures on a merchant's overview.
// Nothing imports it but the composition.
// Every figure is counted from the merchant's own rows, with a bound on the rows read.

import * as api from '@payassent/protocol/api';
import { refuseWhenInvalid } from '../../errors.ts';
import { implement } from '../../http/route.ts';
import { DAY_MS } from '../../lib/clock.ts';
import type { Feature } from '../feature.ts';
import { type Periods, readFigures } from './sql.ts';

/** In every time zone, today began within the last 24 hours; clocks may differ a little. */
const TODAY_AT_MOST_MS = 26 * 60 * 60 * 1000;
const AHEAD_AT_MOST_MS = 60 * 60 * 1000;

function periodsOf(wanted: string | undefined, now: Date): Periods {
  const today = wanted === undefined ? new Date(now).setUTCHours(0, 0, 0, 0) : Date.parse(wanted);
  const age = now.getTime() - today;
  if (age > TODAY_AT_MOST_MS || age < -AHEAD_AT_MOST_MS)
    refuseWhenInvalid([
      { field: 'today', code: 'out_of_range', message: 'today must be within the last 26 hours.' },
    ]);
  const daysBefore = (days: number) => new Date(today - days * DAY_MS);
  return { today: new Date(today), week: daysBefore(6), month: daysBefore(29) };
}

export const figuresFeature = (): Feature => ({
  name: 'figures',
  routes: [
    implement(api.getFigures, {
      async run({ context, act, principal, query }) {
        const periods = periodsOf(query.today, act.now);
        const row = await readFigures(context.db, principal.merchantId, periods, act.now);
        const since = row.complete_since ?? periods.month;
        return {
          figures: { ...row, today: periods.today.toISOString(), complete_since: since.toISOString() },
        };
      },
    }),
  ],
});
