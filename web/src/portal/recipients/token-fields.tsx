import { recipientTexts } from '../../texts/portal/recipients.ts';
import { fieldError } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/fields.tsx';
import type { OtherAsset, PayeeDraft } from './payee-facts.ts';

const texts = recipientTexts.form;

export interface PayeeFieldsProps {
  draft: PayeeDraft;
  onChange(draft: PayeeDraft): void;
  error: unknown;
}

/** What must be said about an asset that is not the network's own. */
export function TokenFields({ draft, onChange, error, kind }: PayeeFieldsProps & { kind: OtherAsset }) {
  const plain = { required: true, spellCheck: false, autoCapitalize: 'none' };
  return (
    <>
      <TextField
        {...plain}
        label={texts.code}
        hint={texts.codeHint}
        error={fieldError(error, 'asset')}
        value={draft.code}
        onChange={(event) => onChange({ ...draft, code: event.target.value })}
      />
      {kind === 'issued' ? (
        <TextField
          {...plain}
          label={texts.issuer}
          hint={texts.issuerHint}
          error={fieldError(error, 'issuer')}
          value={draft.issuer}
          onChange={(event) => onChange({ ...draft, issuer: event.target.value })}
        />
      ) : (
        <>
          <TextField
            {...plain}
            label={texts.contract}
            hint={texts.contractHint}
            error={fieldError(error, 'contract')}
            value={draft.contract}
            onChange={(event) => onChange({ ...draft, contract: event.target.value })}
          />
          <TextField
            {...plain}
            label={texts.decimals}
            hint={texts.decimalsHint}
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
