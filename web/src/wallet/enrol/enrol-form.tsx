import { parseToken } from '@payassent/protocol';
import { type EnrolInput, isApiError } from '@payassent/sdk';
import { type FormEvent, useState } from 'react';
import { connect, enrol } from '../../texts/wallet.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { CheckboxField, TextField } from '../../ui/fields.tsx';
import { Note } from '../../ui/notes.tsx';
import { ScanButton } from '../connect/scan-button.tsx';

type EnrolWay = 'new' | 'link' | 'recovery';

const ACTIONS = { new: 'create', link: 'join', recovery: 'recover' } as const;
const WORDS = { link: enrol.linkCode, recovery: enrol.recoveryCode } as const;
const KINDS = { link: 'wallet_link_code', recovery: 'recovery_code' } as const;
const LINK_CODE = /^svc_lc_\w+$/;

interface EnrolFormProps {
  way: EnrolWay;
  onSubmit(input: EnrolInput): Promise<void>;
}

export function EnrolForm({ way, onSubmit }: EnrolFormProps) {
  const [name, setName] = useState<string>(enrol.defaultDeviceName);
  const [code, setCode] = useState('');
  const [typo, setTypo] = useState<string>();
  const [isAlone, setAlone] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setError(undefined);
    // Codes end with a checksum: a typo is known before anyone is asked.
    const typo =
      way !== 'new' && parseToken(bareCode(code))?.kind !== KINDS[way] ? WORDS[way].typo : undefined;
    setTypo(typo);
    if (typo !== undefined) return;
    setBusy(true);
    try {
      await onSubmit({ name: name.trim(), platform: 'web', ...codeOf(way, bareCode(code), isAlone) });
    } catch (refusal) {
      setError(refusal);
      setBusy(false);
    }
  };
  return (
    <form className="stack" onSubmit={submit}>
      {way === 'new' ? <p>{enrol.newExplains}</p> : null}
      {way === 'new' ? null : (
        <TextField
          label={WORDS[way].label}
          hint={WORDS[way].hint}
          error={typo}
          value={code}
          spellCheck={false}
          required
          onChange={(event) => setCode(event.target.value)}
        />
      )}
      {way === 'link' ? (
        <ScanButton
          accept={(text) => (LINK_CODE.test(text) ? undefined : connect.scanner.wrong)}
          onText={setCode}
        />
      ) : null}
      <TextField
        label={enrol.deviceName.label}
        hint={enrol.deviceName.hint}
        value={name}
        maxLength={200}
        required
        onChange={(event) => setName(event.target.value)}
      />
      {way === 'recovery' ? (
        <CheckboxField
          label={enrol.signOutOthers.label}
          hint={enrol.signOutOthers.hint}
          checked={isAlone}
          onChange={(event) => setAlone(event.target.checked)}
        />
      ) : null}
      {error === undefined ? null : <Refusal error={error} way={way} />}
      <div>
        <Button type="submit" kind="main" size="large" isBusy={isBusy}>
          {enrol[ACTIONS[way]]}
        </Button>
      </div>
    </form>
  );
}

/** Of a code that has the right form: what can be wrong with it, and what helps, differs by its kind. */
function Refusal({ error, way }: { error: unknown; way: EnrolWay }) {
  if (way === 'new' || !isApiError(error, 'link_invalid')) return <ErrorNote error={error} />;
  return (
    <Note kind="bad">
      <strong>{WORDS[way].refused.title}</strong>
      <span>{WORDS[way].refused.next}</span>
    </Note>
  );
}

/** Kits and papers show it in groups. */
function bareCode(typed: string): string {
  return typed.replace(/\s+/g, '');
}

function codeOf(way: EnrolWay, code: string, isAlone: boolean): Partial<EnrolInput> {
  if (way === 'link') return { link_code: code };
  return way === 'recovery' ? { recovery_code: code, revoke_others: isAlone } : {};
}
