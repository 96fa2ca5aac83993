export interface Summary {
  median: number;
  min: number;
  max: number;
  values: number[];
}

export function summarize(values: readonly number[]): Summary {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  const median = Number.isInteger(middle) ? (upper + (sorted[middle - 1] ?? upper)) / 2 : upper;
  return { median, min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN, values: [...values] };
}

export function ratios(ours: readonly number[], limits: readonly number[]): number[] {
  return ours.map((value, round) => value / (limits[round] ?? Number.NaN));
}

const TRIES = 3;

/**
 * The choice with the highest median of a few tries. Chosen before what is compared: the best of several tries in each
 * round would count every lucky moment of the machine for the limit.
 */
export async function fastest<Choice>(
  choices: readonly Choice[],
  rateOf: (choice: Choice) => Promise<number>,
): Promise<Choice> {
  const tried = new Map(choices.map((choice) => [choice, [] as number[]]));
  for (let round = 0; round < TRIES; round += 1)
    for (const [choice, rates] of tried) rates.push(await rateOf(choice));
  const medianOf = (choice: Choice) => summarize(tried.get(choice) ?? []).median;
  const [best] = [...choices].sort((a, b) => medianOf(b) - medianOf(a));
  if (best === undefined) throw new Error('nothing to choose from');
  return best;
}

/** Measures every side once per round; every other round goes backwards, so that drift of the machine favours no one. */
export async function takeTurns<Name extends string>(
  rounds: number,
  sides: Record<Name, { rate(): Promise<number> }>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(sides) as Name[];
  const taken = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : [...names].reverse())
      taken[name].push(await sides[name].rate());
  }
  return taken;
}
