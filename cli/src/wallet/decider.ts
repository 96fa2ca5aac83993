import type { Io } from '../command.ts';

export type DeciderChoice = 'approve' | 'reject' | 'skip';
export type Manner = 'approve' | 'reject' | 'ask';

/** Asks one question at a time, however many things wait for an answer. */
export interface Decider {
  /** Without `canApprove` nothing is approved, whatever the manner. */
  decide(manner: Manner, question: string, canApprove?: boolean): Promise<DeciderChoice>;
}

/** Questions go to stderr, so that stdout stays for results; answers are lines of stdin. */
export function createDecider(io: Io): Decider {
  let lines: AsyncGenerator<string, void, undefined> | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  const ask = async (question: string, canApprove: boolean): Promise<DeciderChoice> => {
    lines ??= linesOf(io);
    for (;;) {
      io.stderr.write(`${question} ${canApprove ? '[a]pprove, [r]eject' : '[r]eject'} or [s]kip? `);
      const next = await orAborted(lines.next(), io.signal);
      // Nobody is left to answer.
      if (next.done) return 'skip';
      const answer = next.value.trim().toLowerCase();
      if (canApprove && (answer === 'a' || answer === 'approve')) return 'approve';
      if (answer === 'r' || answer === 'reject') return 'reject';
      if (answer === 's' || answer === 'skip' || answer === '') return 'skip';
    }
  };
  return {
    decide(manner, question, canApprove = true) {
      if (manner !== 'ask') return Promise.resolve(manner === 'approve' && !canApprove ? 'skip' : manner);
      const answer = queue.then(() => ask(question, canApprove));
      queue = answer.catch(() => undefined);
      return answer;
    },
  };
}

async function* linesOf(io: Io): AsyncGenerator<string, void, undefined> {
  let rest = '';
  for await (const chunk of io.stdin) {
    const parts = (rest + Buffer.from(chunk).toString('utf8')).split('\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
  if (rest !== '') yield rest;
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
