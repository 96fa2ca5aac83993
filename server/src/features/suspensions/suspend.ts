import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { OperatorError } from '../../errors.ts';
import { agentTopic } from '../agents/usable.ts';
import { INSTALLATION, recordAudit } from '../audit/record.ts';
import { changeDomainSuspension } from '../merchants/suspend-domain.ts';
import {
  type Found,
  findAgents,
  findMerchants,
  setAgentSuspension,
  setMerchantSuspension,
  setSuspensionOfAgents,
  setSuspensionOfPayees,
} from './sql.ts';

export const SUSPENDABLE = ['merchant', 'domain', 'agent'] as const;
export type Suspendable = (typeof SUSPENDABLE)[number];

export interface SuspensionOrder {
  kind: Suspendable;
  /** An id, or a name that only one has. */
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
  /** False when it was so already. */
  changed: boolean;
}

/**
 * The operator of the installation stops a merchant, a domain or an agent, for all processes from this commit on: no
 * right is ever remembered longer than one call.
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
    await recordAudit(tx, act, {
      merchantId: id,
      type: order.isLifted ? 'merchant.unsuspended' : 'merchant.suspended',
      actor: INSTALLATION,
      target: { type: 'merchant', id },
      details: detailsOf(order),
    });
    tx.afterCommit(() => act.announce(...agentIds.map(agentTopic)));
  }
  return { kind: 'merchant', id, name, suspended: !order.isLifted, changed };
}

async function suspendAgent(tx: Tx, act: Act, order: SuspensionOrder): Promise<SuspensionOutcome> {
  const { id, name, merchant_id: merchantId } = theOnly(await findAgents(tx, order.target), order);
  const changed = await setAgentSuspension(tx, id, order.isLifted ? null : act.now);
  if (changed) {
    await recordAudit(tx, act, {
      merchantId,
      type: order.isLifted ? 'agent.unsuspended' : 'agent.suspended',
      actor: INSTALLATION,
      target: { type: 'agent', id },
      details: detailsOf(order),
    });
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
