import { networkRow } from '@payassent/protocol';
import type { RecipientVersion } from '@payassent/sdk';
import { recipientTexts } from '../../texts/portal/recipients.ts';
import { Address, type Fact, Facts } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';

const texts = recipientTexts.facts;

/** What is paid, in full: nothing is shortened, and the network stands beside the address that belongs to it. */
export function VersionFacts({ version }: { version: RecipientVersion }) {
  const { title, isTestnet } = networkRow(version.network);
  return (
    <Facts
      facts={[
        [texts.name, <ForeignText key="name">{version.name}</ForeignText>],
        [texts.network, isTestnet ? `${title} (${texts.testnet})` : title],
        [texts.asset, <ForeignText key="asset">{version.asset}</ForeignText>],
        [texts.address, <Address key="address">{version.address}</Address>],
        version.memo_policy === 'request' ? [texts.memo, texts.ownMemo] : null,
        optional(texts.memo, version.memo, (memo) => <ForeignText key="memo">{memo}</ForeignText>),
        optional(texts.issuer, version.issuer, (issuer) => <Address key="issuer">{issuer}</Address>),
        optional(texts.contract, version.contract, (contract) => (
          <Address key="contract">{contract}</Address>
        )),
        version.contract === null ? null : [texts.decimals, String(version.decimals)],
      ]}
    />
  );
}

function optional(name: string, value: string | null, show: (value: string) => Fact[1]): Fact | null {
  return value === null ? null : [name, show(value)];
}
