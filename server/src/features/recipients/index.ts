// Payees: versions whose details never change, the proofs for them, and which version receives payments. Nothing
// imports it but the composition. Exactly one version of a payee is active, and only with a proof whose domain is still
// verified.

import {
  type DerivedFacts,
  deriveFacts,
  findNameIssues,
  findRiskyText,
  type Issue,
  isNetwork,
} from '@payassent/protocol';
import * as api from '@payassent/protocol/api';
import { createAct } from '../../act.ts';
import { type Sql, transaction } from '../../db/open.ts';
import { invalid, notFound } from '../../errors.ts';
import { implement, type Route } from '../../http/route.ts';
import type { Job } from '../../jobs/job.ts';
import type { Feature } from '../feature.ts';
import { foreignAddresses, misleadingText } from '../merchants/misleading-text.ts';
import { PROOFS_S } from '../merchants/prove-domain.ts';
import { readPage } from '../page.ts';
import { activateVersion } from './activate.ts';
import {
  closeRecall,
  closeRecallSoon,
  listDueRecalls,
  RECALL_JOB,
  rejectPending,
  storedBefore,
} from './recall.ts';
import {
  addVersion,
  changeRecipient,
  createRecipient,
  type RecipientChange,
  type RecipientInput,
} from './recipients.ts';
import { listRecipients, selectRecipient } from './sql.ts';
import { verifyRecipientVersion } from './verify.ts';
import { selectVersions } from './version-sql.ts';
import { evidenceView, type RecipientRow, recipientView, type VersionRow, versionView } from './view.ts';

export const recipientsFeature = (): Feature => ({
  name: 'recipients',
  jobs: [recallJob],
  routes: [...recipientRoutes, ...versionRoutes],
});

const recipientRoutes: readonly Route[] = [
  implement(api.createRecipient, {
    collectsIssues: true,
    async run({ context, act, principal, body, issues }) {
      const payee = { ...derivePayee(body, issues), name: body.name };
      const made = await transaction(context.db, (tx) => createRecipient(tx, act, principal, payee));
      return { recipient: recipientView(made.recipient), recipient_version: versionView(made.version) };
    },
  }),
  implement(api.listRecipients, {
    async run({ context, principal, query }) {
      const { items, next_cursor } = await readPage(query, 'recipient_id', (page) =>
        listRecipients(context.db, principal.merchantId, page),
      );
      return { recipients: items.map(recipientView), next_cursor };
    },
  }),
  implement(api.getRecipient, {
    async run({ context, principal, params }) {
      const { recipient, versions } = await readRecipient(
        context.db,
        principal.merchantId,
        params['id'] ?? '',
      );
      return { recipient: recipientView(recipient), recipient_versions: versions.map(versionView) };
    },
  }),
  implement(api.updateRecipient, {
    check: (body) => [
      ...findNameIssues(body.name, 'name'),
      ...findRiskyText(body.name, 'name'),
      ...pendingIssues(body),
    ],
    collectsIssues: true,
    async run({ context, act, principal, params, body, issues }) {
      if (issues.length === 0 && body.name === undefined && body.status === undefined)
        throw invalid([{ field: 'body', code: 'required', message: 'Name what to change: name or status.' }]);
      const changed = await transaction(context.db, (tx) =>
        changeRecipient(tx, act, principal, params['id'] ?? '', body, issues),
      );
      await closeRecallSoon(context.db, act, changed.recall);
      return { recipient: recipientView(changed.recipient) };
    },
  }),
  implement(api.rejectPendingRequests, {
    async run({ context, act, principal, params }) {
      const { recipient, recall, rejected } = await transaction(context.db, (tx) =>
        rejectPending(tx, act, principal, params['id'] ?? ''),
      );
      await closeRecallSoon(context.db, act, recall);
      return { recipient: recipientView(recipient), rejected };
    },
  }),
];

/** Alone it would have no meaning. */
function pendingIssues(body: Partial<RecipientChange>): Issue[] {
  if (body.pending === undefined || body.status !== undefined) return [];
  const message = 'pending can only be sent with status: "archived".';
  return [{ field: 'pending', code: 'unknown_field', message }];
}

