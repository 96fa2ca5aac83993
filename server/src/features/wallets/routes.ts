import * as api from '@payassent/protocol/api';
import { transaction } from '../../db/open.ts';
import { traceOf } from '../../http/headers.ts';
import { decodeCursor, toPage } from '../../http/page.ts';
import { implement } from '../../http/route.ts';
import { toTimestamp } from '../../lib/clock.ts';
import { settleWallet } from '../connections/revocation.ts';
import { decisionKeyIssues, setDecisionKey } from './decision-key.ts';
import { deleteDevice } from './delete-device.ts';
import { createLinkCode, enrolDevice, replaceRecoveryCode } from './enrol-device.ts';
import { rotateDeviceToken } from './rotate-device-token.ts';
import { checkEnrolDevice } from './schema.ts';
import { listDevices } from './sql.ts';
import { deviceView } from './view.ts';

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
    async run({ context, act, principal }) {
      const code = await transaction(context.db, (tx) => replaceRecoveryCode(tx, act, principal));
      return { recovery_code: code };
    },
  }),
  implement(api.listDevices, {
    async run({ context, principal, query }) {
      const after = decodeCursor(query.cursor);
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
    async run({ context, act, principal, params, body }) {
      const { baseUrl } = context.config;
      const device = await transaction(context.db, (tx) =>
        setDecisionKey(tx, act, baseUrl, principal, params['id'] ?? '', body),
      );
      return { device: deviceView(device) };
    },
  }),
  implement(api.deleteDevice, {
    async run({ context, act, principal, params }) {
      const deleted = await transaction(context.db, (tx) =>
        deleteDevice(tx, act, principal, params['id'] ?? ''),
      );
      if (deleted.wasLast) await settleWallet(context.db, act, principal.walletId);
      return { device: deviceView(deleted.device) };
    },
  }),
];
