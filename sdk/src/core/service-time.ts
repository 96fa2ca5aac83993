/*
 * The time of the service's clock, by which requests expire. Each record is stored with that clock's offset from this
 * machine's when it was read, so that a wrong clock here does not affect how the record is judged.
 */

const aheadMs = new WeakMap<object, number>();
/** `Date` knows whole seconds, and a response takes its time. */
const UNNOTICED_MS = 5000;

/** Of the members of a response that are records, or lists of them. */
export function noteServiceTime(members: object, date: string | null): void {
  const ahead = Date.parse(date ?? '') - Date.now();
  if (!(Math.abs(ahead) > UNNOTICED_MS)) return;
  aheadMs.set(members, ahead);
  for (const member of Object.values(members))
    for (const record of Array.isArray(member) ? member : [member])
      if (typeof record === 'object' && record !== null) aheadMs.set(record, ahead);
}

/** The service's current time, as far as this record reveals it. */
export function serviceNow(record: object): number {
  return Date.now() + (aheadMs.get(record) ?? 0);
}
