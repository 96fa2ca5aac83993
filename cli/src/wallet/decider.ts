import type { Io } from '../command.ts';

type DeciderChoice = 'approve' | 'reject' | 'skip';
export type Manner = 'approve' | 'reject' | 'ask';

export interface ApprovalGuards {
  /** When false nothing is approved, whatever the manner. */
  canApprove?: boolean;
  /** Of a dangerous payment: a person types it to approve, and nothing is approved without a person. */
  typedAmount?: string | undefined;
}

/** Asks one question at a time, however many payments and connections are pending. */
export interface Decider {
  decide(manner: Manner, question: string, guards?: ApprovalGuards): Promise<DeciderChoice>;
}

/** Questions go to stderr, so that stdout stays for results; the person's choices are lines of stdin. */
export function createDecider(io: Io): Decider {
  let lines: AsyncGenerator<string, void, undefined> | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  const askFor = async (question: string): Promise<string | undefined> => {
    lines ??= linesOf(io);
    io.stderr.write(question);
    const next = await orAborted(lines.next(), io.signal);
    // The input has ended: no person is there.
    return next.done ? undefined : next.value.trim().toLowerCase();
  };
  const ask = async (
    question: string,
    { canApprove = true, typedAmount }: ApprovalGuards,
  ): Promise<DeciderChoice> => {
    for (;;) {
      const answer = await askFor(
        `${question} ${canApprove ? '[a]pprove, [r]eject' : '[r]eject'} or [s]kip? `,
      );
      if (answer === undefined) return 'skip';
      if (canApprove && (answer === 'a' || answer === 'approve')) {
        if (typedAmount === undefined) return 'approve';
        const typed = await askFor(`This payment is dangerous. Type its amount (${typedAmount}) to pay it: `);
        if (typed === typedAmount) return 'approve';
        continue;
      }
      if (answer === 'r' || answer === 'reject') return 'reject';
      if (answer === 's' || answer === 'skip' || answer === '') return 'skip';
    }
  };
  return {
    decide(manner, question, guards = {}) {
      const mayPass = guards.canApprove !== false && guards.typedAmount === undefined;
      if (manner !== 'ask') return Promise.resolve(manner === 'approve' && !mayPass ? 'skip' : manner);
      const answer = queue.then(() => ask(question, guards));
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
