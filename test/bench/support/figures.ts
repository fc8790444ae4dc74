/** One figure of a measurement: ours and the floor of the same run. */
export interface Figure {
  readonly name: string;
  readonly ours: number;
  /** The minimum cost of the same work; null: there is no floor, and the goal is for `ours`. */
  readonly floor: number | null;
  readonly unit: string;
  /** Such as `≥ 0.95 ×`, of the ratio; of `ours` without a floor. */
  readonly goal: string;
  /** Other values of the same runs, by name; the table doesn't have them. */
  readonly facts?: Readonly<Record<string, number>>;
}

const round = (value: number): number => Number(value.toPrecision(4));

/** Prints a figure as one line of JSON. The ratio is ours to the floor. */
export function printFigure({ name, ours, floor, unit, goal, facts = {} }: Figure): void {
  const ratio = floor === null ? null : round(ours / floor);
  const line = { name, ours: round(ours), floor: floor === null ? null : round(floor), ratio, unit, goal };
  const rounded = Object.entries(facts).map(([fact, value]) => [fact, round(value)]);
  console.log(JSON.stringify({ ...line, ...Object.fromEntries(rounded) }));
}

/**
 * Runs one of several measurements. A failure is reported by its name as a line of JSON, and the others continue;
 * the process then exits with 1.
 */
export async function attempt(name: string, measure: () => Promise<void>): Promise<void> {
  try {
    await measure();
  } catch (error) {
    console.log(JSON.stringify({ name, failed: error instanceof Error ? error.message : String(error) }));
    process.exitCode = 1;
  }
}

/** The median of several values; for an even number the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  const [low = NaN, high = NaN] = [sorted[sorted.length % 2 ? half : half - 1], sorted[half]];
  return (low + high) / 2;
}

/**
 * Runs several ways of doing one thing in turns, so that other work on the machine affects them alike.
 * @returns the median of each, in the unit of its runs
 */
export async function measureInTurns<Name extends string>(
  ways: Readonly<Record<Name, () => Promise<number>>>,
  rounds: number,
): Promise<Record<Name, number>> {
  const names = Object.keys(ways) as Name[];
  const taken = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    // Every other round is in reverse order, so that none is always the first.
    for (const name of round % 2 ? names.toReversed() : names) taken.get(name)?.push(await ways[name]());
  return Object.fromEntries(names.map((name) => [name, median(taken.get(name) ?? [])])) as Record<
    Name,
    number
  >;
}

/** Measures ours and the floor in turns, and prints the figure; a failure is named as {@link attempt} does it. */
export function printComparison(
  figure: Pick<Figure, 'name' | 'unit' | 'goal'>,
  ways: Readonly<Record<'ours' | 'floor', () => Promise<number>>>,
  rounds: number,
): Promise<void> {
  return attempt(figure.name, async () =>
    printFigure({ ...figure, ...(await measureInTurns(ways, rounds)) }),
  );
}
