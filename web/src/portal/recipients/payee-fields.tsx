import { deriveFacts, describeMemo, networkRow, requestMemoProblem } from '@payassent/protocol';
import { fetchNetworks, type NetworkInfo } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { recipientTexts } from '../../texts/portal/recipients.ts';
import { Address } from '../../ui/facts.tsx';
import { TextField } from '../../ui/fields.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import {
  factsOf,
  hasOwnMemos,
  OTHER_ASSET,
  type OtherAsset,
  otherAssets,
  type PayeeDraft,
  plainAssets,
  withNetwork,
} from './payee-facts.ts';

const texts = recipientTexts.form;

/** The choice that unfolds the other networks; no network has this name. */
const OTHERS = '…';

export function PayeeFields({ draft, onChange }: PayeeFieldsProps) {
  const row = networkRow(draft.network);
  const other = otherAssets(row);
  const assetChoices = plainAssets(row).map((symbol) => ({ value: symbol, label: symbol }));
  if (other !== undefined) assetChoices.push({ value: OTHER_ASSET, label: texts[other] });
  const isOther = draft.assetChoice === OTHER_ASSET;
  return (
    <>
      <NetworkField draft={draft} onChange={onChange} />
      <SelectField
        label={texts.asset}
        name={isOther ? undefined : 'asset'}
        choices={assetChoices}
        value={draft.assetChoice}
        onValue={(assetChoice) => onChange({ ...draft, assetChoice })}
      />
      {isOther ? <TokenFields draft={draft} onChange={onChange} kind={other} /> : null}
      <TextField
        label={texts.address}
        hint={texts.addressHint}
        name="address"
        required
        spellCheck={false}
        autoCapitalize="none"
        value={draft.address}
        onValue={(address) => onChange({ ...draft, address })}
      />
      <AddressPreview draft={draft} />
      {requestMemoProblem(row, draft.address.trim()) === undefined ? (
        <SelectField
          label={texts.memoPolicy}
          hint={texts.memoPolicyHint}
          name="memo_policy"
          choices={texts.memoPolicies}
          value={draft.hasOwnMemos ? 'request' : 'fixed'}
          onValue={(policy) => onChange({ ...draft, hasOwnMemos: policy === 'request' })}
        />
      ) : null}
      {row.memo.kind === 'none' || hasOwnMemos(draft) ? null : (
        <TextField
          label={texts.memoLabels[row.memo.name] ?? row.memo.name}
          hint={texts.memoHint(describeMemo(row.memo))}
          name="memo"
          value={draft.memo}
          onValue={(memo) => onChange({ ...draft, memo })}
        />
      )}
    </>
  );
}

/** Networks that can be activated here are offered; the last choice unfolds the others, which can only be stored. */
function NetworkField({ draft, onChange }: PayeeFieldsProps) {
  const [isUnfolded, setUnfolded] = useState(false);
  const networks = useNetworks().data ?? [];
  const choices = networks
    .filter(({ enabled, network }) => enabled || isUnfolded || network === draft.network)
    .toSorted((a, b) => Number(b.enabled) - Number(a.enabled))
    .map(({ network, enabled }) => {
      const { title } = networkRow(network);
      return { value: network as string, label: enabled ? title : texts.notEnabled(title) };
    });
  const isFolded = choices.length < networks.length;
  return (
    <SelectField
      label={texts.network}
      hint={texts.networkHint}
      name="network"
      choices={isFolded ? [...choices, { value: OTHERS, label: texts.otherNetworks }] : choices}
      value={draft.network}
      onValue={(network) => (network === OTHERS ? setUnfolded(true) : onChange(withNetwork(draft, network)))}
    />
  );
}

/** The whole address in groups, as soon as it passes the check of its network. */
function AddressPreview({ draft }: { draft: PayeeDraft }) {
  const derived = deriveFacts(factsOf(draft));
  if (!derived.ok) return null;
  return (
    <div className="address-preview stack-tight">
      <span className="soft">{texts.preview}</span>
      <Address>{derived.facts.address}</Address>
    </div>
  );
}

interface PayeeFieldsProps {
  draft: PayeeDraft;
  onChange(draft: PayeeDraft): void;
}

/** The details that an asset other than the network's native one needs. */
function TokenFields({ draft, onChange, kind }: PayeeFieldsProps & { kind: OtherAsset }) {
  const field = (member: 'code' | 'issuer' | 'contract' | 'decimals', name: string = member) => ({
    ...{ label: texts[member], hint: texts[`${member}Hint`], name, value: draft[member] },
    ...{ required: true, spellCheck: false, autoCapitalize: 'none' },
    onValue: (value: string) => onChange({ ...draft, [member]: value }),
  });
  return (
    <>
      <TextField {...field('code', 'asset')} />
      {kind === 'issued' ? (
        <TextField {...field('issuer')} />
      ) : (
        <>
          <TextField {...field('contract')} />
          <TextField {...field('decimals')} inputMode="numeric" pattern="[0-9]+" />
        </>
      )}
    </>
  );
}

/** Every network, test networks first: most merchants begin there. Which of them are enabled changes with a restart. */
export function useNetworks() {
  return useQuery({
    queryKey: ['networks'],
    queryFn: async ({ signal }): Promise<NetworkInfo[]> => {
      const client = { baseUrl: location.origin, allowInsecureHttp: true };
      const { networks } = await fetchNetworks(client, { signal });
      return networks.toSorted((a, b) => Number(b.is_testnet) - Number(a.is_testnet));
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}
