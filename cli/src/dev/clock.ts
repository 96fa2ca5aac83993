import { defineCommand, LocalError, UsageError } from '../command.ts';
import { updateProfile } from '../profile.ts';
import { openWorld, WORLD_NAME, WORLD_OPTION } from './running.ts';

export const commands = [
  defineCommand({
    name: 'dev clock',
    summary: 'move the clock of a dev world, so that expiry and retries can be tried in seconds',
    positionals: '[+1h]',
    options: WORLD_OPTION,
    details: [
      'Forward only, such as +90s, +10m, +1h or +3d; without a time it prints the time there. Commands with the',
      "profile of the world follow. A program that signs in as the agent needs the SDK's option clock, since",
      'the service refuses assertions that are minutes off.',
    ].join('\n'),
    async run(io, { values, positionals }) {
      const { world, io: here } = openWorld(io, values.profile);
      const { now, offset_ms } = await moveClock(world.viewer, advanceOf(positionals[0]));
      updateProfile(here, values.profile ?? WORLD_NAME, { clock_offset_ms: String(offset_ms) });
      return { document: { now, offset_ms }, text: `It is ${now} in this world.` };
    },
  }),
];

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

function advanceOf(text: string | undefined): number {
  if (text === undefined) return 0;
  const [, digits, unit] = /^\+(\d{1,5})(s|m|h|d)$/.exec(text) ?? [];
  if (digits === undefined) throw new UsageError('The clock moves forward: +90s, +10m, +1h or +3d');
  return Number(digits) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

/** By the viewer of the world, whose process alone can reach the service's clock. */
export async function moveClock(viewer: string, ms: number): Promise<{ now: string; offset_ms: number }> {
  const answer = await fetch(`${viewer}/clock`, { method: 'PUT', body: String(ms) });
  if (!answer.ok) throw new LocalError('clock_not_moved', await answer.text());
  return (await answer.json()) as { now: string; offset_ms: number };
}
