import { createHash } from 'node:crypto';
import { type Behaviour, startHttpReceiver, type TestReceiver } from './http-receiver.ts';

/** A transaction as the stand-in reports it. */
export interface ToldTransaction {
  to: string;
  amount: string;
  memo?: string;
  /** A hash memo, in hex. */
  memoHash?: string;
  isFailed?: boolean;
  /** Further payments by the same transaction. */
  others?: readonly { to: string; amount: string }[];
  /** What the payee pays by the same transaction. */
  debited?: string;
  /** The fee bump that carried it; the stand-in finds the transaction by both hashes. */
  feeBump?: string;
  /** In a ledger of this time. */
  closedAt?: string;
  /** In a ledger whose hash differs from that of the other stand-ins. */
  fork?: string;
}

/** A stand-in for Horizon over real HTTP: the members that the observer reads, in Horizon's format. */
export interface StandInHorizon {
  receiver: TestReceiver;
  has(txHash: string, told: ToldTransaction): void;
  lacks(txHash: string): void;
  /** The response to every request; undefined: as Horizon responds. */
  behaves(behaviour: Behaviour | undefined): void;
  /** How many requests for this transaction it got. */
  asked(txHash: string): number;
}

const LEDGER = 4242;
/** Later than every request that a test makes, however far it moves the clock. */
const CLOSED_AT = '2046-11-15T12:00:00Z';
const OLDER_LEDGER = 4000;

export async function startHorizon(): Promise<StandInHorizon> {
  const receiver = await startHttpReceiver();
  const known = new Map<string, ToldTransaction>();
  let other: Behaviour | undefined;
  const ledger = { sequence: LEDGER, closed_at: CLOSED_AT, hash: ledgerHash('') };
  receiver.script(({ path }) => {
    if (other) return other;
    const [, hash = '', more] = /^\/transactions\/([0-9a-f]{64})(\/effects)?/.exec(path) ?? [];
    const told = known.get(hash);
    if (path.startsWith('/ledgers?')) return page([ledger]);
    // The newest transaction that was requested decides which fork is shown: a test requests one at a time.
    if (path.startsWith('/ledgers/')) {
      const newest = [...known.values()].at(-1);
      const older = [...known.values()].findLast(({ closedAt }) => closedAt !== undefined);
      if (older && path === `/ledgers/${OLDER_LEDGER}`)
        return json({ sequence: OLDER_LEDGER, closed_at: older.closedAt, hash: ledgerHash('older') });
      return json({ ...ledger, hash: ledgerHash(newest?.fork ?? '') });
    }
    if (!told) return json({ status: 404, title: 'Resource Missing' }, 404);
    if (more) return page(effectsOf(told));
    const memo = memoOf(told);
    const at = told.closedAt === undefined ? LEDGER : OLDER_LEDGER;
    const bump = told.feeBump === undefined ? {} : { fee_bump_transaction: { hash: told.feeBump } };
    return json({ hash, ledger: at, successful: !told.isFailed, ...memo, ...bump });
  });
  return {
    receiver,
    has(txHash, told) {
      known.set(txHash, told);
      if (told.feeBump !== undefined) known.set(told.feeBump, told);
    },
    lacks: (txHash) => void known.delete(txHash),
    behaves(behaviour) {
      other = behaviour;
    },
    asked: (txHash) =>
      receiver.requests.filter(({ path }) => path.startsWith(`/transactions/${txHash}`)).length,
  };
}

const ledgerHash = (fork: string) => createHash('sha256').update(`ledger ${LEDGER} ${fork}`).digest('hex');

function memoOf({ memo, memoHash }: ToldTransaction) {
  if (memoHash !== undefined)
    return { memo_type: 'hash', memo: Buffer.from(memoHash, 'hex').toString('base64') };
  return memo === undefined ? { memo_type: 'none' } : { memo_type: 'text', memo };
}

const effectsOf = ({ to, amount, others = [], debited }: ToldTransaction) =>
  [
    ...[{ to, amount }, ...others].map((paid) => ({ ...paid, type: 'account_credited' })),
    ...(debited === undefined ? [] : [{ to, amount: debited, type: 'account_debited' }]),
  ].map(({ to: account, ...effect }, place) => ({
    ...effect,
    account,
    asset_type: 'native',
    paging_token: `18219150376108033-${place + 1}`,
  }));

function json(body: unknown, status = 200): Behaviour {
  return {
    kind: 'answer',
    status,
    headers: { 'content-type': 'application/hal+json' },
    body: JSON.stringify(body),
  };
}

function page(records: readonly unknown[]): Behaviour {
  return json({ _embedded: { records } });
}
