/**
 * Entries in progress, the oldest first. A `Set` would hold them as well, but it moves to a new table again and again,
 * and the old table points to the next. Once the garbage collector has promoted such a table, it keeps all later ones
 * alive, with every entry they held: every call of the service was then copied before it was freed, which took a fifth
 * of the processor time of a read.
 */
export interface Line<Value> {
  /** At the end. */
  add(value: Value): Place;
  first(): Value | undefined;
  values(): Value[];
}

export interface Place {
  /** Whether it was still in the queue. */
  leave(): boolean;
}

export function createLine<Value>(): Line<Value> {
  const ends = new Link<Value>();
  ends.before = ends;
  ends.after = ends;
  const linkAfter = ({ after }: Link<Value>) => (after === ends ? undefined : after);
  return {
    add: (value) => new Link(value, ends),
    first: () => linkAfter(ends)?.value,
    values() {
      const values: Value[] = [];
      for (let link = linkAfter(ends); link; link = linkAfter(link)) values.push(link.value as Value);
      return values;
    },
  };
}

class Link<Value> implements Place {
  readonly value: Value | undefined;
  before: Link<Value> | undefined;
  after: Link<Value> | undefined;

  constructor(value?: Value, ends?: Link<Value>) {
    this.value = value;
    this.before = ends?.before;
    this.after = ends;
    if (this.before) this.before.after = this;
    if (ends) ends.before = this;
  }

  leave(): boolean {
    const { before, after } = this;
    if (!before || !after) return false;
    before.after = after;
    after.before = before;
    // Otherwise it would keep every later entry alive.
    this.before = undefined;
    this.after = undefined;
    return true;
  }
}
