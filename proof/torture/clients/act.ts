import { deviceOf } from '../../stage/people/wallets.ts';
import type { Body, Caller, Received } from '../../stage/service/client.ts';
import type { Random } from '../run/random.ts';
import { LostAnswer } from '../run/recorder.ts';
import { at, type Link, type Surroundings, surroundings, type Wallet, type World } from './known-world.ts';

/** What an action of a client has at hand. */
export interface Scene {
  world: World;
  random: Random;
  call: Caller;
  /** The same actor, to one process or with a word about what is expected. */
  callAs(options: { door?: string; note?: string }): Caller;
}

export type Action = (scene: Scene) => Promise<void>;

/** What a client may do, and how often it does so compared with everything else. */
export type Actions = readonly (readonly [name: string, action: Action, weight: number])[];

/** The response's body, or the end of this action: refusals are everyday here, the checker judges them. */
export async function need(pending: Promise<Received>): Promise<Body> {
  const received = await pending;
  if (received.status >= 300) throw new Refused(received);
  return received.body;
}

export class Refused extends Error {
  readonly received: Received;
  constructor(received: Received) {
    super(`${received.status} ${codeOf(received)}`);
    this.received = received;
  }
}

export function codeOf(received: Received): string {
  return received.body?.error?.code ?? 'ok';
}

/** Sends all of them concurrently; the result of each is in the history. Returns those that succeeded. */
export async function race(calls: readonly Promise<Received>[]): Promise<Received[]> {
  const settled = await Promise.allSettled(calls);
  return settled.flatMap((each) =>
    each.status === 'fulfilled' && each.value.status < 300 ? [each.value] : [],
  );
}

export function isLost(error: unknown): boolean {
  return error instanceof LostAnswer;
}

export function livingLink(scene: Scene): Link {
  const link = scene.random.pick(scene.world.links.filter((each) => !each.isRevoked));
  if (!link) throw new Error('no connection lives');
  return link;
}

/** Between one stroop and a few hundred, with any number of decimals. */
export function amount(random: Random, below = 300): string {
  const whole = random.int(below);
  const digits = random.int(8);
  if (digits === 0) return String(whole + 1);
  const fraction = String(1 + random.int(10 ** digits - 1)).padStart(digits, '0');
  return `${whole}.${fraction}`;
}

/** The service as the helpers of the tests want it. */
export function serviceOf({ world, call }: Pick<Scene, 'world' | 'call'>): Surroundings {
  return surroundings(world.stage, call);
}

/** The device of a wallet that stays, as it is sent. */
export function ownDevice({ devices }: Wallet): { device_id: string; token: string } {
  return deviceOf(at(devices, 0));
}
