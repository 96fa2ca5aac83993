import { createHash } from 'node:crypto';
import { eachHost } from './address.ts';
import type { LearnLayout } from './layout.ts';
import { LINEAGE_COLUMNS, type Lineage, openLineageMemory } from './lineage.ts';
import { migrate, refuseUnmigrated } from './migrate.ts';
import {
  boundDatabase,
  type ConnectionTarget,
  type Database,
  type ObserveQuery,
  openDatabase,
  type PoolUse,
  poolUse,
} from './open.ts';
import { proveAddress } from './pooling.ts';
import { prepareRoles, type RoleParts, type Roles } from './roles/index.ts';
import type { SessionGuard } from './session-guard.ts';
import type { Writing } from './writing.ts';

/**
 * The connections of one process. Until `prepare` has succeeded they are the owner's; afterwards the service works
 * under roles that own nothing.
 */
export interface ServiceDatabase {
  /** Sees every tenant: for jobs, wallets, and statements that check the credential themselves. */
  readonly db: Database;
  /** One connection that no call uses, for probes that must not wait behind calls; closed while it is idle. */
  readonly aside: Database;
  /** Receives notifications from other processes. */
  readonly listener: Database;
  /** Sees one merchant's rows only, whatever the statement. */
  of(merchantId: string): Database;
  /** Brings the schema up to date as owner, then switches to the roles of the service. */
  prepare(parts: PrepareParts): Promise<{ level: number; roles: Roles }>;
  /** Detects whether the database is distributed; part of `prepare`. */
  learnLayout(): Promise<void>;
  /** Behind a pooler, which may lead its connections to another server: rejects one that has gone back. */
  refuseOther(through: Database): Promise<void>;
  /** By pool: `service`, and `tenant` once the roles are known. */
  use(): Record<string, PoolUse>;
  end(): Promise<void>;
}

export interface PrepareParts extends Omit<RoleParts, 'target'> {
  /** Off: the schema must be up to date already. */
  mayMigrate: boolean;
  /** Throws on a database the service must not work on; as owner, before anything but the schema is touched. */
  check(owner: Database): Promise<void>;
}

export interface DatabaseParts {
  target: ConnectionTarget;
  /** For what needs a dedicated session, where `target` leads to a pooler that has none. */
  sessionTarget: ConnectionTarget | undefined;
  pool: number;
  allowUnsafeDurability: boolean;
  /** The file of the database's lineage, kept between two starts; undefined for the embedded one. */
  lineageFile: string | undefined;
  onQuery?: ObserveQuery;
  writing: Writing;
  learnLayout: LearnLayout;
}

/** Longer than the pause between two probes that use it. */
const ASIDE_S = 30;

