/** The options of a soak. */
export interface SoakOptions {
  /** The amount, in units of each soak. Absent: its own default. */
  readonly amount: number | undefined;
  /** The seed, so that a finding can be reproduced. */
  readonly seed: number;
  /** Called with the progress. */
  readonly tell: (line: string) => void;
}

/** The result: `sound` is the verdict, the rest are figures. */
export interface SoakEnd {
  readonly sound: boolean;
  readonly numbers: Readonly<Record<string, unknown>>;
}

/** A test that runs as long as it takes to be conclusive. */
export type Soak = (options: SoakOptions) => Promise<SoakEnd>;
