import type { Stage } from '../run/stage.ts';
import { acknowledgedWritesPresent } from './acknowledged.ts';
import { everyCallIsAnsweredInCalm, noInternalError, noProcessEndsByItself } from './answers.ts';
import {
  aPaymentSettlesOneRequest,
  everyLogEntryHasOneSpelling,
  noApprovalWithoutAKey,
  noPayeeChangeByMailboxAlone,
  sharedTokensAreKnown,
} from './attacks.ts';
import { agentPaymentsHaveAPolicy, capsNeverPassed, usageEqualsPayments } from './caps.ts';
import { acceptedAsRead } from './consent.ts';
import {
  attemptsAreOneChain,
  deliveredMeansReceived,
  everyEventHasItsDeliveries,
  noDeliveryTwiceAtOnce,
} from './deliveries.ts';
import { noPayeeUnderALostDomain } from './domains.ts';
import { eventsDense, paymentEventsDense, polledPagesComplete } from './events.ts';
import type { Evidence, Finding, Invariant } from './evidence.ts';
import { oneTimeThingsUsedOnce } from './one-time.ts';
import {
  factsEqualPinnedVersion,
  oneRequestPerKey,
  otherBodyIsRefused,
  paymentEventsWalkTheTable,
  paymentPathsWalkTheTable,
  requestsListedOnce,
  revokedConnectionsHoldNothingPending,
  statusPathsWalkTheTable,
} from './requests.ts';
import { noFinalTheChainLacks, settlementChangesToldOnce } from './settlements.ts';
import type { Tables } from './tables.ts';
import { foreignLooksAbsent, nothingAcrossTenants } from './tenants.ts';

const PAYEE_CHANGES = 'no payee change by mailbox alone';

export const INVARIANTS: Readonly<Record<string, Invariant>> = {
  'at most one request per key': oneRequestPerKey,
  'a key with another body is refused': otherBodyIsRefused,
  'facts equal their pinned version': factsEqualPinnedVersion,
  'status paths walk the table, one event a step': statusPathsWalkTheTable,
  'each request listed once, by its status': requestsListedOnce,
  'payment paths walk the table, one message a step': paymentPathsWalkTheTable,
  'payment paths walk the table, one event a step': paymentEventsWalkTheTable,
  'events dense': eventsDense,
  'events of agent payments dense': paymentEventsDense,
  'polled pages complete': polledPagesComplete,
  'acknowledged writes present': acknowledgedWritesPresent,
  'every event has its deliveries': everyEventHasItsDeliveries,
  'delivery attempts form one chain': attemptsAreOneChain,
  'delivered means received, genuine and unchanged': deliveredMeansReceived,
  'no delivery twice at once': noDeliveryTwiceAtOnce,
  'one-time things used at most once': oneTimeThingsUsedOnce,
  'caps never passed': capsNeverPassed,
  'usage equals payments': usageEqualsPayments,
  'agent payments have a policy': agentPaymentsHaveAPolicy,
  'accepted payees are those that were read': acceptedAsRead,
  'no payee is shown verified under a domain that is not': noPayeeUnderALostDomain,
  'no final that the chain lacks': noFinalTheChainLacks,
  'each settlement change told once': settlementChangesToldOnce,
  'revoked connections hold nothing pending': revokedConnectionsHoldNothingPending,
  'foreign looks absent': foreignLooksAbsent,
  'nothing visible across tenants': nothingAcrossTenants,
  'no approval without a key of the wallet': noApprovalWithoutAKey,
  'a payment settles one request': aPaymentSettlesOneRequest,
  [PAYEE_CHANGES]: noPayeeChangeByMailboxAlone,
  'every log entry has one spelling': everyLogEntryHasOneSpelling,
  'a shared token is known as one': sharedTokensAreKnown,
  'no internal error': noInternalError,
  'no process ends by itself': noProcessEndsByItself,
  'every call is answered in calm': everyCallIsAnsweredInCalm,
};

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

/** A check that looked at nothing proves nothing. */
export function faultsOf(judgements: readonly Judgement[]): string[] {
  return judgements.flatMap(({ name, checked, violations, leftOut }) => [
    ...violations.map((violation) => `${name}: ${violation}`),
    ...(checked === 0 && leftOut === undefined ? [`${name}: looked at nothing`] : []),
  ]);
}
