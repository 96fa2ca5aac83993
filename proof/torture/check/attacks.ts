import { type DecisionKey, signatureFault } from '@payassent/protocol/evidence';
import { MAILBOX_THIEF } from '../clients/attackers.ts';
import { OWNER } from '../clients/known-world.ts';
import type { Attempt } from '../run/history.ts';
import { finding, groupBy, type Invariant, recordName, recordsOf, succeeded } from './evidence.ts';
import type { Row, Tables } from './tables.ts';

/**
 * In a wallet whose owner has set a key, everything that was ever approved has the signature of a key that the owner
 * set, over this very request.
 */
const noApprovalWithoutAKey: Invariant = ({ attempts, tables }) => {
  const result = finding();
  const keys = ownersKeys(attempts, tables);
  const approved = new Set(
    tables.payment_request_events
      .filter((row) => row.status === 'signed' && row.previous_status === 'pending')
      .map((row) => `${row.connection_id} ${row.request_id}`),
  );
  for (const row of tables.payment_requests) {
    const own = keys.get(row.wallet_id);
    if (!own || !approved.has(`${row.connection_id} ${row.request_id}`)) continue;
    result.expect(
      own.some((key) => isSignedBy(key, row)),
      () => `${row.connection_id} ${row.request_id} was approved without a key of its wallet`,
    );
  }
  return result;
};

function ownersKeys(attempts: readonly Attempt[], tables: Tables): Map<string, DecisionKey[]> {
  const walletOf = new Map(tables.devices.map((row) => [row.device_id, row.wallet_id]));
  const keys = new Map<string, DecisionKey[]>();
  for (const { method, path, note, sent } of attempts) {
    if (method !== 'PUT' || !path.endsWith('/decision-key') || note !== OWNER) continue;
    const wallet = walletOf.get(sent.device_id);
    if (wallet !== undefined) keys.set(wallet, [...(keys.get(wallet) ?? []), sent.decision_key]);
  }
  return keys;
}

function isSignedBy(key: DecisionKey, { decision, ...row }: Row<'payment_requests'>): boolean {
  if (!decision?.statement || !decision.signature) return false;
  const stated = JSON.parse(decision.statement);
  return (
    stated.decision === 'approve' &&
    stated.request_id === row.request_id &&
    stated.connection_id === row.connection_id &&
    stated.facts_digest === row.facts_digest &&
    signatureFault(key, decision.statement, { signature: decision.signature }) === undefined
  );
}

/** Each transaction of the chain makes one payment here: of all that name it, in whatever spelling, one is final. */
const aPaymentSettlesOneRequest: Invariant = ({ tables }) => {
  const result = finding();
  const final = new Set(
    tables.settlements
      .filter(({ status }) => status === 'final')
      .map((row) => recordName({ ...row, id: row.record_id })),
  );
  const records = recordsOf(tables).filter((row) => row.tx_hash !== null);
  const named = groupBy(records, (row) => `${row.merchant_id} ${row.network} ${bareHash(row.tx_hash)}`);
  for (const [name, rows] of named) {
    if (rows.length < 2) continue;
    const settled = rows.filter((row) => final.has(recordName(row)));
    result.expect(settled.length <= 1, () => `${name} settles ${settled.map(recordName).join(', ')}`);
  }
  return result;
};

const bareHash = (txHash: string | null) => (txHash ?? '').toLowerCase().replace(/^0x/, '');

/**
 * A thief who only reads the owner's mail changes no payee: no version of the thief's is active, and no call returned
 * one.
 */
const noPayeeChangeByMailboxAlone: Invariant = ({ attempts, tables }) => {
  const result = finding();
  const stolen = attempts.filter(({ note, method }) => note === MAILBOX_THIEF && method === 'POST');
  const addresses = new Set(
    stolen.flatMap(({ sent }) => (sent?.address === undefined ? [] : [String(sent.address)])),
  );
  for (const row of tables.recipient_versions)
    if (addresses.has(row.address))
      result.expect(
        row.activated_at === null,
        () => `${row.recipient_version_id} of a mailbox thief is active`,
      );
  for (const attempt of stolen)
    if (attempt.path.endsWith('/activate') && attempt.answer)
      result.expect(
        attempt.answer.status !== 200,
        () => `call ${attempt.n}: a mailbox alone activated ${attempt.path}`,
      );
  return result;
};

/** As DNS compares names: what an owner who compares bytes finds. */
const ONE_SPELLING = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;
const LONGEST = 253;

/** In the log of the service, and in every other log that its readers accept. */
const everyLogEntryHasOneSpelling: Invariant = ({ tables, readings }) => {
  const result = finding();
  for (const { position, entry } of tables.log_entries) {
    const { domain } = JSON.parse(entry);
    result.expect(
      typeof domain === 'string' && domain.length <= LONGEST && ONE_SPELLING.test(domain),
      () => `entry ${position} of the log names ${JSON.stringify(domain)}`,
    );
  }
  for (const { domain, spelling, isAccepted } of readings)
    result.expect(
      isAccepted === (spelling === domain),
      () => `a reader ${isAccepted ? 'accepts' : 'refuses'} ${JSON.stringify(spelling)} for ${domain}`,
    );
  return result;
};

const PAYEES = /^\/v1\/payees(\/|$)/;

/** A token that a wallet has seen cannot read payees, and records that were created with it are marked. */
const sharedTokensAreKnown: Invariant = ({ attempts, tables }) => {
  const result = finding();
  const shared = new Set(
    attempts.flatMap((attempt) =>
      isHandedToWallet(attempt) ? [attempt.answer?.body?.connection_token] : [],
    ),
  );
  const rows = new Map(
    tables.payment_requests.map((row) => [`${row.connection_id} ${row.idempotency_key}`, row]),
  );
  const sends = groupBy(attempts, ({ key }) => key ?? '');
  for (const attempt of attempts) {
    if (attempt.path.endsWith('/collect-token') && succeeded(attempt))
      result.expect(
        !shared.has(attempt.answer?.body?.connection_token),
        () => `call ${attempt.n}: an agent collected a token that a wallet has seen`,
      );
    if (!shared.has(attempt.credential) || !succeeded(attempt)) continue;
    result.expect(!PAYEES.test(attempt.path), () => `call ${attempt.n}: a shared token read payees`);
    const made = attempt.answer?.body?.payment_request;
    if (attempt.method !== 'POST' || attempt.path !== '/v1/payment-requests' || attempt.answer?.replayed)
      continue;
    const row = rows.get(`${made?.connection_id} ${attempt.key}`);
    // A key that was sent before may have made it then, and the response was lost.
    if (row && sends.get(attempt.key ?? '')?.length === 1)
      result.expect(
        row.created_with === 'shared_token',
        () =>
          `call ${attempt.n}: ${row.request_id} was created with a shared token and is marked ${row.created_with}`,
      );
  }
  return result;
};

function isHandedToWallet(attempt: Attempt): boolean {
  return (
    succeeded(attempt) &&
    (/^\/v1\/connections\/[^/]+\/rotate-token$/.test(attempt.path) ||
      /^\/v1\/pairing\/sessions\/[^/]+\/approve$/.test(attempt.path))
  );
}

export const ATTACK_RULES = {
  'no approval without a key of the wallet': noApprovalWithoutAKey,
  'a payment settles one request': aPaymentSettlesOneRequest,
  'no payee change by mailbox alone': noPayeeChangeByMailboxAlone,
  'every log entry has one spelling': everyLogEntryHasOneSpelling,
  'a shared token is known as one': sharedTokensAreKnown,
};
