import { AppError } from '../errors.ts';
import { TIME_OUTS } from '../limits.ts';

/** Whether the database confirms writes, as far as this process knows. One for all of its connections. */
export interface Writing {
  /** In doubt: a write failed or a response is overdue, and no write has ended since. */
  readonly state: 'fine' | 'in doubt' | 'refused';
  /** The doubt began with a write that the database had no room for. */
  readonly lacksRoom: boolean;
  doubt(why: 'room' | 'silence'): void;
  /** Records the outcome of a trial. */
  settle(state: 'fine' | 'refused'): void;
  /** Throws while no write may begin. */
  refuse(): void;
  /** Called once a second for each connection that owes a response: whether to close it. */
  givesUp(silentS: number): boolean;
}

/** Longer than almost every statement takes; a trial that succeeds costs little. */
const DOUBT_AFTER_S = 3;

/** As long as all processes need to find out that writes end again. */
const RETRY_AFTER_S = 5;

/**
 * A commit waits for an absent standby without end, and holds a connection of the pool and one of the server. `givenUpS`
 * is longer than any statement may take. While writes are refused, a connection that is silent for longer than a call may
 * take has such a commit, and no caller waits for it any more. It is closed and never cancelled: PostgreSQL would then
 * treat the write as done although the standby does not have it.
 */
export function createWriting(givenUpS: number): Writing {
  let state: Writing['state'] = 'fine';
  let lacksRoom = false;
  const doubt: Writing['doubt'] = (why) => {
    if (state === 'fine') state = 'in doubt';
    lacksRoom ||= why === 'room';
  };
  return {
    get state() {
      return state;
    },
    get lacksRoom() {
      return lacksRoom;
    },
    doubt,
    settle(found) {
      state = found;
      lacksRoom = false;
    },
    refuse() {
      if (state === 'refused') throw writingRefused();
    },
    givesUp(silentS) {
      if (silentS >= DOUBT_AFTER_S) doubt('silence');
      return silentS >= (state === 'refused' ? TIME_OUTS.call.s : givenUpS);
    },
  };
}

export function writingRefused(): AppError {
  return new AppError('unavailable', {
    message:
      'The database does not confirm writes at the moment. Nothing was done: send the call again, with the same idempotency key.',
    headers: { 'retry-after': String(RETRY_AFTER_S) },
  });
}
