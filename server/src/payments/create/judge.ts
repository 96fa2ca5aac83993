import { exceedsNetworkMaximum } from '@payassent/protocol';
import type { PaymentRisk } from '@payassent/protocol/records';
import type { Act } from '../../act.ts';
import { AppError, notFound, refuseWhenInvalid } from '../../errors.ts';
import type { ConnectionPrincipal } from '../../principals.ts';
import type { Engine } from '../engine.ts';
import type { CreateInput } from '../input.ts';
import { expectationMismatch, payeeIssues, timeIssues } from './checks.ts';
import { findOwnIds } from './create-sql.ts';
import { findDuplicates, type SamePayment } from './duplicates.ts';
import type { Payee, PayeeFacts } from './payees.ts';
import type { Known } from './replay.ts';

/** The checks after the replay, in the published order, up to what only storing can show. */
export async function judgeCreate(
  engine: Engine,
  act: Act,
  principal: ConnectionPrincipal,
  { input, key }: { input: CreateInput; key: string | null },
  known: Known['kind'],
): Promise<PayeeFacts> {
  const payee = await engine.payees.look(engine.db, principal.merchantId, input.recipient_id);
  const facts = payee?.status === 'active' ? payee.facts : null;
  refuseWhenInvalid([...timeIssues(input, act.now), ...(facts ? payeeIssues(input, facts, key) : [])]);
  if (principal.status === 'paused') throw new AppError('connection_paused');
  if (input.connection_id !== undefined && input.connection_id !== principal.connectionId) throw notFound();
  if (!payee) throw notFound();
  await refuseUnknown(engine, principal, input);
  if (known === 'conflict') throw new AppError('request_id_conflict', { field: 'request_id' });
  return activeFacts(engine, input, payee);
}

async function refuseUnknown(
  engine: Engine,
  principal: ConnectionPrincipal,
  { supersedes, duplicate_of }: CreateInput,
): Promise<void> {
  const named = new Set([supersedes, duplicate_of].filter((id) => id !== undefined));
  if (named.size > 0 && (await findOwnIds(engine.db, principal, [...named])).length < named.size)
    throw notFound();
}

function activeFacts(engine: Engine, input: CreateInput, payee: Payee): PayeeFacts {
  const facts = payee.status === 'active' ? payee.facts : null;
  const sent = input.recipient_version_id;
  const isClosed = payee.status === 'archived' || payee.status === 'suspended';
  if (isClosed || (!facts && sent === undefined))
    throw new AppError('recipient_not_active', { details: { status: payee.status } });
  if (!facts || (sent !== undefined && sent !== facts.recipient_version_id)) {
    throw new AppError('recipient_version_not_active', {
      field: 'recipient_version_id',
      details: { active_recipient_version_id: facts?.recipient_version_id ?? null },
    });
  }
  if (!engine.enabledNetworks.includes(facts.network)) {
    throw new AppError('network_not_enabled', {
      message: `This service does not accept payments on ${facts.network}. Enabled: ${engine.enabledNetworks.join(', ')}.`,
      details: { network: facts.network, enabled_networks: engine.enabledNetworks },
    });
  }
  const details = expectationMismatch(input.expect, facts);
  if (details) throw new AppError('expectation_mismatch', { details });
  return facts;
}

/** A duplicate that the caller knows of is stored, and marked. */
export async function refusesDuplicates(
  engine: Engine,
  act: Act,
  principal: ConnectionPrincipal,
  input: CreateInput,
): Promise<boolean> {
  if (input.if_duplicate !== 'refuse') return false;
  if (input.duplicate_of === undefined) return true;
  const choice = { supersedes: input.supersedes ?? null, named: input.duplicate_of };
  return (await findDuplicates(engine.db, samePayment(principal, input), choice, act.now)).length === 0;
}

export function samePayment(
  { merchantId, connectionId }: ConnectionPrincipal,
  input: CreateInput,
): SamePayment {
  return { merchantId, connectionId, recipientId: input.recipient_id, amount: input.payment.amount };
}

export function tooManyPending({ pendingCap: { max } }: Engine): AppError {
  return new AppError('limit_reached', {
    message: `Too many pending requests: a connection has at most ${max}. Wait for decisions or expiry, or withdraw some.`,
    details: { limit: max },
  });
}

/** The risk known before the create searches for duplicates; undefined when there is none. */
export function ownRisk(input: CreateInput, { network, decimals }: PayeeFacts): PaymentRisk | undefined {
  const isTooMuch = exceedsNetworkMaximum(network, decimals, input.payment.amount);
  const { duplicate_of: known } = input;
  if (known === undefined && !isTooMuch) return undefined;
  return {
    ...(known === undefined ? {} : { acknowledged_duplicate_of: known }),
    ...(isTooMuch ? { exceeds_network_maximum: true } : {}),
  };
}
