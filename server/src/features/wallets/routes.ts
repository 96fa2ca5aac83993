import * as api from '@payassent/protocol/api';
import type { Act } from '../../act.ts';
import type { Context } from '../../context.ts';
import { type Tx, transaction } from '../../db/open.ts';
import { traceOf } from '../../http/headers.ts';
import { decodeCursor, toPage } from '../../http/page.ts';
import type { WalletPrincipal } from '../../http/principals.ts';
import { type Answer, answer, implement } from '../../http/route.ts';
import { toTimestamp } from '../../lib/clock.ts';
import { settleWallet } from '../connections/revocation.ts';
import { authorizationIssues } from './allowance.ts';
import { cancelChange, changeView, Waiting } from './changes.ts';
import { listChanges } from './changes-sql.ts';
import { decisionKeyIssues, removeDecisionKey, setDecisionKey } from './decision-key.ts';
import { deleteDevice } from './delete-device.ts';
import { createLinkCode, enrolDevice } from './enrol-device.ts';
import { replaceRecoveryCode } from './recovery-code.ts';
import { rotateDeviceToken } from './rotate-device-token.ts';
import { checkEnrolDevice } from './schema.ts';
import { listDevices } from './sql.ts';
import { holdCurrent, takeEffect } from './take-effect.ts';
import { type DeviceRow, deviceView } from './view.ts';

interface ChangeCall {
  context: Context;
  act: Act;
  principal: WalletPrincipal;
}

/** A transaction that holds the wallet, after what has waited long enough. */
function changing<Result>(
  { context, act, principal }: ChangeCall,
  command: (tx: Tx, baseUrl: string) => Promise<Result>,
): Promise<Result> {
  return transaction(context.db, async (tx) => {
    await holdCurrent(tx, act, principal.walletId);
    return command(tx, context.config.baseUrl);
  });
}

function waitingAnswer({ change }: Waiting): Answer {
  return answer({ pending_change: changeView(change) }, { status: 202 });
}

function changedDevice(result: DeviceRow | Waiting) {
  return result instanceof Waiting ? waitingAnswer(result) : { device: deviceView(result) };
}

export const walletRoutes = [
  implement(api.enrolDevice, {
    check: checkEnrolDevice,
    async run(call) {
      const { context, act, body } = call;
      const enrolled = await transaction(context.db, (tx) => enrolDevice(tx, act, body, traceOf(call)));
      return {
        device: deviceView(enrolled.device),
        token: enrolled.token,
        recovery_code: enrolled.recoveryCode,
        ...(enrolled.otherDevices ? { other_devices: enrolled.otherDevices.map(deviceView) } : {}),
      };
    },
  }),
  implement(api.createLinkCode, {
    async run({ context, act, principal }) {
      const { codes } = context.config.caps;
      const code = await transaction(context.db, (tx) => createLinkCode(tx, act, principal, codes));
      return { link_code: code.linkCode, expires_at: toTimestamp(code.expiresAt) };
    },
  }),
  implement(api.createRecoveryCode, {
    check: authorizationIssues,
    async run(call) {
      const { act, principal, body } = call;
      const result = await changing(call, (tx, baseUrl) =>
        replaceRecoveryCode(tx, act, baseUrl, principal, body),
      );
      return result instanceof Waiting ? waitingAnswer(result) : { recovery_code: result };
    },
  }),
  implement(api.listDevices, {
    async run({ context, act, principal, query }) {
      const after = decodeCursor(query.cursor);
      await takeEffect(context.db, act, principal.walletId);
      const rows = await listDevices(context.db, principal.walletId, after, query.limit + 1);
      const page = toPage(rows, query.limit, (row) => ({ createdAt: row.created_at, id: row.device_id }));
      return { devices: page.items.map(deviceView), next_cursor: page.nextCursor };
    },
  }),
  implement(api.rotateDeviceToken, {
    async run({ context, act, principal, params, presented }) {
      const rotated = await transaction(context.db, (tx) =>
        rotateDeviceToken(tx, act, principal, params['id'] ?? '', presented?.tokenHash ?? ''),
      );
      return { device: deviceView(rotated.device), token: rotated.token };
    },
  }),
  implement(api.setDecisionKey, {
    check: decisionKeyIssues,
    async run(call) {
      const { act, principal, params, body } = call;
      return changedDevice(
        await changing(call, (tx, baseUrl) =>
          setDecisionKey(tx, act, baseUrl, principal, params['id'] ?? '', body),
        ),
      );
    },
  }),
  implement(api.deleteDecisionKey, {
    check: authorizationIssues,
    async run(call) {
      const { act, principal, params, body } = call;
      return changedDevice(
        await changing(call, (tx, baseUrl) =>
          removeDecisionKey(tx, act, baseUrl, principal, params['id'] ?? '', body),
        ),
      );
    },
  }),
  implement(api.deleteDevice, {
    check: authorizationIssues,
    async run(call) {
      const { context, act, principal, params, body } = call;
      const deleted = await changing(call, (tx, baseUrl) =>
        deleteDevice(tx, act, baseUrl, principal, params['id'] ?? '', body),
      );
      if (deleted instanceof Waiting) return waitingAnswer(deleted);
      if (deleted.wasLast) await settleWallet(context.db, act, principal.walletId);
      return { device: deviceView(deleted.device) };
    },
  }),
  implement(api.listPendingChanges, {
    async run({ context, act, principal }) {
      await takeEffect(context.db, act, principal.walletId);
      const rows = await listChanges(context.db, principal.walletId);
      return { pending_changes: rows.map(changeView) };
    },
  }),
  implement(api.cancelPendingChange, {
    async run(call) {
      const { act, principal, params } = call;
      const cancelled = await changing(call, (tx) => cancelChange(tx, act, principal, params['id'] ?? ''));
      return { pending_change: changeView(cancelled) };
    },
  }),
];
