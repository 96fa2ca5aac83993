// The host stops a merchant, a domain or an agent, or lifts that.
// Only the host's commands import it.
// It holds for every process from its commit on: no right is cached longer than one call.

import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { OperatorError } from '../../errors.ts';
import { agentTopic } from '../agents/usable.ts';
import { audit, INSTALLATION } from '../audit/record.ts';
import { changeDomainSuspension } from '../merchants/lapse-domain.ts';

const SUSPENDABLE = ['merchant', 'domain', 'agent'] as const;
type Suspendable = (typeof SUSPENDABLE)[number];

export interface SuspensionOrder {
  kind: Suspendable;
  /** An id, or a unique name. */
  target: string;
  /** Lifts it when true. */
  isLifted: boolean;
  reason?: string | undefined;
}

export interface SuspensionOutcome {
  kind: Suspendable;
  id: string;
  name: string;
  suspended: boolean;
  /** False when it was already so. */
  changed: boolean;
}

/**
 * The host suspends a merchant, a domain or an agent, for all processes from this commit on: no right is cached longer
 * than one call.
 */
export async function orderSuspension(tx: Tx, act: Act, order: SuspensionOrder): Promise<SuspensionOutcome> {
  switch (order.kind) {
    case 'merchant':
      return suspendMerchant(tx, act, order);
    case 'agent':
      return suspendAgent(tx, act, order);
    case 'domain':
      return suspendDomain(tx, act, order);
  }
}

async function suspendMerchant(tx: Tx, act: Act, order: SuspensionOrder): Promise<SuspensionOutcome> {
  const { id, name } = theOnly(await findMerchants(tx, order.target), order);
  const at = order.isLifted ? null : act.now;
  const changed = await setMerchantSuspension(tx, id, at);
  if (changed) {
    const agentIds = await setSuspensionOfAgents(tx, id, at);
    await setSuspensionOfPayees(tx, id, at);
    await audit(
      tx,
      act,
      INSTALLATION,
      id,
      order.isLifted ? 'merchant.unsuspended' : 'merchant.suspended',
      id,
      detailsOf(order),
    );
    tx.afterCommit(() => act.announce(...agentIds.map(agentTopic)));
  }
  return { kind: 'merchant', id, name, suspended: !order.isLifted, changed };
}

async function suspendAgent(tx: Tx, act: Act, order: SuspensionOrder): Promise<SuspensionOutcome> {
  const { id, name, merchant_id: merchantId } = theOnly(await findAgents(tx, order.target), order);
  const changed = await setAgentSuspension(tx, id, order.isLifted ? null : act.now);
  if (changed) {
    await audit(
      tx,
      act,
      INSTALLATION,
      merchantId,
      order.isLifted ? 'agent.unsuspended' : 'agent.suspended',
      id,
      detailsOf(order),
    );
    tx.afterCommit(() => act.announce(agentTopic(id)));
  }
  return { kind: 'agent', id, name, suspended: !order.isLifted, changed };
}

async function suspendDomain(tx: Tx, act: Act, order: SuspensionOrder): Promise<SuspensionOutcome> {
  const change = { isLifted: order.isLifted, details: detailsOf(order) };
  const done = await changeDomainSuspension(tx, act, INSTALLATION, order.target, change);
  if (!done) throw new OperatorError(`${JSON.stringify(order.target)} is no domain name.`);
  return {
    kind: 'domain',
    id: done.domain,
    name: done.domain,
    suspended: !order.isLifted,
    changed: done.changed,
  };
}

function theOnly<T extends Found>(found: readonly T[], { kind, target }: SuspensionOrder): T {
  const [first, second] = found;
  if (!first) throw new OperatorError(`There is no ${kind} ${JSON.stringify(target)}.`);
  if (second)
    throw new OperatorError(
      `More than one ${kind} is called ${JSON.stringify(target)}. Give its id instead.`,
    );
  return first;
}

function detailsOf({ reason }: SuspensionOrder): Record<string, unknown> {
  return reason === undefined ? {} : { reason };
}

interface Found {
  id: string;
  name: string;
}

/** By id, or by a unique name. Returns at most two: more need not be distinguished. */
async function findMerchants(tx: Tx, idOrName: string): Promise<Found[]> {
  return tx<Found[]>`
    select merchant_id as id, name from merchants where merchant_id = ${idOrName} or name = ${idOrName} limit 2`;
}

async function findAgents(tx: Tx, idOrName: string): Promise<(Found & { merchant_id: string })[]> {
  return tx<(Found & { merchant_id: string })[]>`
    select agent_id as id, name, merchant_id from agents where agent_id = ${idOrName} or name = ${idOrName} limit 2`;
}

/** `at` null lifts it. False when nothing had to change. Agents that are being created wait for this row. */
async function setMerchantSuspension(tx: Tx, merchantId: string, at: Date | null): Promise<boolean> {
  await tx`select from merchants where merchant_id = ${merchantId} for update`;
  const rows = await tx`
    update merchants set suspended_at = ${at}
    where merchant_id = ${merchantId} and (suspended_at is null) <> (${at}::timestamptz is null)
    returning merchant_id`;
  return rows.length > 0;
}

/**
 * Every right of the merchant's agents is checked against this. Returns their ids, for calls that wait in their name.
 */
async function setSuspensionOfAgents(tx: Tx, merchantId: string, at: Date | null): Promise<string[]> {
  const rows = await tx<{ agent_id: string }[]>`
    update agents set merchant_suspended_at = ${at} where merchant_id = ${merchantId} returning agent_id`;
  return rows.map((row) => row.agent_id);
}

/** So that pending requests no longer show a verified payee. */
async function setSuspensionOfPayees(tx: Tx, merchantId: string, at: Date | null): Promise<void> {
  await tx`update recipient_versions set merchant_suspended_at = ${at} where merchant_id = ${merchantId}`;
}

async function setAgentSuspension(tx: Tx, agentId: string, at: Date | null): Promise<boolean> {
  const rows = await tx`
    update agents set suspended_by_installation_at = ${at}, version = version + 1
    where agent_id = ${agentId} and (suspended_by_installation_at is null) <> (${at}::timestamptz is null)
    returning agent_id`;
  return rows.length > 0;
}
