import type { Context } from '../context.ts';
import type { Database } from '../db/open.ts';
import { addMs, DAY_MS, MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import type { Job } from './job.ts';

/** What a feature deletes, and when. `purge` deletes at most `limit` rows and returns how many it deleted. */
export interface RetentionRule {
  name: string;
  /** The tables that this rule deletes from. */
  tables: readonly string[];
  purge(db: Database, now: Date, limit: number): Promise<number>;
}

/** Days that rows are kept. The record of a payment, its events and its idempotency key are kept for good. */
export const RETENTION = {
  auditEvents: { days: 400, about: 'audit events' },
  approvals: { days: 400, about: 'changes that waited for a second owner' },
  knownNetworks: { days: 400, about: 'networks from which an account signed in, after the last time' },
  walletChanges: { days: 90, about: "changes of a wallet's keys, after they ended" },
  unusedWallets: { days: 90, about: 'wallets to which no agent was ever connected, after their last use' },
  webhookAttempts: { days: 30, about: 'webhook deliveries and their attempts' },
  webhookMessages: { days: 7, about: 'bodies of webhook messages, after the last attempt' },
  agentCalls: { days: 7, about: 'the request log of agents' },
  mailFiles: { days: 7, about: 'local mail files' },
} as const satisfies Record<string, { days: number; about: string }>;

/**
 * Tables without a rule, each with its reason. A table that neither a rule nor this list names fails a test: its author
 * decides here how long its rows are kept.
 */
export const KEPT: Readonly<Record<string, string>> = {
  accounts: 'one for each email address that was proved or invited',
  agent_credential_endings: 'a queue: a row goes when its work is done',
  agent_credentials: 'registered by an operator; assertions in the audit trail name them',
  agent_payment_events: 'the record of a payment is kept for good',
  agent_payment_heads: 'one for each connection with agent payments',
  agent_payments: 'the record of a payment is kept for good',
  agent_revocations: 'a queue: a row goes when its work is done',
  agents: 'registered by an operator; requests name them',
  api_keys: 'made by a team member; a revoked key is refused as revoked',
  audit_chain_head: 'one row',
  audit_chain_queue: 'a queue: a row goes when its entry is linked',
  automation_policies: 'a deleted policy would lose what was spent under it',
  connection_heads: 'one for each connection',
  connection_revocations: 'a queue: a row goes when its work is done',
  connection_tokens:
    'a week of superseded ones, then the newest ten of each connection: rotation deletes the others',
  connections: 'made by a decision of the user; requests name them',
  evidence_bundles: 'the evidence of a payment is kept for good, like its record',
  domains: 'registered by an operator; evidence names them',
  log_entries: 'nothing leaves the transparency log',
  log_hashes: 'nothing leaves the transparency log',
  log_head: 'one row',
  log_queue: 'a queue: a row goes when its entry is in the tree',
  log_witnesses: 'one for each configured witness',
  mail_jobs: 'a queue: a mail is deleted when it is sent, withheld or given up',
  master_keys: 'one for each master key',
  merchant_operators: 'one for each operator of an organization',
  merchant_standings: 'one for each organization',
  merchants: 'an organization is never deleted',
  observation_backfills: 'one for each observed network and kind of record',
  observations: 'a queue: a row goes when its payment is no longer watched',
  operator_passkeys: 'registered by an operator, who removes it',
  payee_names: 'a payee that takes the name of an earlier one is noticed, however long ago that was',
  payment_request_events: 'the record of a payment is kept for good',
  pending_requests: 'one for each request that awaits a decision: it goes with the decision',
  payment_requests: 'the record of a payment is kept for good, with its key',
  recipient_evidence: 'what an activation rests on can be recomputed later',
  recipient_recalls: 'made by an operator; a request that was just being stored is held against them',
  recipient_versions: 'requests are pinned to them',
  recipients: 'made by an operator; requests name them',
  request_memos: 'a memo that a request has is never given to another',
  requests_by_status: 'one for each request that was decided or has ended, which is kept for good',
  retention_marks: 'one for each sweep',
  role_grants: 'one row',
  schema_migrations: 'one for each migration',
  settlements: 'the record of a payment is kept forever, with what the chain showed',
  settlement_claims: 'a payment that a record took is never taken again',
  signing_keys: 'what was signed under a previous key is verified with it',
  suspended_domains: 'set by the operator of the service',
  tenant_seal: 'one row',
  wallet_pseudonym_key: 'one row',
  webhook_endpoints: 'at most 16 live ones for each merchant; deliveries name the deleted ones',
};

const BATCH = 500;

/** One job for all rules, in bounded batches, so that a long downtime never becomes one long delete. */
export function retentionJob(rules: readonly RetentionRule[]): Job {
  return {
    name: 'retention',
    everyMs: 5 * MINUTE_MS,
    // The first calls after a start need the connections more.
    firstAfterMs: 20 * SECOND_MS,
    async run(context: Context) {
      const now = context.clock.now();
      let more = false;
      for (const rule of rules) {
        const deleted = await rule.purge(context.db, now, BATCH);
        if (deleted === BATCH) more = true;
      }
      await context.mail.forget(addMs(now, -RETENTION.mailFiles.days * DAY_MS), BATCH);
      return more;
    },
  };
}
