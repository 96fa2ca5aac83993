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

/** One line among the pinned details: the payee's state in the transparency log, verified on this device. */
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

/** Warns of a payee that failed the check, or could not be checked. */
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

/** The log that this wallet is shown differs from the log of others, or does not verify: no approval. */
export function speaksAgainst(check: ReturnType<typeof usePayeeCheck>): boolean {
  return check?.state === 'forked' || check?.state === 'broken';
}

/** Stored with the credential, and deleted with it. */
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
    // One page of this browser at a time: each check builds on the tree that the previous one stored.
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

/** The customer accepts the present log as the true one. */
function forgetKnownLog(): Promise<void> {
  return deleteEntry('device', KNOWN);
}
