// Slow: starts two whole dev worlds side by side.
import { payassent, type ReadyWorld } from '@payassent/proof/service/command';
import { describe, expect, it, onTestFinished } from 'vitest';

describe('two worlds', () => {
  it('that start in the same second both come up, with one service each', async () => {
    const places = await Promise.all([payassent(), payassent()]);
    const worlds = places.map((place) => place.start(['dev', '--json', '--no-files']));
    onTestFinished(async () => {
      await Promise.all(worlds.map((world) => world.stop()));
      await Promise.all(places.map((place) => place.remove()));
    });
    const readies: ReadyWorld[] = await Promise.all(worlds.map((world) => world.line('ready')));
    expect(new Set(readies.map(({ service }) => service)).size).toBe(2);
    for (const place of places)
      expect((await place(['try', '--json'])).lines.at(-1)).toMatchObject({ step: 'done' });
  });
});
