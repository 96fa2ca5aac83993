import type { AutomationPolicy } from '@payassent/sdk';
import { policies } from '../../texts/portal/policies.ts';
import { percentWords } from '../../ui/numbers.ts';
import { percentOf } from '../parts/figures.ts';
import '../parts/parts.css';

const texts = policies.usage;

/** The cap as a bar: paid, under way, left. The words beside it say the same exactly. */
export function UsageMeter({ policy }: { policy: AutomationPolicy }) {
  const { asset, cumulative_limit: cap, usage } = policy;
  if (cap === null) return <p className="soft">{texts.noCap}</p>;
  const spent = percentOf(usage.spent, cap);
  const reserved = Math.min(percentOf(usage.reserved, cap), 100 - spent);
  return (
    <div className="stack-tight">
      <div className="row-between">
        <strong>{texts.title}</strong>
        <span>
          {cap} {asset}
        </span>
      </div>
      <div className="meter" aria-hidden="true">
        <span data-part="spent" style={{ width: `${spent}%` }} />
        <span data-part="reserved" style={{ width: `${reserved}%` }} />
      </div>
      <p className="row">
        <Part part="spent" name={texts.spent} amount={usage.spent} asset={asset} />
        <Part part="reserved" name={texts.reserved} amount={usage.reserved} asset={asset} />
        <Part part="remaining" name={texts.remaining} amount={usage.remaining ?? '0'} asset={asset} />
      </p>
      <p className="visually-hidden">{texts.share(percentWords((spent + reserved) / 100))}</p>
    </div>
  );
}

function Part({ part, name, amount, asset }: { part: string; name: string; amount: string; asset: string }) {
  return (
    <span className="row">
      <span className="key" data-part={part} aria-hidden="true" />
      {name}: {amount} {asset}
    </span>
  );
}
