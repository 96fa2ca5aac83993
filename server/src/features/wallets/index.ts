// A wallet and its devices: enrolment, decision keys, recovery, and changes that wait a day. Push imports
// `subscriptions` and `view`; the rest is private. No token alone changes the keys of a wallet: a key, a recovery or a
// day does.

import * as api from '@payassent/protocol/api';
import { type Act, createAct } from '../../act.ts';
import type { Context } from '../../context.ts';
import { type Database, type Tx, transaction } from '../../db/open.ts';
import { traceOf } from '../../http/headers.ts';
import type { Authenticators } from '../../http/kernel.ts';
import { type Answer, answer, implement } from '../../http/route.ts';
import type { Job } from '../../jobs/job.ts';
import type { RetentionRule } from '../../jobs/retention.ts';
import { RETENTION } from '../../jobs/retention.ts';
import { addMs, DAY_MS, SECOND_MS, toTimestamp } from '../../lib/clock.ts';
import type { WalletPrincipal } from '../../principals.ts';
import { findDeviceToken, judgeDeviceToken, markDeviceTokenUsed } from '../callers/device-token.ts';
import type { LastSeen } from '../callers/last-seen.ts';
import { closeConnectionsOfWallet } from '../connections/revocation.ts';
import { forgetAuthorizations } from '../decisions/authorization.ts';
import type { Feature } from '../feature.ts';
import { forgetAfter } from '../forget-after.ts';
import { readPage } from '../page.ts';
import { authorizationIssues } from './allowance.ts';
import { decisionKeyIssues, removeDecisionKey, setDecisionKey } from './decision-key.ts';
import { deleteDevice, rotateDeviceToken } from './delete-device.ts';
import { checkEnrolDevice, createLinkCode, enrolDevice, replaceRecoveryCode } from './enrol-device.ts';
import { cancelChange, changeView, Waiting } from './pending-changes.ts';
import { listChanges, listDueWallets } from './pending-changes-sql.ts';
import { listDevices } from './sql.ts';
import { holdCurrent, takeEffect } from './take-effect.ts';
import { type DeviceRow, deviceView } from './view.ts';

const KEPT_CHANGES_MS = RETENTION.walletChanges.days * DAY_MS;

export const walletsFeature = ({ lastSeen }: { lastSeen: LastSeen }): Feature => ({
  name: 'wallets',
  routes: walletRoutes,
  jobs: [changesJob],
  authenticators: { wallet: authenticateDevice(lastSeen) },
  retention: [
    forgetAfter(DAY_MS, {
      name: 'wallet codes',
      table: 'wallet_codes',
      key: 'code_hash',
      time: 'coalesce(used_at, expires_at)',
    }),
    forgetAfter(KEPT_CHANGES_MS, {
      name: 'pending changes',
      table: 'pending_changes',
      key: 'change_id',
      time: 'ended_at',
    }),
    { name: 'authorizations', tables: ['used_authorizations'], purge: forgetAuthorizations },
    unusedWalletRetention,
  ],
});

interface ChangeCall {
  context: Context;
  act: Act;
  principal: WalletPrincipal;
}

/** A transaction that locks the wallet and first applies the changes whose delay has passed. */
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

const walletRoutes = [
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
      await takeEffect(context.db, act, principal.walletId);
      const { items, next_cursor } = await readPage(query, 'device_id', (page) =>
        listDevices(context.db, principal.walletId, page),
      );
      return { devices: items.map(deviceView), next_cursor };
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
      if (deleted.wasLast) await closeConnectionsOfWallet(context.db, act, principal.walletId);
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

const JOB = 'pending-changes';
const EVERY_MS = 10 * SECOND_MS;
const BATCH = 100;

/** Applies changes of wallets' keys whose delay has passed, for wallets whose devices make no calls. */
export const changesJob: Job = {
  name: JOB,
  everyMs: EVERY_MS,
  async run(context) {
    const act = createAct(context, `job-${JOB}`);
    const walletIds = await listDueWallets(context.db, act.now, BATCH);
    for (const walletId of walletIds)
      if (await takeEffect(context.db, act, walletId))
        await closeConnectionsOfWallet(context.db, act, walletId);
    return walletIds.length === BATCH;
  },
};

const UNUSED_DAYS = RETENTION.unusedWallets.days;

/**
 * Any caller may enrol a device. A wallet to which no agent was ever connected, and whose devices have made, used or
 * replaced no token and no code for 90 days, affects no other party: it is deleted with everything it owns.
 */
export const unusedWalletRetention: RetentionRule = {
  name: 'unused wallets',
  tables: ['wallets', 'devices', 'device_tokens', 'decision_keys', 'passkey_counters', 'push_subscriptions'],
  purge: (db, now, limit) => deleteUnusedWallets(db, addMs(now, -UNUSED_DAYS * DAY_MS), limit),
};

async function deleteUnusedWallets(db: Database, before: Date, limit: number): Promise<number> {
  const result = await db`
    with old as (
      select w.wallet_id from wallets w
      where w.connected_at is null and w.created_at < ${before}
        and not exists (
          select from devices d left join device_tokens t on t.device_id = d.device_id
          where d.wallet_id = w.wallet_id
            and greatest(d.created_at, t.created_at, t.first_used_at, t.replaced_at) >= ${before})
        and not exists (
          select from wallet_codes c
          where c.wallet_id = w.wallet_id and c.used_at is null and c.created_at >= ${before})
        and not exists (select from connect_keys k where k.wallet_id = w.wallet_id)
      order by w.created_at limit ${limit}
      for update skip locked
    ), device as (
      select device_id from devices where wallet_id in (select wallet_id from old)
    ), tokens as (
      delete from device_tokens where device_id in (select device_id from device)
    ), keys as (
      delete from decision_keys where device_id in (select device_id from device)
    ), counters as (
      delete from passkey_counters where wallet_id in (select wallet_id from old)
    ), changes as (
      delete from pending_changes where wallet_id in (select wallet_id from old)
    ), pushes as (
      delete from push_subscriptions where device_id in (select device_id from device)
    ), gone as (
      delete from devices where device_id in (select device_id from device)
    ), codes as (
      -- A separate rule deletes used ones a day later.
      delete from wallet_codes where wallet_id in (select wallet_id from old) and used_at is null
    )
    delete from wallets where wallet_id in (select wallet_id from old)`;
  return result.count;
}

const authenticateDevice =
  (lastSeen: LastSeen): Authenticators['wallet'] =>
  async ({ db }, presented, now) => {
    const { tokenHash, deviceId } = presented;
    const row = await findDeviceToken(db, tokenHash);
    const principal = judgeDeviceToken(row, deviceId, now);
    lastSeen.note(tokenHash, now);
    if (row?.first_used_at) return principal;
    await transaction(db, (tx) => markDeviceTokenUsed(tx, principal.deviceId, tokenHash, now));
    return judgeDeviceToken(await findDeviceToken(db, tokenHash), deviceId, now);
  };
