import type postgres from '../../../vendor/postgres/src/index.js';

const CANCELLED = '57014';

/** The rows, or undefined without a response in time; then the statement is cancelled. */
export async function askInTime<R extends readonly (postgres.Row | undefined)[]>(
  query: postgres.PendingQuery<R>,
  timeoutMs: number,
): Promise<R | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      query.cancel();
      resolve(undefined);
    }, timeoutMs);
  });
  const answered = query.then(
    (rows): R => rows,
    (error: unknown) => {
      if ((error as { code?: unknown }).code === CANCELLED) return undefined;
      throw error;
    },
  );
  try {
    return await Promise.race([answered, late]);
  } finally {
    clearTimeout(timer);
    answered.catch(() => {});
  }
}