const versionRoutes: readonly Route[] = [
  implement(api.addRecipientVersion, {
    collectsIssues: true,
    async run({ context, act, principal, params, body, issues }) {
      const { version: expected, ...stated } = body;
      const facts = derivePayee(stated, issues);
      const made = await transaction(context.db, (tx) =>
        addVersion(tx, act, principal, params['id'] ?? '', expected, facts),
      );
      return { recipient: recipientView(made.recipient), recipient_version: versionView(made.version) };
    },
  }),
  implement(api.verifyRecipientVersion, {
    outsideS: PROOFS_S,
    async run({ context, act, principal, params, body }) {
      const { db, dns, outbound, config } = context;
      const mustBind = config.payeeBinding === 'required';
      const resolver = config.dnsServers?.join(', ') ?? 'system';
      const parts = { db, dns, outbound, mustBind, resolver };
      const made = await verifyRecipientVersion(parts, act, principal, params['id'] ?? '', body);
      return {
        evidence: evidenceView(made.evidence),
        recipient: recipientView(made.recipient),
        recipient_version: versionView(made.version),
      };
    },
  }),
  implement(api.activateRecipientVersion, {
    async run({ context, act, principal, params, body }) {
      const place = {
        recipientId: params['id'] ?? '',
        versionId: params['recipient_version_id'] ?? '',
        enabledNetworks: context.config.enabledNetworks,
        mustBind: context.config.payeeBinding === 'required',
        isGuarded: context.config.payeeChange === 'guarded',
      };
      const { recipient, version, recall } = await transaction(context.db, (tx) =>
        activateVersion(tx, act, principal, place, body),
      );
      await closeRecallSoon(context.db, act, recall);
      return { recipient: recipientView(recipient), recipient_version: versionView(version) };
    },
  }),
];

async function readRecipient(
  db: Sql,
  merchantId: string,
  recipientId: string,
): Promise<{ recipient: RecipientRow; versions: VersionRow[] }> {
  const recipient = await selectRecipient(db, merchantId, recipientId);
  if (!recipient) throw notFound();
  return { recipient, versions: await selectVersions(db, merchantId, recipientId) };
}

type StatedFacts = Omit<RecipientInput, 'name'>;

/** These together decide which rail an asset takes: when one is unreadable, the others cannot be checked. */
const ASSET_FIELDS = ['asset', 'contract', 'issuer', 'decimals'];

/**
 * The complete details of a payee, or an error that lists every problem: those that the schema found, those between the
 * details, and texts that could mislead a person who approves a payment.
 */
function derivePayee(stated: StatedFacts & { name?: string }, found: readonly Issue[]): DerivedFacts {
  const unsound = new Set(found.map((issue) => /^[^.[]+/.exec(issue.field)?.[0] ?? ''));
  const sound: Partial<StatedFacts & { name: string }> = Object.fromEntries(
    Object.entries(stated).filter(([member]) => !unsound.has(member)),
  );
  const derived = deriveFacts({
    ...sound,
    network: sound.network ?? '',
    asset: sound.asset ?? '',
    address: sound.address ?? '',
  });
  const allowed = derived.ok ? derived.facts : sound;
  const issues = [
    ...found,
    ...(derived.ok ? [] : derived.issues.filter((issue) => isFounded(issue, unsound, sound))),
    ...findNameIssues(sound.name, 'name'),
    ...misleadingText(sound.name, 'name', allowed),
    ...misleadingText(sound.memo, 'memo', allowed),
    ...foreignAddresses(sound.asset, 'asset', allowed),
  ];
  if (issues.length > 0 || !derived.ok) throw invalid(issues);
  return derived.facts;
}

/** Drops the issues that deriving raises only because a member was left out of it. */
function isFounded(issue: Issue, unsound: ReadonlySet<string>, sound: Partial<StatedFacts>): boolean {
  if (!isNetwork(sound.network) || unsound.has(issue.field)) return false;
  return !(ASSET_FIELDS.includes(issue.field) && ASSET_FIELDS.some((field) => unsound.has(field)));
}

/** The recalls of one turn, a batch of each. */
const BATCH = 20;

/** Closes what recalls have ended and no call has touched. Several processes may run it concurrently. */
export const recallJob: Job = {
  name: RECALL_JOB,
  everyMs: 2000,
  async run(context) {
    const act = createAct(context, `job_${RECALL_JOB}`);
    const failures: unknown[] = [];
    let more = false;
    for (const recall of await listDueRecalls(context.db, storedBefore(act.now), BATCH)) {
      if (context.stopping.aborted) return false;
      try {
        if (!(await closeRecall(context.db, act, recall))) more = true;
      } catch (error) {
        failures.push(error);
      }
    }
    // A failure must not delay the others: it is thrown after all had their turn.
    if (failures.length > 0) throw failures[0];
    return more;
  },
};
