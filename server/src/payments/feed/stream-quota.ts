import { AppError } from '../../errors.ts';

export interface StreamQuota {
  /** Throws when this name has reached its quota; the returned function releases one place, once. */
  take(name: string): () => void;
  taken(): number;
}

/** How many of something one name may have open concurrently, in this process. */
export function createStreamQuota(perName: number): StreamQuota {
  const open = new Map<string, number>();
  return {
    take(name) {
      const count = open.get(name) ?? 0;
      if (count >= perName)
        throw new AppError('limit_reached', {
          message: `This connection has ${perName} event streams open already: close one, or poll.`,
          details: { limit: perName },
        });
      open.set(name, count + 1);
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        const left = (open.get(name) ?? 1) - 1;
        if (left > 0) open.set(name, left);
        else open.delete(name);
      };
    },
    taken: () => [...open.values()].reduce((sum, count) => sum + count, 0),
  };
}
