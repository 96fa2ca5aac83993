import { compareDecimals } from '@payassent/protocol';
import type { ChainRow } from '../run/chain.ts';
import { eventsOf, finding, groupBy, type Invariant, recordName, recordsOf } from './evidence.ts';
import type { Row, Tables } from './tables.ts';

const settlementName = (row: Row<'settlements'>) => recordName({ ...row, id: row.record_id });

/** Every closed settlement is on the chain, in the reported block; a final one with exactly the pinned details. */
const noFinalTheChainLacks: Invariant = ({ tables, chain }) => {
  const result = finding();
  const records = new Map(recordsOf(tables).map((row) => [recordName(row), row]));
  // Of what several name, one has it, and to the others it is claimed.
  const claimed = new Map<string, string>();
  for (const row of tables.settlements) {
    const name = settlementName(row);
    if (row.status === 'final') claimed.set(placeOf(records.get(name)), name);
  }
  const transactions = new Map(chain.map((row) => [row.tx_hash, row]));
  const look = (name: string, status: string | null, block_hash?: string | null) => {
    if (!['final', 'mismatch', 'failed_on_chain'].includes(status ?? '')) return;
    const record = records.get(name);
    const found = transactions.get(record?.tx_hash ?? '');
    const isThere = found !== undefined && (block_hash === undefined || block_hash === found.block_hash);
    const holder = claimed.get(placeOf(record));
    const isClaimed = status === 'mismatch' && holder !== undefined && holder !== name;
    const truth = record && isThere ? endOf(record, found, isClaimed) : 'not there';
    result.expect(status === truth, () => `${name} is ${status}, on the chain ${truth}`);
  };
  for (const row of tables.settlements) look(settlementName(row), row.status, row.block_hash);
  // Final blocks are never replaced here, so every change that was published was right at its time.
  for (const { name, settlement_state } of toldChanges(tables)) look(name, settlement_state);
  return result;
};

const placeOf = (record: { to_address: string; tx_hash: string | null } | undefined) =>
  `${record?.to_address} ${record?.tx_hash}`;

/** How much older than the record its transaction may be. */
const SLACK_MS = 120_000;

function endOf(
  agreed: { to_address: string; amount: string; created_at: string },
  { to, amount, isFailed, timeS }: ChainRow,
  isClaimed: boolean,
): string {
  if (isFailed) return 'failed_on_chain';
  const isOlder = Date.parse(agreed.created_at) - timeS * 1000 > SLACK_MS;
  const isAgreed = to === agreed.to_address && compareDecimals(amount, agreed.amount) === 0;
  return isAgreed && !isOlder && !isClaimed ? 'final' : 'mismatch';
}

/** Each change of a settlement has one event, in the order of the connection's sequence. */
const settlementChangesToldOnce: Invariant = ({ tables }) => {
  const result = finding();
  const events = groupBy(toldChanges(tables), (event) => event.name);
  const settled = tables.settlements.map((row) => ({ ...row, name: settlementName(row) }));
  for (const { name, status, changes } of settled) {
    const path = (events.get(name) ?? []).toSorted((a, b) => a.sequence - b.sequence);
    const isTold =
      path.length === changes &&
      path.at(-1)?.settlement_state === status &&
      path.every(
        (event, index) =>
          event.settlement_number === index + 1 &&
          event.settlement_state !== path[index - 1]?.settlement_state &&
          event.actor === 'observer' &&
          event.status === event.previous_status,
      );
    const told = () =>
      path.map((event) => `${event.settlement_number}:${event.settlement_state}`).join(' → ');
    result.expect(isTold, () => `${name} is ${status} after ${changes} changes, published as ${told()}`);
  }
  const known = new Set(settled.map(({ name }) => name));
  for (const name of events.keys())
    result.expect(known.has(name), () => `${name} has events and no settlement`);
  return result;
};

function toldChanges(tables: Tables) {
  return eventsOf(tables)
    .filter(({ settlement_state }) => settlement_state !== null)
    .map((row) => ({ ...row, name: recordName(row) }));
}

export const SETTLEMENT_RULES = {
  'no final that the chain lacks': noFinalTheChainLacks,
  'each settlement change published once': settlementChangesToldOnce,
};
