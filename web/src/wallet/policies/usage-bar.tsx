import { addDecimals, compareDecimals, isZeroDecimal, toBaseUnits } from '@payassent/protocol';
import type { AutomationPolicy } from '@payassent/sdk';
import { policies } from '../../texts/wallet.ts';
import { Facts } from '../../ui/facts.tsx';

const WIDTH = 1000;
/** Enough for every asset here; only the drawing is rounded, never the numbers beside it. */
const DECIMALS = 255;

export function UsageBar({ policy }: { policy: AutomationPolicy }) {
  const { usage, cumulative_limit, asset } = policy;
  if (cumulative_limit === null) return null;
  const spent = partOf(usage.spent, cumulative_limit);
  const used = partOf(addDecimals(usage.spent, usage.reserved), cumulative_limit);
  const label = policies.usage.label(
    `${addDecimals(usage.spent, usage.reserved)} ${asset}`,
    `${cumulative_limit} ${asset}`,
  );
  return (
    <div className="stack-tight">
      <svg
        className="usage"
        viewBox={`0 0 ${WIDTH} 14`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        <rect className="usage-reserved" width={used} height={14} />
        <rect className="usage-spent" width={spent} height={14} />
      </svg>
      <Facts
        facts={[
          [policies.usage.spent, `${usage.spent} ${asset}`],
          [policies.usage.reserved, `${usage.reserved} ${asset}`],
          usage.remaining === null ? null : [policies.usage.remaining, `${usage.remaining} ${asset}`],
        ]}
      />
    </div>
  );
}

function partOf(part: string, whole: string): number {
  if (isZeroDecimal(whole) || compareDecimals(part, whole) >= 0) return WIDTH;
  const units = toBaseUnits(part, DECIMALS) ?? 0n;
  return Number((units * BigInt(WIDTH)) / (toBaseUnits(whole, DECIMALS) ?? 1n));
}
