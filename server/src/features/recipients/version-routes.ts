import { DOMAIN_METHODS } from '@payassent/protocol';
import { EvidenceSchema, RecipientSchema, RecipientVersionSchema } from '@payassent/protocol/records';
import { Type } from 'typebox';
import { transaction } from '../../db/open.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { activateVersion } from './activate.ts';
import { addVersion } from './add-version.ts';
import { derivePayee } from './payee.ts';
import { settleRecallSoon } from './recall.ts';
import { ActivateInput, VerifyInput, VersionInput } from './schema.ts';
import { verifyRecipientVersion } from './verify.ts';
import { evidenceView, recipientView, versionView } from './view.ts';

const TAG = 'Recipients';
const CHANGE_ERRORS = ['resource_not_found', 'version_conflict', 'recipient_not_active'] as const;
const RecipientAndVersion = Type.Object({
  recipient: RecipientSchema,
  recipient_version: RecipientVersionSchema,
});
const EvidenceAnswer = Type.Object(
  {
    ...EvidenceSchema.properties,
    domain: Type.String(),
    method: Type.Unsafe<string>({ type: 'string', enum: [...DOMAIN_METHODS] }),
  },
  { title: 'Evidence' },
);

export const versionRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/v1/recipients/{id}/versions',
    summary: 'Add a version with other facts',
    description: 'The active version stays active until this one is verified and activated.',
    tag: TAG,
    credential: ['merchant'],
    limit: 'merchant_mutations',
    body: VersionInput,
    collectsIssues: true,
    errors: [...CHANGE_ERRORS, 'limit_reached', 'risk_rejected'],
    status: 201,
    answer: RecipientAndVersion,
    async run({ context, act, principal, params, body, issues }) {
      const { version: expected, ...stated } = body;
      const facts = derivePayee(stated, issues);
      const made = await transaction(context.db, (tx) =>
        addVersion(tx, act, principal, params['id'] ?? '', expected, facts),
      );
      return { recipient: recipientView(made.recipient), recipient_version: versionView(made.version) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/recipients/{id}/verify',
    summary: 'Make evidence for a version: the domain’s proof is looked up again now',
    description:
      'The evidence is valid for 24 hours. When the domain also publishes the version’s payee_record, at _svc-payee.<domain> or in /.well-known/svc-payees.txt, its binding is payee, otherwise domain. Its digest is SHA-256 over the canonical JSON of the version’s facts, the domain, the method, the time of the proof (created_at), the type and, when it is payee, the binding.',
    tag: TAG,
    credential: ['merchant'],
    limit: 'merchant_mutations',
    body: VerifyInput,
    errors: [...CHANGE_ERRORS, 'domain_not_verified', 'domain_proof_failed', 'invalid_status_transition'],
    answer: Type.Object({ evidence: EvidenceAnswer, ...RecipientAndVersion.properties }),
    async run({ context, act, principal, params, body }) {
      const { db, dns, outbound, config } = context;
      const parts = { db, dns, outbound, mustBind: config.payeeBinding === 'required' };
      const made = await verifyRecipientVersion(parts, act, principal, params['id'] ?? '', body);
      return {
        evidence: evidenceView(made.evidence),
        recipient: recipientView(made.recipient),
        recipient_version: versionView(made.version),
      };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/recipients/{id}/versions/{recipient_version_id}/activate',
    summary: 'Let a verified version receive payments; the former active one is superseded',
    tag: TAG,
    credential: ['merchant'],
    limit: 'merchant_mutations',
    body: ActivateInput,
    errors: [
      ...CHANGE_ERRORS,
      'evidence_mismatch',
      'evidence_expired',
      'domain_not_verified',
      'domain_proof_failed',
      'network_not_enabled',
      'invalid_status_transition',
    ],
    answer: RecipientAndVersion,
    async run({ context, act, principal, params, body }) {
      const place = {
        recipientId: params['id'] ?? '',
        versionId: params['recipient_version_id'] ?? '',
        enabledNetworks: context.config.enabledNetworks,
        mustBind: context.config.payeeBinding === 'required',
      };
      const { recipient, version, recall } = await transaction(context.db, (tx) =>
        activateVersion(tx, act, principal, place, body),
      );
      await settleRecallSoon(context.db, act, recall);
      return { recipient: recipientView(recipient), recipient_version: versionView(version) };
    },
  }),
];
