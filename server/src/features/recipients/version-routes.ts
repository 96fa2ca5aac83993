import * as api from '@payassent/protocol/api';
import { transaction } from '../../db/open.ts';
import { implement, type Route } from '../../http/route.ts';
import { PROOFS_S } from '../merchants/prove-domain.ts';
import { activateVersion } from './activate.ts';
import { addVersion } from './add-version.ts';
import { derivePayee } from './payee.ts';
import { settleRecallSoon } from './recall.ts';
import { verifyRecipientVersion } from './verify.ts';
import { evidenceView, recipientView, versionView } from './view.ts';

export const versionRoutes: readonly Route[] = [
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
      await settleRecallSoon(context.db, act, recall);
      return { recipient: recipientView(recipient), recipient_version: versionView(version) };
    },
  }),
];
