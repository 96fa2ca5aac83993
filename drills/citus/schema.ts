import type postgres from '../../server/vendor/postgres/src/index.js';

/** As docs/decisions/0015-many-machines.md has it. The others find the first one's shards. */
const TENANT_GROUP = [
  'merchants',
  'agents',
  'agent_credentials',
  'agent_credential_endings',
  'agent_revocations',
  'agent_tokens',
  'api_keys',
  'approvals',
  'automation_policies',
  'agent_payments',
  'agent_payment_events',
  'agent_payment_heads',
  'connections',
  'connection_tokens',
  'connection_heads',
  'connection_revocations',
  'transaction_contexts',
  'recipients',
  'recipient_versions',
  'recipient_evidence',
  'recipient_recalls',
  'payment_requests',
  'payment_request_events',
  'pending_requests',
  'requests_by_status',
  'settlements',
  'observations',
  'webhook_endpoints',
  'webhook_messages',
  'webhook_deliveries',
];

/** Distributes the group, with `merchant_id` in every key and without foreign keys: what migrations still have to do. */
export async function distribute(db: postgres.Sql): Promise<void> {
  await db.unsafe(`
    create temp table tenant_group as select unnest(array['${TENANT_GROUP.join("','")}']) as t;
    do $$ declare r record; d text; begin
      -- They write to another table, which they do not find from a shard. Nothing here takes a right away.
      for r in select tgname, tgrelid::regclass::text as t from pg_trigger
          where tgfoid in ('renew_standing'::regproc, 'begin_standing'::regproc) loop
        execute format('drop trigger %I on %s', r.tgname, r.t);
      end loop;
      for r in select conname, conrelid::regclass::text as t from pg_constraint where contype = 'f'
          and (conrelid::regclass::text in (select t from tenant_group) or confrelid::regclass::text in (select t from tenant_group)) loop
        execute format('alter table %s drop constraint %I', r.t, r.conname);
      end loop;
      for r in select i.indrelid::regclass::text as t, i.indexrelid::regclass::text as n, pg_get_indexdef(i.indexrelid) as def, c.conname, c.contype
          from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('p', 'u')
          where i.indisunique and i.indrelid::regclass::text in (select t from tenant_group)
            and not exists (select from pg_attribute a where a.attrelid = i.indrelid and a.attname = 'merchant_id' and a.attnum = any(i.indkey)) loop
        d := regexp_replace(r.def, '\\(', '(merchant_id, ');
        if r.conname is null then execute 'drop index ' || r.n; else execute format('alter table %s drop constraint %I', r.t, r.conname); end if;
        if r.contype = 'p' then execute format('alter table %s add primary key %s', r.t, substring(d from '\\(.*\\)')); else execute d; end if;
      end loop;
    end $$;
    set citus.enable_unsafe_triggers = on; set citus.shard_count = 8`);
  for (const table of TENANT_GROUP)
    await db.unsafe(
      `select create_distributed_table('${table}', 'merchant_id'${table === 'merchants' ? '' : ", colocate_with := 'merchants'"})`,
    );
}

/** Five merchants, mer_A to mer_E, each with all that a create rests on. */
export async function populate(db: postgres.Sql): Promise<void> {
  for (const m of ['A', 'B', 'C', 'D', 'E'])
    await db.unsafe(`
      insert into merchants (merchant_id, name, status, created_at, updated_at) values ('mer_${m}', 'Shop', 'active', now(), now());
      insert into agents (agent_id, merchant_id, name, runtime, environment, allowed_scopes, status, created_at, updated_at)
        values ('agt_${m}', 'mer_${m}', 'Bot', 'x', 'live', '{payment.requests.create,payment.requests.read}', 'active', now(), now());
      insert into agent_credentials (credential_id, agent_id, merchant_id, kid, alg, public_key, status, created_at)
        values ('crd_${m}', 'agt_${m}', 'mer_${m}', 'k', 'Ed25519', decode(repeat('00', 32), 'hex'), 'active', now());
      insert into recipients (recipient_id, merchant_id, name, status, active_version_id, created_at, updated_at)
        values ('rcp_${m}', 'mer_${m}', 'Payee', 'active', 'rcv_${m}', now(), now());
      insert into recipient_versions (recipient_version_id, recipient_id, merchant_id, number, status, name, rail, network, asset, address, decimals, evidence_id, created_at, verified_at, activated_at, binding)
        values ('rcv_${m}', 'rcp_${m}', 'mer_${m}', 1, 'active', 'Payee', 'evm', 'base', 'USDC', '0xabc', 6, 'evd_${m}', now(), now(), now(), 'domain');
      insert into recipient_evidence (evidence_id, recipient_version_id, merchant_id, type, source_id, domain, method, evidence_digest, created_at, expires_at)
        values ('evd_${m}', 'rcv_${m}', 'mer_${m}', 'domain_proof', 'dom_${m}', 'shop.example', 'dns', 'sha256:x', now(), now() + interval '1 year');
      insert into connections (connection_id, merchant_id, agent_id, wallet_id, status, scopes, created_at, updated_at)
        values ('con_${m}', 'mer_${m}', 'agt_${m}', 'wal_${m}', 'active', '{payment.requests.create,payment.requests.read}', now(), now());
      insert into connection_tokens (token_hash, connection_id, merchant_id, generation, key_id, created_at, first_used_at)
        values ('tok_${m}', 'con_${m}', 'mer_${m}', 1, 'k', now(), now());
      insert into connection_heads (connection_id, merchant_id) values ('con_${m}', 'mer_${m}');
      insert into webhook_endpoints (webhook_endpoint_id, merchant_id, url, event_types, status, secret_key_id, secret_box, created_at, updated_at)
        values ('whe_${m}', 'mer_${m}', 'https://x', '{*}', 'active', 'k', '\\x00', now(), now())`);
}

