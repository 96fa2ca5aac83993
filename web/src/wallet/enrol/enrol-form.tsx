import type { EnrolInput } from '@payassent/sdk';
import { type FormEvent, useState } from 'react';
import { connect, enrol } from '../../texts/wallet.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { CheckboxField, TextField } from '../../ui/fields.tsx';
import { ScanButton } from '../connect/scan-button.tsx';

export type EnrolWay = 'new' | 'link' | 'recovery';

const ACTIONS = { new: enrol.create, link: enrol.join, recovery: enrol.recover } as const;
const LINK_CODE = /^svc_lc_\w+$/;

interface EnrolFormProps {
  way: EnrolWay;
  onSubmit(input: EnrolInput): Promise<void>;
}

export function EnrolForm({ way, onSubmit }: EnrolFormProps) {
  const [name, setName] = useState<string>(enrol.defaultDeviceName);
  const [code, setCode] = useState('');
  const [isAlone, setAlone] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await onSubmit({ name: name.trim(), platform: 'web', ...codeOf(way, code.trim(), isAlone) });
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
          label={way === 'link' ? enrol.linkCode.label : enrol.recoveryCode.label}
          hint={way === 'link' ? enrol.linkCode.hint : enrol.recoveryCode.hint}
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
      {error === undefined ? null : <ErrorNote error={error} />}
      <div>
        <Button type="submit" kind="main" size="large" isBusy={isBusy}>
          {ACTIONS[way]}
        </Button>
      </div>
    </form>
  );
}

function codeOf(way: EnrolWay, code: string, isAlone: boolean): Partial<EnrolInput> {
  if (way === 'link') return { link_code: code };
  return way === 'recovery' ? { recovery_code: code, revoke_others: isAlone } : {};
}
