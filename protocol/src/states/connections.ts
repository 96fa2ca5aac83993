import {
  CONNECT_KEY_STATUSES,
  CONNECTION_STATUSES,
  DEVICE_STATUSES,
  INVITATION_STATUSES,
  PAIRING_STATUSES,
  PENDING_CHANGE_STATUSES,
} from '../enumerations.ts';
import { defineMachine } from './machine.ts';

/** How an agent and a wallet come together, and part. */

export const device = defineMachine(DEVICE_STATUSES, 'active', [
  ['active', 'revoked', 'wallet', 'deleted by a device of the wallet'],
]);

export const pendingChange = defineMachine(PENDING_CHANGE_STATUSES, 'pending', [
  ['pending', 'effective', 'clock', '24 hours over'],
  ['pending', 'cancelled', 'wallet', 'cancelled by a device, or by a recovery that revoked the others'],
  ['pending', 'lapsed', 'system', 'device or key gone, or the same done with an authorization'],
]);

export const connectKey = defineMachine(CONNECT_KEY_STATUSES, 'issued', [
  ['issued', 'used', 'agent', 'claimed'],
  ['issued', 'withdrawn', 'wallet', 'withdrawn'],
  ['issued', 'expired', 'clock', '10 minutes over'],
]);

export const connectInvitation = defineMachine(INVITATION_STATUSES, 'pending_approval', [
  ['pending_approval', 'approved', 'wallet', 'approved'],
  ['pending_approval', 'rejected', 'wallet', 'rejected'],
  ['pending_approval', 'rejected', 'system', 'agent revoked'],
  ['pending_approval', 'expired', 'clock', '15 minutes over'],
  ['approved', 'exchanged', 'agent', 'token collected'],
  ['approved', 'rejected', 'wallet', 'rejected after all'],
  ['approved', 'rejected', 'system', 'agent revoked'],
  ['approved', 'expired', 'clock', '15 minutes over'],
]);

export const pairingSession = defineMachine(PAIRING_STATUSES, 'pending', [
  ['pending', 'approved', 'wallet', 'approved'],
  ['pending', 'rejected', 'wallet', 'rejected'],
  ['pending', 'rejected', 'system', 'agent revoked'],
  ['pending', 'expired', 'clock', '10 minutes over'],
  ['pending', 'expired', 'system', 'fifth wrong code, or its code lost with a key'],
  ['approved', 'completed', ['agent', 'wallet'], 'first use of the token, or the agent collects its own'],
]);

export const connection = defineMachine(CONNECTION_STATUSES, 'active', [
  ['active', 'paused', 'wallet', 'paused'],
  ['paused', 'active', 'wallet', 'resumed'],
  ['active', 'revoked', ['wallet', 'merchant'], 'revoked'],
  ['active', 'revoked', 'system', 'agent revoked, or last device deleted'],
  ['paused', 'revoked', ['wallet', 'merchant'], 'revoked'],
  ['paused', 'revoked', 'system', 'agent revoked, or last device deleted'],
]);