/** A create as one function on the merchant's machine: gate and request in one statement, then message and deliveries. */
export const STORE_REQUESTS = `
create function store_requests(merchant id, input text, at timestamptz) returns table (request id, deliveries int) language plpgsql as $$
#variable_conflict use_column
declare one record;
begin
  for one in
    insert into payment_requests as r (merchant_id, request_id, connection_id, wallet_id, agent_id, idempotency_key, intent_digest,
      recipient_id, recipient_version_id, rail, network, asset, amount, to_address, decimals, payee, facts_digest, source, status,
      created_at, expires_at, updated_at, listed_version)
    select c.merchant_id, i.request_id, c.connection_id, c.wallet_id, c.agent_id, i.request_id, 'd', v.recipient_id,
      v.recipient_version_id, v.rail, v.network, v.asset, '1', v.address, v.decimals, ('{"name":' || to_json(v.name) || '}')::json,
      'f', '{}'::json, 'pending', at, at + interval '1 hour', at, 1
    from json_to_recordset(input::json) i(token_hash text, request_id id, recipient_id id)
      cross join lateral (
        select c.* from connection_tokens t
          cross join lateral (select * from connections c where c.merchant_id = merchant and c.connection_id = t.connection_id limit 1) c
        where t.merchant_id = merchant and t.token_hash = i.token_hash and t.ended_at is null limit 1) c
      join connections held on held.merchant_id = merchant and held.connection_id = c.connection_id and held.status = 'active'
      cross join lateral (
        select v.* from recipients p join recipient_versions v on v.merchant_id = merchant and v.recipient_version_id = p.active_version_id
        where p.merchant_id = merchant and p.recipient_id = i.recipient_id and p.status = 'active' limit 1) v
    order by c.connection_id, i.request_id
    for key share of held skip locked
    on conflict do nothing
    returning r.request_id, concat('{"request_id":', to_json(r.request_id::text), '}') as record
  loop
    insert into pending_requests (merchant_id, connection_id, expires_at, request_id, created_at, recipient_id, recall_generation)
      select r.merchant_id, r.connection_id, r.expires_at, r.request_id, r.created_at, r.recipient_id, r.recall_generation
      from payment_requests r where r.merchant_id = merchant and r.request_id = one.request_id;
    insert into webhook_messages (event_id, merchant_id, type, body, created_at)
      select 'evt_' || one.request_id, m.merchant_id, 'payment_request.created', one.record, at from merchants m
      where m.merchant_id = merchant and exists (select from webhook_endpoints w where w.merchant_id = merchant and w.status = 'active');
    insert into webhook_deliveries (delivery_id, webhook_endpoint_id, merchant_id, event_id, event_type, attempt, status, run_at, created_at)
      select 'whd_' || one.request_id || webhook_endpoint_id, webhook_endpoint_id, merchant_id, 'evt_' || one.request_id,
        'payment_request.created', 1, 'pending', at, at
      from webhook_endpoints w where w.merchant_id = merchant and w.status = 'active';
    get diagnostics deliveries = row_count;
    request := one.request_id;
    return next;
  end loop;
end $$`;
