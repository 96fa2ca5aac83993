import { createHash } from 'node:crypto';
import { type Behaviour, startHttpReceiver, type TestReceiver } from './http-receiver.ts';

/** A transaction as the stand-in tells it. */
export interface ToldTransaction {
  to: string;
  amount: string;
  memo?: string;
  isFailed?: boolean;
  /** In a ledger of another hash than the other stand-ins say. */
  fork?: string;
}

/** A stand-in for Horizon over real HTTP: the members that the observer reads, in the form in which Horizon writes them. */
export interface StandInHorizon {
  receiver: TestReceiver;
  has(txHash: string, told: ToldTransaction): void;
  lacks(txHash: string): void;
  /** Whatever is asked; undefined: as Horizon does. */
  behaves(behaviour: Behaviour | undefined): void;
  /** How often it was asked about this transaction. */
  asked(txHash: string): number;
}

const LEDGER = 4242;
const CLOSED_AT = '2026-11-15T12:00:00Z';

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
    // The newest transaction that was asked for decides which fork is shown: a test asks for one at a time.
    if (path.startsWith('/ledgers/'))
      return json({ ...ledger, hash: ledgerHash([...known.values()].at(-1)?.fork ?? '') });
    if (!told) return json({ status: 404, title: 'Resource Missing' }, 404);
    if (more) return page([effectOf(told)]);
    const memo = told.memo === undefined ? { memo_type: 'none' } : { memo_type: 'text', memo: told.memo };
    return json({ hash, ledger: LEDGER, successful: !told.isFailed, ...memo });
  });
  return {
    receiver,
    has: (txHash, told) => void known.set(txHash, told),
    lacks: (txHash) => void known.delete(txHash),
    behaves(behaviour) {
      other = behaviour;
    },
    asked: (txHash) =>
      receiver.requests.filter(({ path }) => path.startsWith(`/transactions/${txHash}`)).length,
  };
}

const ledgerHash = (fork: string) => createHash('sha256').update(`ledger ${LEDGER} ${fork}`).digest('hex');

const effectOf = ({ to, amount }: ToldTransaction) => ({
  type: 'account_credited',
  account: to,
  asset_type: 'native',
  amount,
  paging_token: '18219150376108033-1',
});

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
