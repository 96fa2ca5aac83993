import { createHash } from 'node:crypto';
import { migrate } from './migrate.ts';
import { boundDatabase, type ConnectionTarget, type Database, openDatabase } from './open.ts';
import { prepareRoles, type RoleParts, type Roles } from './roles/index.ts';

/**
 * The connections of one process. Until `prepare` has succeeded they are the owner's; afterwards the service works as
 * roles that own nothing.
 */
export interface ServiceDatabase {
  /** Sees every tenant: for jobs, wallets, and statements that check the credential themselves. */
  readonly db: Database;
  /** Sees one merchant's rows only, whatever a statement asks for. */
  of(merchantId: string): Database;
  /** Brings the schema up to date as owner, then changes to the roles of the service. */
  prepare(parts: PrepareParts): Promise<{ level: number; roles: Roles }>;
  end(): Promise<void>;
}

export interface PrepareParts extends Omit<RoleParts, 'target'> {
  /** Refuses, by throwing, to work on what is there; as owner, before anything but the schema is touched. */
  check(owner: Database): Promise<void>;
}

export function openServiceDatabase(target: ConnectionTarget, pool: number): ServiceDatabase {
  let current = openDatabase(target, { pool });
  let tenants: { pool: Database; seal: Buffer } | undefined;
  const db = switching(() => current);
  const changeTo = async (roles: Roles & { kind: 'separate' }) => {
    const former = current;
    const forTenants = Math.ceil((pool * 3) / 8);
    tenants = { pool: openDatabase(roles.tenant, { pool: forTenants }), seal: roles.seal };
    current = openDatabase(roles.service, { pool: Math.max(1, pool - forTenants) });
    await former.end({ timeout: 5 });
  };
  return {
    db,
    of: (merchantId) => (tenants ? boundDatabase(tenants.pool, sealedTenant(merchantId, tenants.seal)) : db),
    async prepare(parts) {
      const owner = openDatabase(target, { pool: 1, mayBeSilent: true });
      try {
        const { level } = await migrate(owner, parts.folder);
        await parts.check(owner);
        const roles = await prepareRoles(owner, { ...parts, target });
        if (roles.kind === 'separate' && !tenants) await changeTo(roles);
        return { level, roles };
      } finally {
        await owner.end({ timeout: 5 });
      }
    },
    async end() {
      await Promise.all([current.end({ timeout: 5 }), tenants?.pool.end({ timeout: 5 })]);
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
