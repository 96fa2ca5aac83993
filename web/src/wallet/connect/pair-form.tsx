import { normalisePairingCode, parsePairingWebLink } from '@payassent/protocol';
import { isApiError, type PairingSession, readPairingUri } from '@payassent/sdk';
import { useEffect, useRef, useState } from 'react';
import { connect } from '../../texts/wallet.ts';
import { useAction } from '../../ui/action.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { useWallet } from '../session/session.tsx';
import { ScanButton } from './scan-button.tsx';

const { pair } = connect;

export interface FoundPairing {
  session: PairingSession;
  code: string;
}

interface PairFormProps {
  /** A code from the address; empty without one. It finds the agent, and approves nothing. */
  linked: string;
  onFound(found: FoundPairing): void;
}

export function PairForm({ linked, onFound }: PairFormProps) {
  const client = useWallet();
  const [typed, setTyped] = useState(linked);
  const [problem, setProblem] = useState<string>();
  const finding = useAction();
  const find = (text: string) => {
    const read = readCode(text);
    setProblem(read.problem);
    if (read.code === undefined) return undefined;
    const { code } = read;
    return finding.run(async () => {
      try {
        onFound({ session: (await client.pairing.find(code)).pairing_session, code });
      } catch (error) {
        if (!isApiError(error, 'resource_not_found')) throw error;
        setProblem(pair.unknown);
      }
    });
  };
  const hasBegun = useRef(linked === '');
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    void find(linked);
  });
  return (
    <section className="card stack" aria-labelledby="pair-title">
      <h2 id="pair-title">{pair.title}</h2>
      <p>{pair.text}</p>
      <Form
        className="stack"
        action={pair.action}
        error={finding.error}
        run={() => find(typed)}
        extra={
          <ScanButton
            accept={(text) => readCode(text).problem}
            onText={(text) => {
              setTyped(text);
              void find(text);
            }}
          />
        }
      >
        <TextField
          label={pair.label}
          placeholder={pair.placeholder}
          error={problem}
          value={typed}
          spellCheck={false}
          autoCapitalize="characters"
          onValue={setTyped}
        />
      </Form>
    </section>
  );
}

/** A code as typed, or the link that an agent shows; a link of another service is refused with its name. */
function readCode(text: string): { code?: string; problem?: string } {
  const link = readPairingUri(text.trim()) ?? parsePairingWebLink(text.trim());
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
