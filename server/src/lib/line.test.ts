import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { createLine, type Line, type Place } from './line.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('a line', () => {
  it('keeps the order in which its members came, no matter who leaves', () => {
    const line = createLine<string>();
    const places = ['a', 'b', 'c', 'd'].map((value) => line.add(value));
    expect(line.values()).toEqual(['a', 'b', 'c', 'd']);
    expect(places[1]?.leave()).toBe(true);
    expect(places[0]?.leave()).toBe(true);
    expect(line.first()).toBe('c');
    line.add('e');
    expect(places[3]?.leave()).toBe(true);
    expect(line.values()).toEqual(['c', 'e']);
  });

  it('lets each member leave once', () => {
    const line = createLine<string>();
    const place = line.add('a');
    line.add('b');
    expect([place.leave(), place.leave()]).toEqual([true, false]);
    expect(line.values()).toEqual(['b']);
  });

  it('is empty when all have left', () => {
    const line = createLine<number>();
    const places = [1, 2, 3].map((value) => line.add(value));
    for (const place of places) place.leave();
    expect(line.first()).toBeUndefined();
    expect(line.values()).toEqual([]);
    line.add(4);
    expect(line.first()).toBe(4);
  });

  it('lets those go that came after one who is still remembered', async () => {
    const line = createLine<object>();
    const first = line.add({});
    const later = new WeakRef(enterAndLeave(line, first));
    await vi.waitFor(() => {
      collectGarbage();
      expect(later.deref() === undefined).toBe(true);
    });
    expect(first.leave()).toBe(false);
  });
});

function enterAndLeave(line: Line<object>, first: Place): object {
  const value = {};
  const place = line.add(value);
  first.leave();
  place.leave();
  return value;
}
