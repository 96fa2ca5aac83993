import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Undo = () => Promise<unknown> | unknown;

const undos: Undo[] = [];
let running: Promise<void> | undefined;

/**
 * Runs `undo` when the command ends, however it ends, in reverse order of registration. Returns a function that runs it
 * early.
 */
export function atEnd(undo: Undo): () => Promise<void> {
  undos.push(undo);
  return async () => {
    const place = undos.indexOf(undo);
    if (place === -1) return;
    undos.splice(place, 1);
    await undo();
  };
}

export function endAll(): Promise<void> {
  running ??= undoAll();
  return running;
}

async function undoAll(): Promise<void> {
  for (let undo = undos.pop(); undo; undo = undos.pop()) {
    try {
      await undo();
    } catch (error) {
      process.stderr.write(`while tidying up: ${String(error)}\n`);
    }
  }
}

/** Which other users, such as that of PostgreSQL, may pass through; it goes with the command unless it is kept. */
export async function temporaryFolder(name: string, isKept = false): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `payassent-${name}-`));
  await chmod(folder, 0o711);
  if (!isKept) atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}
