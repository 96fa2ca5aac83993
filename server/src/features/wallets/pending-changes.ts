import type { AuditEventType, WalletChangeAct } from '@payassent/protocol';
import { type DecisionKey, decisionKeyThumbprint } from '@payassent/protocol/evidence';
import { PendingChangeSchema } from '@payassent/protocol/records';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, impossibleMove, notFound } from '../../errors.ts';
import { addMs, DAY_MS } from '../../lib/clock.ts';
import type { WalletPrincipal } from '../../principals.ts';
import { type AuditActor, auditActor, recordAudit, SYSTEM_ACTOR } from '../audit/record.ts';
import { holdWallet } from '../callers/device-token.ts';
import { waitingTopic } from '../callers/topics.ts';
import { viewOf } from '../record.ts';
import * as sql from './pending-changes-sql.ts';

/** How long every device of the wallet can cancel a change that no key has authorized. */
const DELAY_MS = DAY_MS;

interface WantedChange {
  act: WalletChangeAct;
  /** The affected device; null for a recovery code. */
  deviceId: string | null;
  /** Thumbprint of the device's current key. */
  held: string | null;
  /** For `set_key`. */
  key: DecisionKey | null;
}

/** A pending change, returned by a command instead of what it changes. */
export class Waiting {
  readonly change: sql.ChangeRow;

  constructor(change: sql.ChangeRow) {
    this.change = change;
  }
}

/**
 * Nothing changes yet. A repeat of the same request finds the pending change. The caller holds the wallet's exclusive
 * lock.
 */
export async function waitForEffect(
  tx: Tx,
  act: Act,
  principal: WalletPrincipal,
  wanted: WantedChange,
): Promise<Waiting> {
  const { walletId } = principal;
  const open = await sql.findOpenChange(tx, walletId, wanted.act, wanted.deviceId);
  if (open) {
    refuseOtherKey(open, wanted);
    return new Waiting(open);
  }
  const row: sql.ChangeRow = {
    change_id: act.newId('chg'),
    wallet_id: walletId,
    act: wanted.act,
    device_id: wanted.deviceId,
    requested_by: principal.deviceId,
    held: wanted.held,
    key: wanted.key,
    status: 'pending',
    created_at: act.now,
    takes_effect_at: addMs(act.now, DELAY_MS),
  };
  await sql.insertChange(tx, row);
  await record(tx, act, 'requested', auditActor(principal), [row]);
  tx.afterCommit(() => act.announce(waitingTopic(walletId)));
  return new Waiting(row);
}

/** A device that sets its key must not mistake the pending change of a stranger's key for its own. */
function refuseOtherKey({ change_id, key }: sql.ChangeRow, wanted: WantedChange): void {
  if (thumbprintOf(key) === thumbprintOf(wanted.key)) return;
  throw new AppError('limit_reached', {
    message: 'Another key for this device is pending already: cancel that change first.',
    details: { limit: 1, change_id },
  });
}

function thumbprintOf(key: DecisionKey | null): string | undefined {
  return key ? decisionKeyThumbprint(key) : undefined;
}

/** After every act that ends a device or a key: pending changes about it can no longer happen. */
export async function lapseStale(tx: Tx, act: Act, walletId: string): Promise<void> {
  await record(tx, act, 'lapsed', SYSTEM_ACTOR, await sql.lapseStale(tx, walletId, act.now));
}

/** The wallet has a new recovery code: no pending change brings one any more. */
export async function lapseRecoveryCodes(tx: Tx, act: Act, walletId: string): Promise<void> {
  await sql.voidCodes(tx, walletId, act.now);
  await record(tx, act, 'lapsed', SYSTEM_ACTOR, await sql.lapseRecoveryCodes(tx, walletId, act.now));
}

/** Any device of the wallet may, with a key or without. The caller holds the wallet's exclusive lock. */
export async function cancelChange(
  tx: Tx,
  act: Act,
  principal: WalletPrincipal,
  changeId: string,
): Promise<sql.ChangeRow> {
  const { walletId } = principal;
  await holdWallet(tx, principal);
  const change = await sql.findChange(tx, walletId, changeId);
  if (!change) throw notFound();
  const [cancelled] = await sql.cancelChanges(tx, walletId, changeId, act.now);
  if (!cancelled)
    throw impossibleMove(
      [change.status, 'cancelled'],
      [],
      `The change is ${change.status} and can no longer be cancelled.`,
    );
  await record(tx, act, 'cancelled', auditActor(principal), [cancelled]);
  tx.afterCommit(() => act.announce(waitingTopic(walletId)));
  return cancelled;
}

/** With a recovery that ends the other devices: whatever they have requested ends with them. */
export async function cancelAll(tx: Tx, act: Act, walletId: string, deviceId: string): Promise<void> {
  const actor = { kind: 'wallet' as const, id: deviceId, walletId };
  await sql.voidCodes(tx, walletId, act.now);
  await record(tx, act, 'cancelled', actor, await sql.cancelChanges(tx, walletId, undefined, act.now));
}

export async function recordEffect(tx: Tx, act: Act, change: sql.ChangeRow): Promise<void> {
  await record(tx, act, 'effective', SYSTEM_ACTOR, [change]);
}

type Step =
  Extract<AuditEventType, `pending_change.${string}`> extends `pending_change.${infer Name}` ? Name : never;

async function record(tx: Tx, act: Act, step: Step, actor: AuditActor, changes: readonly sql.ChangeRow[]) {
  const entries = changes.map((change) => ({
    merchantId: null,
    walletId: change.wallet_id,
    type: `pending_change.${step}` as const,
    actor,
    target: { type: 'pending_change' as const, id: change.change_id },
    details: {
      wallet_id: change.wallet_id,
      act: change.act,
      device_id: change.device_id,
      requested_by: change.requested_by,
    },
  }));
  await recordAudit(tx, act, ...entries);
}

export const changeView = viewOf(PendingChangeSchema);
