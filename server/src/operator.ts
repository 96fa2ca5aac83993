import { createAct } from './act.ts';
import { type Env, parseConfig } from './config.ts';
import { type Context, createContext, SQL_FOLDER } from './context.ts';
import { joinDatabaseSource } from './database-target.ts';
import { refuseOtherSchema } from './db/migrate.ts';
import { transaction } from './db/open.ts';
import { type ChainReport, verifyChain } from './features/audit/verify-chain.ts';
import {
  orderSuspension,
  type SuspensionOrder,
  type SuspensionOutcome,
} from './features/suspensions/suspend.ts';

/** Runs an operator's command on the service's database, beside a service that runs or without one. */
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
    return await work(context);
  } finally {
    await context.close();
    await source.stop();
  }
}

/** Recomputes the audit chain; `head` is one that was published earlier and has to be on it. */
export function verifyAudit(env: Env, say: (text: string) => void, head?: string): Promise<ChainReport> {
  return withContext(env, say, ({ db }) => verifyChain(db, head));
}

/** Suspends a merchant, a domain or an agent, or lifts it, beside the running service. */
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
