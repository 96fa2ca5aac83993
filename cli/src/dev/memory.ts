import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../command.ts';
import { readFileIfThere, writePrivateFile } from '../private-file.ts';
import type { Sent } from './chain.ts';
import type { RunningWorld } from './running.ts';

/** What the surroundings of a service know, and would not know after a restart. */
export interface Memory {
  clockOffsetMs: number;
  /** TXT records by name. */
  names: Map<string, string>;
  /** Of webhook endpoints. */
  secrets: string[];
  /** The chain, by hash. */
  sent: Map<string, Sent>;
}

export const emptyMemory = (): Memory => ({
  clockOffsetMs: 0,
  names: new Map(),
  secrets: [],
  sent: new Map(),
});

export type KeptWorld = Omit<RunningWorld, 'pid'>;

/** Undefined where none was kept. A world that was never complete is deleted. */
export function readMemory(folder: string): { world: KeptWorld; memory: Memory } | undefined {
  const text = readFileIfThere(fileIn(folder));
  if (text === undefined) {
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
  try {
    const { world, clockOffsetMs, names, secrets, sent } = JSON.parse(text);
    return { world, memory: { clockOffsetMs, names: new Map(names), secrets, sent: new Map(sent) } };
  } catch {
    throw new UsageError(`${fileIn(folder)} is damaged: delete ${folder} to begin another world`);
  }
}

export function writeMemory(folder: string, world: KeptWorld, memory: Memory): void {
  const { names, sent, ...rest } = memory;
  const kept = { world, ...rest, names: [...names], sent: [...sent] };
  writePrivateFile(fileIn(folder), `${JSON.stringify(kept, null, 2)}\n`, { overwrite: true });
}

const fileIn = (folder: string) => join(folder, 'world.json');
