import { databaseBefore } from '@payassent/proof/database/older-database';
import { expect, it } from 'vitest';

it('drafts from before show what is active now and must be read again; consents stay as they were given', async () => {
  const { db, upgrade } = await databaseBefore('policy_consent');
  await db`set session_replication_role = replica`;
  await db`
    insert into merchants (merchant_id, name, status, created_at, updated_at)
    values ('mer_1', 'Shop', 'active', now(), now())`;
  await db`
    insert into recipients (recipient_id, merchant_id, name, status, active_version_id, created_at, updated_at)
    values ('rcp_1', 'mer_1', 'Shop', 'active', 'rcv_2', now(), now()),
           ('rcp_2', 'mer_1', 'New', 'draft', null, now(), now()),
           ('rcp_3', 'mer_1', 'Gone', 'archived', 'rcv_3', now(), now())`;
  const draft = [
    { recipient_id: 'rcp_1' },
    { address: 'G1' },
    { recipient_id: 'rcp_2' },
    { recipient_id: 'rcp_3' },
  ];
  const lists: [string, object[] | null][] = [
    ['draft', draft],
    ['draft', []],
    ['draft', null],
    ['active', [{ recipient_id: 'rcp_1', recipient_version_id: 'rcv_1' }]],
  ];
  for (const [index, [status, allowlist]] of lists.entries())
    await db`
      insert into automation_policies (policy_id, merchant_id, agent_id, connection_id, wallet_id, network, asset, status,
        allowlist, version, created_at, updated_at)
      values (${`pol_${index}`}, 'mer_1', 'agt_1', 'con_1', 'wlt_1', 'stellar_testnet', 'XLM', ${status},
        ${allowlist === null ? null : db.json(allowlist as never)}, 4, now(), now())`;
  await db`set session_replication_role = origin`;
  await upgrade();
  const rows = await db`select allowlist, version, proposed from automation_policies order by policy_id`;
  const pinned = [{ recipient_id: 'rcp_1', recipient_version_id: 'rcv_2' }, ...draft.slice(1)];
  expect([...rows]).toEqual([
    { allowlist: pinned, version: 5, proposed: null },
    { allowlist: [], version: 4, proposed: null },
    { allowlist: null, version: 4, proposed: null },
    { allowlist: lists[3]?.[1], version: 4, proposed: null },
  ]);
});
