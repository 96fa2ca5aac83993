import { normalisePairingCode } from '@payassent/protocol';
import { isApiError, type PairingSession, readPairingUri } from '@payassent/sdk';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { connect } from '../../texts/wallet.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/fields.tsx';
import { useWallet } from '../session/session.tsx';
import { ScanButton } from './scan-button.tsx';

const { pair } = connect;

export interface FoundPairing {
  session: PairingSession;
  code: string;
}

interface PairFormProps {
  /** A code that came with the address; empty without. It finds who asks, and approves nothing. */
  linked: string;
  onFound(found: FoundPairing): void;
}

export function PairForm({ linked, onFound }: PairFormProps) {
  const client = useWallet();
  const [typed, setTyped] = useState(linked);
  const [problem, setProblem] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const find = async (text: string) => {
    const read = readCode(text);
    setProblem(read.problem);
    setError(undefined);
    if (read.code === undefined) return;
    setBusy(true);
    try {
      const { pairing_session } = await client.pairing.find(read.code);
      onFound({ session: pairing_session, code: read.code });
    } catch (refusal) {
      if (isApiError(refusal, 'resource_not_found')) setProblem(pair.unknown);
      else setError(refusal);
      setBusy(false);
    }
  };
  const hasBegun = useRef(linked === '');
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    void find(linked);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void find(typed);
  };
  return (
    <section className="card stack" aria-labelledby="pair-title">
      <h2 id="pair-title">{pair.title}</h2>
      <p>{pair.text}</p>
      <form className="stack" onSubmit={submit}>
        <TextField
          label={pair.label}
          placeholder={pair.placeholder}
          error={problem}
          value={typed}
          spellCheck={false}
          autoCapitalize="characters"
          onChange={(event) => setTyped(event.target.value)}
        />
        {error === undefined ? null : <ErrorNote error={error} />}
        <div className="row">
          <Button type="submit" kind="main" isBusy={isBusy}>
            {pair.action}
          </Button>
          <ScanButton
            accept={(text) => readCode(text).problem}
            onText={(text) => {
              setTyped(text);
              void find(text);
            }}
          />
        </div>
      </form>
    </section>
  );
}

/** A code as typed, or the link that an agent shows; a link of another service is refused with its name. */
function readCode(text: string): { code?: string; problem?: string } {
  const link = readPairingUri(text.trim());
  const code = link?.code ?? normalisePairingCode(text.trim().replaceAll(' ', ''));
  if (code === undefined) return { problem: pair.unreadable };
  if (link !== undefined && !isThisService(link.origin)) return { problem: pair.foreign(link.origin) };
  return { code };
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** On a loopback address its names are one, as for the service itself. */
function isThisService(origin: string): boolean {
  const other = new URL(origin);
  if (other.origin === location.origin) return true;
  return LOOPBACK.has(other.hostname) && LOOPBACK.has(location.hostname) && other.port === location.port;
}
