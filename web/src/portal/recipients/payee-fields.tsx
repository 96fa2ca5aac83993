import { deriveFacts, describeMemo, networkRow, requestMemoProblem } from '@payassent/protocol';
import { useState } from 'react';
import { recipientTexts } from '../../texts/portal/recipients.ts';
import { fieldError } from '../../ui/error-note.tsx';
import { Address } from '../../ui/facts.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import {
  factsOf,
  hasOwnMemos,
  OTHER_ASSET,
  otherAssets,
  type PayeeDraft,
  plainAssets,
  withNetwork,
} from './payee-facts.ts';
import { type PayeeFieldsProps, TokenFields } from './token-fields.tsx';
import { useNetworks } from './use-networks.ts';

const texts = recipientTexts.form;

/** Field names under which the service reports problems of what is asked here. */
export const PAYEE_FIELDS = [
  'name',
  'network',
  'asset',
  'address',
  'memo',
  'memo_policy',
  'contract',
  'issuer',
  'decimals',
];

/** Stands for what is folded in the choice; no network has such a name. */
const OTHERS = '…';

export function PayeeFields({ draft, onChange, error }: PayeeFieldsProps) {
  const row = networkRow(draft.network);
  const other = otherAssets(row);
  const assetChoices = plainAssets(row).map((symbol) => ({ value: symbol, label: symbol }));
  if (other !== undefined) assetChoices.push({ value: OTHER_ASSET, label: texts[other] });
  const isOther = draft.assetChoice === OTHER_ASSET;
  return (
    <>
      <NetworkField draft={draft} onChange={onChange} error={error} />
      <SelectField
        label={texts.asset}
        error={isOther ? undefined : fieldError(error, 'asset')}
        choices={assetChoices}
        value={draft.assetChoice}
        onChange={(event) => onChange({ ...draft, assetChoice: event.target.value })}
      />
      {isOther ? <TokenFields draft={draft} onChange={onChange} error={error} kind={other} /> : null}
      <TextField
        label={texts.address}
        hint={texts.addressHint}
        error={fieldError(error, 'address')}
        required
        spellCheck={false}
        autoCapitalize="none"
        value={draft.address}
        onChange={(event) => onChange({ ...draft, address: event.target.value })}
      />
      <AddressPreview draft={draft} />
      {requestMemoProblem(row, draft.address.trim()) === undefined ? (
        <SelectField
          label={texts.memoPolicy}
          hint={texts.memoPolicyHint}
          error={fieldError(error, 'memo_policy')}
          choices={[
            { value: 'fixed', label: texts.memoPolicies.fixed },
            { value: 'request', label: texts.memoPolicies.request },
          ]}
          value={draft.hasOwnMemos ? 'request' : 'fixed'}
          onChange={({ target }) => onChange({ ...draft, hasOwnMemos: target.value === 'request' })}
        />
      ) : null}
      {row.memo.kind === 'none' || hasOwnMemos(draft) ? null : (
        <TextField
          label={texts.memoLabels[row.memo.name] ?? row.memo.name}
          hint={texts.memoHint(describeMemo(row.memo))}
          error={fieldError(error, 'memo')}
          value={draft.memo}
          onChange={(event) => onChange({ ...draft, memo: event.target.value })}
        />
      )}
    </>
  );
}

/** What can be activated here is offered; the rest can be stored, and is unfolded by the last choice. */
function NetworkField({ draft, onChange, error }: PayeeFieldsProps) {
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
      error={fieldError(error, 'network')}
      choices={isFolded ? [...choices, { value: OTHERS, label: texts.otherNetworks }] : choices}
      value={draft.network}
      onChange={({ target }) =>
        target.value === OTHERS ? setUnfolded(true) : onChange(withNetwork(draft, target.value))
      }
    />
  );
}

/** As soon as the address passes the check of its network: the whole of it, in groups. */
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
