import { deriveFacts, describeMemo, networkRow, requestMemoProblem } from '@payassent/protocol';
import { fetchNetworks, type NetworkInfo } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { recipientTexts } from '../../texts/portal/recipients.ts';
import { fieldError } from '../../ui/error-note.tsx';
import { Address } from '../../ui/facts.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
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

const tokenFieldsTexts = recipientTexts.form;

interface PayeeFieldsProps {
  draft: PayeeDraft;
  onChange(draft: PayeeDraft): void;
  error: unknown;
}

/** What must be said about an asset that is not the network's own. */
function TokenFields({ draft, onChange, error, kind }: PayeeFieldsProps & { kind: OtherAsset }) {
  const plain = { required: true, spellCheck: false, autoCapitalize: 'none' };
  return (
    <>
      <TextField
        {...plain}
        label={tokenFieldsTexts.code}
        hint={tokenFieldsTexts.codeHint}
        error={fieldError(error, 'asset')}
        value={draft.code}
        onChange={(event) => onChange({ ...draft, code: event.target.value })}
      />
      {kind === 'issued' ? (
        <TextField
          {...plain}
          label={tokenFieldsTexts.issuer}
          hint={tokenFieldsTexts.issuerHint}
          error={fieldError(error, 'issuer')}
          value={draft.issuer}
          onChange={(event) => onChange({ ...draft, issuer: event.target.value })}
        />
      ) : (
        <>
          <TextField
            {...plain}
            label={tokenFieldsTexts.contract}
            hint={tokenFieldsTexts.contractHint}
            error={fieldError(error, 'contract')}
            value={draft.contract}
            onChange={(event) => onChange({ ...draft, contract: event.target.value })}
          />
          <TextField
            {...plain}
            label={tokenFieldsTexts.decimals}
            hint={tokenFieldsTexts.decimalsHint}
            error={fieldError(error, 'decimals')}
            inputMode="numeric"
            pattern="[0-9]+"
            value={draft.decimals}
            onChange={(event) => onChange({ ...draft, decimals: event.target.value })}
          />
        </>
      )}
    </>
  );
}

/** Every network, test networks first: it is where everybody begins. Which of them are enabled changes with a restart. */
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
