import { DeviceSchema } from '@countersign/protocol/records';
import { Type } from 'typebox';
import { transaction } from '../../db/open.ts';
import { decodeCursor, PAGE_QUERY, toPage } from '../../http/page.ts';
import { defineRoute } from '../../http/route.ts';
import { traceOf } from '../../http/trace.ts';
import { toTimestamp } from '../../lib/clock.ts';
import { settleWallet } from '../connections/revocation.ts';
import { deleteDevice } from './delete-device.ts';
import { createLinkCode, enrolDevice, replaceRecoveryCode } from './enrol-device.ts';
import { rotateDeviceToken } from './rotate-device-token.ts';
import { checkEnrolDevice, EnrolDevice, EnrolDeviceAnswer } from './schema.ts';
import { listDevices } from './sql.ts';
import { deviceView } from './view.ts';

const tag = 'Wallet devices';

export const walletRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/wallet-devices',
    summary: 'Enrol a device: a new wallet, or one more device for an existing one',
    tag,
    credential: [],
    limit: 'device_enrolment',
    body: EnrolDevice,
    status: 201,
    answer: EnrolDeviceAnswer,
    errors: ['link_invalid', 'risk_rejected'],
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
  defineRoute({
    method: 'POST',
    path: '/v1/wallet-devices/link-codes',
    summary: 'Make a code with which another device can join this wallet',
    tag,
    credential: ['wallet'],
    limit: 'wallet_mutations',
    status: 201,
    answer: Type.Object({ link_code: Type.String(), expires_at: Type.String({ format: 'date-time' }) }),
    errors: ['limit_reached'],
    async run({ context, act, principal }) {
      const { codes } = context.config.caps;
      const code = await transaction(context.db, (tx) => createLinkCode(tx, act, principal, codes));
      return { link_code: code.linkCode, expires_at: toTimestamp(code.expiresAt) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/wallet-devices/recovery-code',
    summary: 'Make a new recovery code; the former one ends',
    tag,
    credential: ['wallet'],
    status: 201,
    answer: Type.Object({ recovery_code: Type.String({ description: 'Shown once.' }) }),
    async run({ context, act, principal }) {
      const code = await transaction(context.db, (tx) => replaceRecoveryCode(tx, act, principal));
      return { recovery_code: code };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/wallet-devices',
    summary: 'List the devices of the wallet',
    tag,
    credential: ['wallet'],
    limit: 'reads',
    query: Type.Object({ ...PAGE_QUERY }),
    answer: Type.Object({
      devices: Type.Array(DeviceSchema),
      next_cursor: Type.Union([Type.String(), Type.Null()]),
    }),
    async run({ context, principal, query }) {
      const after = decodeCursor(query.cursor);
      const rows = await listDevices(context.db, principal.walletId, after, query.limit + 1);
      const page = toPage(rows, query.limit, (row) => ({ createdAt: row.created_at, id: row.device_id }));
      return { devices: page.items.map(deviceView), next_cursor: page.nextCursor };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/wallet-devices/{id}/rotate-token',
    summary: "Replace this device's own token",
    description: 'The former token works until the new one is first used, ten minutes at most.',
    tag,
    credential: ['wallet'],
    limit: 'wallet_mutations',
    answer: Type.Object({ device: DeviceSchema, token: Type.String() }),
    errors: ['resource_not_found', 'token_rotated', 'token_revoked'],
    async run({ context, act, principal, params, presented }) {
      const rotated = await transaction(context.db, (tx) =>
        rotateDeviceToken(tx, act, principal, params['id'] ?? '', presented?.tokenHash ?? ''),
      );
      return { device: deviceView(rotated.device), token: rotated.token };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/wallet-devices/{id}',
    summary: 'Remove a device from the wallet',
    description: "Removing the last one revokes the wallet's connections.",
    tag,
    credential: ['wallet'],
    limit: 'wallet_mutations',
    answer: Type.Object({ device: DeviceSchema }),
    errors: ['resource_not_found', 'token_revoked'],
    async run({ context, act, principal, params }) {
      const deleted = await transaction(context.db, (tx) =>
        deleteDevice(tx, act, principal, params['id'] ?? ''),
      );
      if (deleted.wasLast) await settleWallet(context.db, act, principal.walletId);
      return { device: deviceView(deleted.device) };
    },
  }),
];
