/*
 * What torture proves: each invariant is a function over plain data; also here are the tables they read and made-up
 * histories for their tests. Torture and drills import the index. An invariant that checked nothing fails the run.
 */

import type { Stage } from '../run/stage.ts';
import { WRITE_RULES } from './acknowledged.ts';
import { ANSWER_RULES } from './answers.ts';
import { ATTACK_RULES } from './attacks.ts';
import { CAP_RULES } from './caps.ts';
import { CONSENT_RULES } from './consent.ts';
import { DELIVERY_RULES } from './deliveries.ts';
import { DOMAIN_RULES } from './domains.ts';
import { EVENT_RULES } from './events.ts';
import type { Evidence, Finding, Invariant } from './evidence.ts';
import { ONE_TIME_RULES } from './one-time.ts';
import { REQUEST_RULES } from './requests.ts';
import { SETTLEMENT_RULES } from './settlements.ts';
import type { Tables } from './tables.ts';
import { TENANT_RULES } from './tenants.ts';

const PAYEE_CHANGES = 'no payee change by mailbox alone';

export const INVARIANTS = {
  ...REQUEST_RULES,
  ...EVENT_RULES,
  ...WRITE_RULES,
  ...DELIVERY_RULES,
  ...ONE_TIME_RULES,
  ...CAP_RULES,
  ...CONSENT_RULES,
  ...DOMAIN_RULES,
  ...SETTLEMENT_RULES,
  ...TENANT_RULES,
  ...ATTACK_RULES,
  ...ANSWER_RULES,
} satisfies Record<string, Invariant>;

export interface Judgement extends Finding {
  name: string;
  /** Why nothing was done about it. */
  leftOut?: string;
}

/** What a run on this service cannot show. */
export function leftOutOf({ guardedDoor }: { guardedDoor: string | undefined }): Record<string, string> {
  return guardedDoor === undefined
    ? { [PAYEE_CHANGES]: 'the service has no setting SVC_PAYEE_CHANGE that guards changed payees' }
    : {};
}

/** After the tables were read: what was final then is final now. */
export function evidenceOf(stage: Stage, tables: Tables): Evidence {
  const { attempts, faults, readings } = stage.history;
  const { receipts } = stage.receivers;
  const chain = stage.chain.rows();
  return { attempts, faults, readings, receipts, chain, tables, leftOut: leftOutOf(stage) };
}

/** All invariants over one body of evidence. */
export function judge(evidence: Evidence): Judgement[] {
  return Object.entries(INVARIANTS).map(([name, invariant]) => {
    const leftOut = evidence.leftOut[name];
    return { name, ...plain(invariant(evidence)), ...(leftOut === undefined ? {} : { leftOut }) };
  });
}

function plain({ checked, violations }: Finding): Finding {
  return { checked, violations };
}

/** An invariant that checked nothing proves nothing. */
export function faultsOf(judgements: readonly Judgement[]): string[] {
  return judgements.flatMap(({ name, checked, violations, leftOut }) => [
    ...violations.map((violation) => `${name}: ${violation}`),
    ...(checked === 0 && leftOut === undefined ? [`${name}: checked nothing`] : []),
  ]);
}
