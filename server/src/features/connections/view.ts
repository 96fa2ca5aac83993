import type { ConnectionStatus, InvitationStatus, PairingStatus, Scope } from '@payassent/protocol';
import {
  type ConnectInvitation,
  type Connection,
  type ConnectKey,
  ConnectKeySchema,
  type PairingSession,
} from '@payassent/protocol/records';
import { toTimestamp } from '../../lib/clock.ts';
import { type Stored, viewOf } from '../record.ts';

/** How long an agent should wait between two polls of its pairing session. */
const POLL_AFTER_MS = 2000;

export type ConnectKeyRow = Stored<ConnectKey>;

/** The requester: enough for a person to notice a stranger. */
interface RequesterRow {
  agent_id: string;
  agent_name: string;
  agent_runtime: string;
  merchant_id: string;
  merchant_name: string;
  verified_domain: string | null;
}

export interface InvitationRow extends RequesterRow {
  connect_invitation_id: string;
  wallet_id: string;
  status: InvitationStatus;
  requested_scopes: Scope[];
  approved_scopes: Scope[] | null;
  connection_id: string | null;
  /** The name when the wallet approved. */
  seen_agent_name: string | null;
  seen_merchant_name: string | null;
  created_at: Date;
  expires_at: Date;
}

export interface PairingRow extends RequesterRow {
  pairing_session_id: string;
  status: PairingStatus;
  requested_scopes: Scope[];
  approved_scopes: Scope[] | null;
  connection_id: string | null;
  created_at: Date;
  expires_at: Date;
}

export interface ConnectionRow extends RequesterRow {
  connection_id: string;
  wallet_id: string;
  status: ConnectionStatus;
  scopes: Scope[];
  /** The name that the customer has seen last. */
  seen_agent_name: string | null;
  seen_merchant_name: string | null;
  created_at: Date;
  updated_at: Date;
}

export const connectKeyView = viewOf(ConnectKeySchema);

export function invitationView(row: InvitationRow): ConnectInvitation {
  return { connect_invitation_id: row.connect_invitation_id, status: row.status, ...requestView(row) };
}

export function pairingView(row: PairingRow): PairingSession {
  return {
    pairing_session_id: row.pairing_session_id,
    status: row.status,
    poll_after_ms: POLL_AFTER_MS,
    ...requestView(row),
  };
}

export function connectionView(row: ConnectionRow): Connection {
  return {
    connection_id: row.connection_id,
    status: row.status,
    scopes: row.scopes,
    agent: { agent_id: row.agent_id, name: row.agent_name },
    merchant: { name: row.merchant_name, verified_domain: row.verified_domain },
    created_at: toTimestamp(row.created_at),
    updated_at: toTimestamp(row.updated_at),
  };
}

/** For the wallet: with the names under which the customer knows agent and merchant, where these have changed. */
export function walletConnectionView(row: ConnectionRow): Connection {
  const view = connectionView(row);
  return {
    ...view,
    agent: { ...view.agent, ...formerName(row.seen_agent_name, row.agent_name) },
    merchant: { ...view.merchant, ...formerName(row.seen_merchant_name, row.merchant_name) },
  };
}

function formerName(seen: string | null, present: string): { former_name?: string } {
  return seen === null || seen === present ? {} : { former_name: seen };
}

function requestView(row: InvitationRow | PairingRow) {
  return {
    requested_scopes: row.requested_scopes,
    approved_scopes: row.approved_scopes,
    agent: { agent_id: row.agent_id, name: row.agent_name, runtime: row.agent_runtime },
    merchant: { name: row.merchant_name, verified_domain: row.verified_domain },
    connection_id: row.connection_id,
    created_at: toTimestamp(row.created_at),
    expires_at: toTimestamp(row.expires_at),
  };
}