export function openServiceDatabase(parts: DatabaseParts): ServiceDatabase {
  const { target, pool, allowUnsafeDurability } = parts;
  const { lineageFile } = parts;
  const lineage =
    lineageFile === undefined || target.url === undefined
      ? undefined
      : openLineageMemory(target.url, lineageFile);
  const guard: SessionGuard = { allowUnsafeDurability, isDirect: false, ...(lineage ? { lineage } : {}) };
  const sessions = parts.sessionTarget ?? target;
  const given = { guard, onQuery: parts.onQuery, writing: parts.writing };
  let current = openDatabase(target, { pool, ...given });
  let aside = openDatabase(target, { pool: 1, idleS: ASIDE_S, ...given });
  const listener = parts.sessionTarget && openDatabase(parts.sessionTarget, { pool: 1, guard });
  let tenants: { pool: Database; seal: Buffer } | undefined;
  const db = switching(() => current);
  const changeTo = async (roles: Roles & { kind: 'separate' }) => {
    const former = current;
    const forTenants = Math.ceil((pool * 3) / 8);
    const before = aside;
    tenants = { pool: openDatabase(roles.tenant, { pool: forTenants, ...given }), seal: roles.seal };
    current = openDatabase(roles.service, { pool: pool - forTenants, ...given });
    aside = openDatabase(roles.service, { pool: 1, idleS: ASIDE_S, ...given });
    await Promise.all([former.end({ timeout: 5 }), before.end({ timeout: 5 })]);
  };
  /** Checks every address before it is used. */
  const prove = async (): Promise<void> => {
    if (parts.sessionTarget) await proveAddress(parts.sessionTarget, 'SVC_DATABASE_SESSION_URL', false);
    const pooling = await proveAddress(target, 'DATABASE_URL', parts.sessionTarget !== undefined);
    guard.isDirect = pooling === 'direct' && !parts.sessionTarget;
  };
  const proveRoles = async ({ service, tenant }: Roles & { kind: 'separate' }): Promise<void> => {
    if (guard.isDirect) return;
    for (const own of [service, tenant])
      await proveAddress(own, 'DATABASE_URL', parts.sessionTarget !== undefined);
  };
  /** Of several writable hosts, all but the one that has advanced furthest are rejected from then on. */
  const learnLineage = async (): Promise<void> => {
    const urls = target.url === undefined ? [] : eachHost(target.url);
    if (!lineage || urls.length === 0) return;
    const found = await Promise.all(urls.map((url) => lineageAt(url)));
    const refusals = found.map((each) => (each ? lineage.judge(each) : undefined));
    if (urls.length === 1) {
      if (refusals[0]) throw refusals[0];
      return;
    }
    // Open connections may lead to any of them.
    const former = current;
    current = openDatabase(target, { pool, ...given });
    await former.end({ timeout: 5 });
  };
  const learnLayout = () => parts.learnLayout(current, aside, ...(tenants ? [tenants.pool] : []));
  return {
    db,
    get aside() {
      return aside;
    },
    listener: listener ?? db,
    of: (merchantId) => (tenants ? boundDatabase(tenants.pool, sealedTenant(merchantId, tenants.seal)) : db),
    async prepare({ mayMigrate, folder, ...rest }) {
      await prove();
      if (!tenants) await learnLineage();
      const owner = openDatabase(sessions, { pool: 1, mayBeSilent: true, guard });
      try {
        const level = mayMigrate
          ? (await migrate(owner, folder)).level
          : await refuseUnmigrated(owner, folder);
        await rest.check(owner);
        const roles = await prepareRoles(owner, { ...rest, folder, target });
        if (roles.kind === 'separate' && !tenants) {
          await proveRoles(roles);
          await changeTo(roles);
        }
        await learnLayout();
        return { level, roles };
      } finally {
        await owner.end({ timeout: 5 });
      }
    },
    learnLayout,
    async refuseOther(through) {
      if (guard.isDirect || !lineage?.known) return;
      const [found] = await through.unsafe<Lineage[]>(`select ${LINEAGE_COLUMNS}`);
      const refusal = found?.timeline ? lineage.judge(found) : undefined;
      if (refusal) throw refusal;
    },
    use: () => ({ service: poolUse(current), ...(tenants ? { tenant: poolUse(tenants.pool) } : {}) }),
    async end() {
      const pools = [current, aside, tenants?.pool, listener];
      await Promise.all(pools.map((each) => each?.end({ timeout: 5 })));
    },
  };
}

/** Undefined without a server, or with one that is read-only or does not report it. */
async function lineageAt(url: string): Promise<Lineage | undefined> {
  const db = openDatabase({ url }, { pool: 1 });
  try {
    const [found] = await db.unsafe<Lineage[]>(`select ${LINEAGE_COLUMNS}`);
    return found?.timeline ? found : undefined;
  } catch {
    return undefined;
  } finally {
    await db.end({ timeout: 1 });
  }
}

/** What is created early uses the connections that are current when it runs. */
function switching(current: () => Database): Database {
  return new Proxy((() => {}) as unknown as Database, {
    apply: (_target, _this, args: Parameters<Database>) => current()(...args),
    get: (_target, key) => Reflect.get(current(), key),
  });
}

/** As `current_tenant()` of the schema checks it. */
function sealedTenant(merchantId: string, key: Buffer): string {
  const inner = createHash('sha256').update(key).update(merchantId).digest();
  return `${merchantId} ${createHash('sha256').update(key).update(inner).digest('hex')}`;
}
