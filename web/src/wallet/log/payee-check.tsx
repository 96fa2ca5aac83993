import type { PublishedKey } from '@payassent/protocol/evidence';
import type { WalletClient } from '@payassent/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { review } from '../../texts/wallet.ts';
import { ConfirmButton } from '../../ui/action-buttons.tsx';
import { Moment } from '../../ui/facts.tsx';
import { Note } from '../../ui/notes.tsx';
import type { Payment } from '../payments/payment.ts';
import { useWallet } from '../session/session.tsx';
import { deleteEntry, readEntry, writeEntry } from '../storage/database.ts';
import { checkPayee, type KnownLog, type LogTools } from './check-payee.ts';

const texts = review.log;

/** One line among the facts: what the public log says about the payee, as this device has computed it. */
export function LogLine({ payment }: { payment: Payment }) {
  const check = usePayeeCheck(payment);
  return (
    <span data-fact="log" data-state={check?.state ?? 'checking'}>
      {check === undefined ? (
        texts.checking
      ) : check.state === 'verified' ? (
        <>
          {texts.verified} <Moment>{check.since}</Moment>
        </>
      ) : (
        texts.lines[check.state]
      )}
    </span>
  );
}

/** What speaks against the payee, or keeps it from being checked. */
export function LogNote({ payment }: { payment: Payment }) {
  const check = usePayeeCheck(payment);
  if (check === undefined || check.state === 'verified') return null;
  const { state } = check;
  const isLie = speaksAgainst(check);
  return (
    <Note kind={isLie ? 'bad' : 'warn'}>
      <strong>{texts.lines[state]}</strong>
      <span>{texts.explain[state]}</span>
      {state === 'broken' ? <span className="soft">{check.why}</span> : null}
      {state === 'new_key' || state === 'forked' ? (
        <ConfirmButton texts={texts.trust} run={() => forgetKnownLog()} refreshes={['payee-check']} />
      ) : null}
    </Note>
  );
}

/** Somebody tells this wallet something else than the world: nothing is approved on such a word. */
export function speaksAgainst(check: ReturnType<typeof usePayeeCheck>): boolean {
  return check?.state === 'forked' || check?.state === 'broken';
}

/** Beside the credential, and forgotten with it. */
const KNOWN = 'log';
const AGAIN_MS = 10_000;

function logTools(client: WalletClient): LogTools {
  return {
    evidence: ({ kind, id, connectionId }) =>
      kind === 'agent'
        ? client.agentPayments.evidence(id)
        : client.paymentRequests.evidence(id, { connection_id: connectionId }),
    keys: async () => {
      const answer = await readPublic('/.well-known/svc-keys.json');
      return ((await answer.json()) as { keys: PublishedKey[] }).keys;
    },
    readTile: async (path) => new Uint8Array(await (await readPublic(`/log/${path}`)).arrayBuffer()),
    known: () => readEntry<KnownLog>('device', KNOWN),
    keep: (known) => writeEntry('device', KNOWN, known),
  };
}

async function readPublic(path: string): Promise<Response> {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer;
}

function payeeCheckQuery(client: WalletClient, payment: Payment) {
  return queryOptions({
    queryKey: ['payee-check', payment.key],
    // One page of this browser at a time: what one has seen, the next one builds on.
    queryFn: () => navigator.locks.request('log', () => checkPayee(logTools(client), payment)),
    enabled: payment.payee?.domain !== undefined || payment.payee?.isMisspelled === true,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) =>
      state.data?.state === 'unreachable' || state.data?.state === 'not_logged' ? AGAIN_MS : false,
  });
}

export function usePayeeCheck(payment: Payment) {
  return useQuery(payeeCheckQuery(useWallet(), payment)).data;
}

/** The person takes the log as it is now for the true one. */
function forgetKnownLog(): Promise<void> {
  return deleteEntry('device', KNOWN);
}
