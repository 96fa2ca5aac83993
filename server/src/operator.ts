import { type Env, parseConfig } from './config.ts';
import { type Context, createContext, SQL_FOLDER } from './context.ts';
import { joinDatabaseSource } from './database-target.ts';
import { refuseOtherSchema } from './db/migrate.ts';
import { type ChainReport, verifyChain } from './features/audit/verify-chain.ts';

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
