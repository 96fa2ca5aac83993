import { explorerUrl, type Network } from '@payassent/protocol';
import type { Settlement } from '@payassent/sdk';
import { settlement as texts } from '../texts/settlement.ts';

interface Props {
  network: Network;
  txHash: string;
  settlement: Settlement | null | undefined;
}

/** The settlement of a reported transaction, or that no observer has checked it. */
export function SettlementLine({ network, txHash, settlement }: Props) {
  const facts = settlement?.differences.map(({ fact }) => texts.facts[fact]) ?? [];
  return (
    <span data-settlement={settlement?.state ?? 'unchecked'}>
      {settlement ? texts.states[settlement.state] : texts.unchecked}
      {facts.length > 0 ? ` (${facts.join(', ')})` : ''}
      {' · '}
      <a href={explorerUrl(network, txHash)} target="_blank" rel="noreferrer noopener">
        {texts.view}
      </a>
    </span>
  );
}
