/** What a soak is asked for. */
export interface SoakOptions {
  /** How much of it; what is counted is each soak's own matter. Absent: as much as it thinks right. */
  readonly amount: number | undefined;
  /** Where its randomness begins, so that a finding can be had again. */
  readonly seed: number;
  /** Told how far it is. */
  readonly tell: (line: string) => void;
}

/** What came of it: `sound` is the verdict, the rest its numbers. */
export interface SoakEnd {
  readonly sound: boolean;
  readonly numbers: Readonly<Record<string, unknown>>;
}

/** Something that is tried for as long as it takes to be believed. */
export type Soak = (options: SoakOptions) => Promise<SoakEnd>;
