import { deriveFacts, describeMemo, NETWORK_TABLE, networkRow } from '@payassent/protocol';
import { recipientTexts } from '../../texts/portal/recipients.ts';
import { fieldError } from '../../ui/error-note.tsx';
import { Address } from '../../ui/facts.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import {
  factsOf,
  OTHER_ASSET,
  otherAssets,
  type PayeeDraft,
  plainAssets,
  withNetwork,
} from './payee-facts.ts';
import { type PayeeFieldsProps, TokenFields } from './token-fields.tsx';

const texts = recipientTexts.form;

/** Field names under which the service reports problems of what is asked here. */
export const PAYEE_FIELDS = ['name', 'network', 'asset', 'address', 'memo', 'contract', 'issuer', 'decimals'];

// Test networks first: it is where everybody begins, and what is enabled unless the operator says otherwise.
const NETWORK_CHOICES = NETWORK_TABLE.toSorted((a, b) => Number(b.isTestnet) - Number(a.isTestnet)).map(
  ({ network, title }) => ({ value: network, label: title }),
);

export function PayeeFields({ draft, onChange, error }: PayeeFieldsProps) {
  const row = networkRow(draft.network);
  const other = otherAssets(row);
  const assetChoices = plainAssets(row).map((symbol) => ({ value: symbol, label: symbol }));
  if (other !== undefined) assetChoices.push({ value: OTHER_ASSET, label: texts[other] });
  const isOther = draft.assetChoice === OTHER_ASSET;
  return (
    <>
      <SelectField
        label={texts.network}
        hint={texts.networkHint}
        error={fieldError(error, 'network')}
        choices={NETWORK_CHOICES}
        value={draft.network}
        onChange={(event) => onChange(withNetwork(draft, event.target.value))}
      />
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
      {row.memo.kind === 'none' ? null : (
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
