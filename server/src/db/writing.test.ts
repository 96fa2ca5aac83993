import { describe, expect, it } from 'vitest';
import { createWriting } from './writing.ts';

describe('writing', () => {
  it('is in doubt after a silence or a lack of room, until a trial decides', () => {
    const writing = createWriting(20);
    expect([writing.state, writing.lacksRoom]).toEqual(['fine', false]);
    writing.doubt('silence');
    expect([writing.state, writing.lacksRoom]).toEqual(['in doubt', false]);
    writing.doubt('room');
    expect([writing.state, writing.lacksRoom]).toEqual(['in doubt', true]);
    writing.settle('fine');
    expect([writing.state, writing.lacksRoom]).toEqual(['fine', false]);
  });

  it('stays refused until a trial succeeds, whatever fails in between', () => {
    const writing = createWriting(20);
    writing.settle('refused');
    writing.doubt('silence');
    writing.doubt('room');
    expect([writing.state, writing.lacksRoom]).toEqual(['refused', true]);
  });

  it('rejects a write only while refused, and states that nothing was done', () => {
    const writing = createWriting(20);
    writing.refuse();
    writing.doubt('silence');
    writing.refuse();
    writing.settle('refused');
    expect(() => writing.refuse()).toThrow(
      expect.objectContaining({
        code: 'unavailable',
        message: expect.stringContaining('Nothing was done'),
        headers: { 'retry-after': '5' },
      }),
    );
  });

  it('closes a silent connection after the time of a statement, or after that of a call while refused', () => {
    const writing = createWriting(20);
    expect([2, 3, 10, 19, 20].map(writing.givesUp)).toEqual([false, false, false, false, true]);
    writing.settle('refused');
    expect([3, 9, 10].map(writing.givesUp)).toEqual([false, false, true]);
  });

  it('is in doubt as soon as a connection has been silent for three seconds', () => {
    const writing = createWriting(20);
    writing.givesUp(2);
    expect(writing.state).toBe('fine');
    writing.givesUp(3);
    expect(writing.state).toBe('in doubt');
  });
});
