/** What has to be undone at the end, the last first, however the end comes about. */
export interface Disposal {
  /** Answers a function that undoes it early. */
  add(undo: () => Promise<unknown> | unknown): () => Promise<void>;
  run(): Promise<void>;
}

export function createDisposal(): Disposal {
  const undos: Array<() => Promise<unknown> | unknown> = [];
  let running: Promise<void> | undefined;
  const runAll = async () => {
    for (let undo = undos.pop(); undo; undo = undos.pop()) {
      try {
        await undo();
      } catch (error) {
        process.stderr.write(`while tidying up: ${String(error)}\n`);
      }
    }
  };
  return {
    add(undo) {
      undos.push(undo);
      return async () => {
        const place = undos.indexOf(undo);
        if (place === -1) return;
        undos.splice(place, 1);
        await undo();
      };
    },
    run: () => {
      running ??= runAll();
      return running;
    },
  };
}
