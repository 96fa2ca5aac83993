/**
 * Loaded before the service (`node --import`), the way libfaketime is loaded before a program: the process then sees
 * another wall clock. The offset is read from a file that the runner writes. The service knows nothing of it, and the
 * clock that counts durations (`performance.now`, timers) stays as it is, as with a real clock that someone sets.
 */
import { readFileSync } from 'node:fs';

const file = process.env.PROOF_CLOCK_FILE;
const RealDate = globalThis.Date;
let offsetMs = 0;

function look() {
  try {
    const read = Number(readFileSync(file, 'utf8'));
    if (Number.isFinite(read)) offsetMs = read;
  } catch {
    // Not written yet, or just being replaced.
  }
}

if (file !== undefined) {
  look();
  setInterval(look, 40).unref();
  const now = () => RealDate.now() + offsetMs;
  const MovedDate = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(
        target,
        args.length === 0 ? [now()] : args,
        newTarget === MovedDate ? target : newTarget,
      ),
    apply: () => new RealDate(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
  RealDate.prototype.constructor = MovedDate;
  globalThis.Date = MovedDate;
}
