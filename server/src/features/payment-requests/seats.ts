import { AppError } from '../../errors.ts';

export interface Seats {
  /** Refuses when all seats of this name are taken; what it returns gives the seat back, once. */
  take(name: string): () => void;
  taken(): number;
}

/** How many of something one name may have open at a time, in this process. */
export function createSeats(perName: number): Seats {
  const seats = new Map<string, number>();
  return {
    take(name) {
      const count = seats.get(name) ?? 0;
      if (count >= perName)
        throw new AppError('limit_reached', {
          message: `This connection has ${perName} event streams open already: close one, or poll.`,
          details: { limit: perName },
        });
      seats.set(name, count + 1);
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        const left = (seats.get(name) ?? 1) - 1;
        if (left > 0) seats.set(name, left);
        else seats.delete(name);
      };
    },
    taken: () => [...seats.values()].reduce((sum, count) => sum + count, 0),
  };
}
