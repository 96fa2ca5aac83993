import type { Scope } from '@payassent/protocol';
import type { Fragment, Sql } from '../../db/open.ts';
import { fromTextList, textList } from '../../db/text-list.ts';
import type { CallerPermission, PresentedCredential } from '../../principals.ts';

/**
 * The caller, as sent. Read again for each lookup: the ordinary check, which explains why the first one found nothing,
 * stores here whose key has signed for the call.
 */
export type HotCaller = Pick<PresentedCredential, 'tokenHash' | 'provedBy'>;

/** A token's rights in the database; `n` counts the tokens from 1. */
export interface RightsRow {
  n: number;
  merchant_id: string;
  connection_id: string;
  agent_id: string;
  version: string;
  scopes: Scope[];
  allowed_scopes: Scope[];
  require_proof: boolean;
  is_shared: boolean;
  credentials: [credentialId: string, from: string | null, until: string | null][];
  has_recalls: boolean;
}

/**
 * Lateral subqueries with limits leave the planner no choice but one index probe a row, token first. Written as plain
 * joins the same took 30 ms to plan and scanned whole tables while these were small.
 */
export function rightsQuery(sql: Sql, tokens: string, version: Fragment, joinVersion: Fragment) {
  return sql`
    select i.n, c.merchant_id, c.connection_id, c.agent_id, c.scopes, a.allowed_scopes, a.require_proof, t.is_shared,
           ${version} as version,
           array_to_json(array(
             select json_build_array(k.credential_id, k.not_before, k.expires_at)
             from agent_credentials k where k.agent_id = c.agent_id and k.status = 'active')) as credentials,
           (select true from recipient_recalls k where k.merchant_id = c.merchant_id limit 1) is true as has_recalls
    from rows from (${fromTextList(sql, tokens)}) with ordinality as i(token_hash, n)
      cross join lateral (
        select t.connection_id, t.is_shared from connection_tokens t
        where t.token_hash = i.token_hash and t.first_used_at is not null and t.ended_at is null
        limit 1
      ) t
      cross join lateral (
        select * from connections c where c.connection_id = t.connection_id and c.status <> 'revoked' limit 1
      ) c
      cross join lateral (
        select * from agents a
        where a.agent_id = c.agent_id
          and is_in_service(a.status, a.suspended_by_installation_at, a.merchant_suspended_at)
        limit 1
      ) a
      ${joinVersion}`;
}

/** Callers by their permission: for a row `i` with merchant_id and version, a row if the version is still that one. */
export function joinPermission(sql: Sql) {
  return sql`
    cross join lateral (
      select from merchant_standings s where s.merchant_id = i.merchant_id and s.version = i.version limit 1
    ) permission`;
}

/** For a row `p` with merchant_id and version: whether its caller's permission has to be looked up again. */
export function isOutdated(sql: Sql) {
  return sql`not exists (
      select from merchant_standings s where s.merchant_id = p.merchant_id and s.version = p.version)`;
}

/** The columns of `i` that identify a caller's permission, as functions in `rows from`, and their names. */
export interface PermissionLists {
  merchants: string;
  versions: string;
  connections: string;
  recalls: string;
}

export function permissionLists(permissions: readonly CallerPermission[]): PermissionLists {
  return {
    merchants: textList(permissions.map(({ merchantId }) => merchantId)),
    versions: textList(permissions.map(({ version }) => version)),
    connections: textList(permissions.map(({ connectionId }) => connectionId)),
    recalls: textList(permissions.map(({ hasRecalls }) => (hasRecalls ? 'yes' : undefined))),
  };
}

export function fromPermissions(sql: Sql, lists: PermissionLists) {
  return sql`${fromTextList(sql, lists.merchants)}, ${fromTextList(sql, lists.versions, 'uuid')},
          ${fromTextList(sql, lists.connections)}, ${fromTextList(sql, lists.recalls)}`;
}
export const PERMISSION_COLUMNS = 'merchant_id, version, connection_id, recalls';
