/*
 * Clients of every role, and attackers: each action does one thing through the front door and judges nothing. Torture and
 * drills import `crowd.ts` and `known-world.ts`. Every choice comes from the seed.
 */

import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../run/random.ts';
import { type Actions, isLost, Refused, type Scene } from './act.ts';
import { AGENT_ACTIONS } from './agents.ts';
import { ATTACKER_ACTIONS } from './attackers.ts';
import { AUTOMATION_ACTIONS } from './automation.ts';
import { DOMAIN_ACTIONS } from './domains.ts';
import type { World } from './known-world.ts';
import { MERCHANT_ACTIONS } from './merchants.ts';
import { STRANGER_ACTIONS } from './strangers.ts';
import { CHAIN_ACTIONS } from './transactions.ts';
import { WALLET_ACTIONS } from './wallets.ts';

const ACTIONS: Actions = [
  ...AGENT_ACTIONS,
  ...WALLET_ACTIONS,
  ...MERCHANT_ACTIONS,
  ...DOMAIN_ACTIONS,
  ...AUTOMATION_ACTIONS,
  ...STRANGER_ACTIONS,
  ...CHAIN_ACTIONS,
  ...ATTACKER_ACTIONS,
];

export interface Tally {
  done: number;
  refused: number;
  lost: number;
  /** A defect of the client itself. */
  broken: number;
  lastFault?: string;
}

export type Tallies = Map<string, Tally>;

/** The given number of concurrent clients, each performing one action after another until the run stops. */
export async function runCrowd(
  world: World,
  random: Random,
  crowd: { clients: number; until: () => boolean },
  tallies: Tallies,
): Promise<void> {
  const choices = ACTIONS.map((entry) => [entry, entry[2]] as const);
  const live = async (index: number) => {
    const own = random.child(`client ${index}`);
    while (!crowd.until()) {
      const [name, action] = own.weighted(choices);
      const tally = tallyOf(tallies, name);
      const scene = sceneOf(world, own, `${index} ${name}`);
      try {
        await action(scene);
        tally.done += 1;
      } catch (error) {
        await digest(error, tally);
      }
    }
  };
  await Promise.all(Array.from({ length: crowd.clients }, (_none, index) => live(index)));
}

function sceneOf(world: World, random: Random, actor: string): Scene {
  const { recorder } = world.stage;
  return {
    world,
    random,
    call: recorder.as(actor, random),
    callAs: (options) => recorder.as(actor, random, options),
  };
}

async function digest(error: unknown, tally: Tally): Promise<void> {
  if (isLost(error)) {
    tally.lost += 1;
    // The service is unavailable: an immediate retry only adds load.
    await pause(60);
  } else if (error instanceof Refused || /^returned \d+/.test((error as Error).message)) {
    tally.refused += 1;
    await pause(5);
  } else {
    tally.broken += 1;
    tally.lastFault = (error as Error).message;
    await pause(20);
  }
}

function tallyOf(tallies: Tallies, name: string): Tally {
  const tally = tallies.get(name) ?? { done: 0, refused: 0, lost: 0, broken: 0 };
  tallies.set(name, tally);
  return tally;
}
