import { createAct } from '../act.ts';
import { type Env, parseConfig } from '../config/index.ts';
import { type Context, createContext, SQL_FOLDER } from '../context.ts';
import { joinDatabaseSource } from '../db/database-source.ts';
import { refuseOtherSchema } from '../db/migrate.ts';
import { transaction } from '../db/open.ts';
import { type ChainReport, verifyChain } from '../features/audit/verify-chain.ts';
import { type ResetOutcome, resetPasskeys } from '../features/passkeys/passkeys.ts';
import {
  orderSuspension,
  type SuspensionOrder,
  type SuspensionOutcome,
} from '../features/suspensions/suspend.ts';
import { removeKeyFile } from '../keys/key-file.ts';
import { KEY_USES } from '../keys/key-uses.ts';
import { abandonKey, admitMasterKeys, type KeyStatus, keyStatus, rotateKeys } from '../keys/master-keys.ts';

/** Runs a host's command on the service's database, with the service running or not. */
async function withContext<T>(
  env: Env,
  say: (text: string) => void,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const config = parseConfig(env);
  const source = await joinDatabaseSource(config, say);
  const context = await createContext(config, source.target);
  try {
    await refuseOtherSchema(context.db, SQL_FOLDER);
    await context.database.learnLayout();
    return await work(context);
  } finally {
    // A command needs a key only to read existing values: it never leaves a new one behind.
    if (context.newKeyFile) await removeKeyFile(context.newKeyFile);
    await context.close();
    await source.stop();
  }
}

interface KeyReport {
  keys: KeyStatus[];
}

/** Which rows need which master key. */
export function masterKeyStatus(env: Env, say: (text: string) => void): Promise<KeyReport> {
  return withContext(env, say, (context) => reportOf(context));
}

/** Makes what can be made again with the current key; the report lists the rest. */
export function rotateMasterKeys(
  env: Env,
  say: (text: string) => void,
): Promise<KeyReport & { moved: { name: string; rows: number }[] }> {
  return withContext(env, say, async (context) => {
    const { db, keys, clock } = context;
    await admitMasterKeys(db, keys, KEY_USES, clock.now());
    const newAct = () => createAct(context, 'operator_keys_rotate');
    const moved = await rotateKeys(db, newAct, keys, KEY_USES);
    return { moved, ...(await reportOf(context)) };
  });
}

/** Ends what only a lost key could read. */
export function abandonMasterKey(
  env: Env,
  say: (text: string) => void,
  keyId: string,
): Promise<KeyReport & { ended: { name: string; rows: number }[] }> {
  return withContext(env, say, async (context) => {
    const act = createAct(context, 'operator_keys_abandon');
    const ended = await abandonKey(context.db, act, context.keys, KEY_USES, keyId);
    return { ended, ...(await reportOf(context)) };
  });
}

async function reportOf({ db, keys, clock }: Context): Promise<KeyReport> {
  return { keys: await keyStatus(db, keys, KEY_USES, clock.now()) };
}

/** Recomputes the audit chain; `head` is one that was published earlier and has to be on it. */
export function verifyAudit(env: Env, say: (text: string) => void, head?: string): Promise<ChainReport> {
  return withContext(env, say, ({ db }) => verifyChain(db, head));
}

/** Suspends a merchant, a domain or an agent, or lifts it, while the service runs. */
export function changeSuspension(
  env: Env,
  say: (text: string) => void,
  order: SuspensionOrder,
): Promise<SuspensionOutcome> {
  return withContext(env, say, async (context) => {
    const act = createAct(context, `operator_${order.isLifted ? 'unsuspend' : 'suspend'}`);
    return transaction(context.db, (tx) => orderSuspension(tx, act, order));
  });
}

/** Removes all passkeys of a team member, while the service runs. */
export function resetOperatorPasskeys(
  env: Env,
  say: (text: string) => void,
  email: string,
): Promise<ResetOutcome> {
  return withContext(env, say, async (context) => {
    const act = createAct(context, 'operator_reset_passkeys');
    return transaction(context.db, (tx) => resetPasskeys(tx, act, email));
  });
}
