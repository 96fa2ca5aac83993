import { createHash } from 'node:crypto';
import type { LearnLayout } from './layout.ts';
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

/**
 * The connections of one process. Until `prepare` has succeeded they are the owner's; afterwards the service works as
 * roles that own nothing.
 */
export interface ServiceDatabase {
  /** Sees every tenant: for jobs, wallets, and statements that check the credential themselves. */
  readonly db: Database;
  /** Where notifications of other processes are heard. */
  readonly listener: Database;
  /** Sees one merchant's rows only, whatever a statement asks for. */
  of(merchantId: string): Database;
  /** Brings the schema up to date as owner, then changes to the roles of the service. */
  prepare(parts: PrepareParts): Promise<{ level: number; roles: Roles }>;
  /** Finds out whether the database is distributed; part of `prepare`. */
  learnLayout(): Promise<void>;
  /** By pool: `service`, and `tenant` once the roles are known. */
  use(): Record<string, PoolUse>;
  end(): Promise<void>;
}

export interface PrepareParts extends Omit<RoleParts, 'target'> {
  /** Off: the schema must be up to date already. */
  mayMigrate: boolean;
  /** Refuses, by throwing, to work on what is there; as owner, before anything but the schema is touched. */
  check(owner: Database): Promise<void>;
}

export interface DatabaseParts {
  target: ConnectionTarget;
  /** For what needs a session of its own, where `target` leads to a pooler that has none. */
  sessionTarget: ConnectionTarget | undefined;
  pool: number;
  allowUnsafeDurability: boolean;
  onQuery?: ObserveQuery;
  learnLayout: LearnLayout;
}

export function openServiceDatabase(parts: DatabaseParts): ServiceDatabase {
  const { target, pool, allowUnsafeDurability, onQuery } = parts;
  const guard: SessionGuard = { allowUnsafeDurability, isDirect: false };
  const sessions = parts.sessionTarget ?? target;
  let current = openDatabase(target, { pool, guard, onQuery });
  const listener = parts.sessionTarget && openDatabase(parts.sessionTarget, { pool: 1, guard });
  let tenants: { pool: Database; seal: Buffer } | undefined;
  const db = switching(() => current);
  const changeTo = async (roles: Roles & { kind: 'separate' }) => {
    const former = current;
    const forTenants = Math.ceil((pool * 3) / 8);
    tenants = { pool: openDatabase(roles.tenant, { pool: forTenants, guard, onQuery }), seal: roles.seal };
    current = openDatabase(roles.service, { pool: pool - forTenants, guard, onQuery });
    await former.end({ timeout: 5 });
  };
  /** Every address that is used is proved before it is. */
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
  const learnLayout = () => parts.learnLayout(current, ...(tenants ? [tenants.pool] : []));
  return {
    db,
    listener: listener ?? db,
    of: (merchantId) => (tenants ? boundDatabase(tenants.pool, sealedTenant(merchantId, tenants.seal)) : db),
    async prepare({ mayMigrate, folder, ...rest }) {
      await prove();
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
    use: () => ({ service: poolUse(current), ...(tenants ? { tenant: poolUse(tenants.pool) } : {}) }),
    async end() {
      const pools = [current, tenants?.pool, listener];
      await Promise.all(pools.map((each) => each?.end({ timeout: 5 })));
    },
  };
}

/** What is made of it early goes on with the connections that are current when it is used. */
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
