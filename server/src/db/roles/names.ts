import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/**
 * The roles of one database. Rights belong to two groups; a login of each group is made for each master key, so that
 * processes with the previous and the new key can run concurrently during a rotation.
 *
 * - service: sees every tenant. For jobs, wallets, and statements that check the credential themselves.
 * - tenant: sees the rows of the merchant that its connection is bound to, and nothing without one.
 */
export const ROLE_KINDS = ['service', 'tenant'] as const;
export type RoleKind = (typeof ROLE_KINDS)[number];

const MAX_DATABASE_PART = 30;

export function groupName(database: string, kind: RoleKind): string {
  return `cs_${shortened(database)}_${kind}`;
}

export function loginName(database: string, kind: RoleKind, keyId: string): string {
  return `${groupName(database, kind)}_${keyId}`;
}

/** Names of roles are limited to 63 bytes, and so are names of databases. */
function shortened(database: string): string {
  if (Buffer.byteLength(database) <= MAX_DATABASE_PART) return database;
  const digest = createHash('sha256').update(database).digest('hex').slice(0, 16);
  return `db_${digest}`;
}

/** A name inside a statement. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** What the server stores instead of the password, which therefore appears in no statement and in no log of them. */
export function scramVerifier(password: string): string {
  const iterations = 4096;
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyFor = (text: string) => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(keyFor('Client Key')).digest('base64');
  const server = keyFor('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`;
}
