import { calmTimes, finding, type Invariant } from './evidence.ts';

/** Under every disturbance the service controls its responses: unavailable is 503, never "internal error". */
const noInternalError: Invariant = ({ attempts }) => {
  const result = finding();
  for (const { answer, method, path, n } of attempts) {
    if (!answer) continue;
    result.expect(answer.status !== 500, () => `call ${n}: ${method} ${path} returned 500`);
  }
  return result;
};

/** Processes end when they are ended. */
const noProcessEndsByItself: Invariant = ({ faults }) => {
  const result = finding();
  for (const { kind, details } of faults)
    result.expect(kind !== 'service ended unexpectedly', () => `${kind}: ${JSON.stringify(details)}`);
  return result;
};

const AFTER_MENDING_MS = 3000;

/** Every process responds again once it is left alone. */
const everyCallIsAnsweredInCalm: Invariant = ({ attempts, faults, tables }) => {
  const result = finding();
  const times = calmTimes(faults, tables.readAt, AFTER_MENDING_MS);
  for (const { at, answer, lost, lostAt, method, path, n } of attempts) {
    const endedAt = answer?.at ?? lostAt;
    if (endedAt === undefined || !times.some(([from, to]) => at > from && endedAt < to)) continue;
    result.expect(
      answer !== undefined && answer.status !== 503,
      () =>
        `call ${n}: ${method} ${path} in a calm time: ${lost ?? `${answer?.status} ${answer?.body?.error?.message}`}`,
    );
  }
  return result;
};

export const ANSWER_RULES = {
  'no internal error': noInternalError,
  'no process ends unexpectedly': noProcessEndsByItself,
  'every call gets a response in calm': everyCallIsAnsweredInCalm,
};
