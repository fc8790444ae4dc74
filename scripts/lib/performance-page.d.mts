export interface Measured {
  readonly name: string;
  readonly ours: number;
  readonly unit: string;
  readonly floor?: number | null;
  readonly ratio?: number | null;
  readonly goal?: string;
  readonly size?: number;
  readonly residentMb?: number;
}
export interface NotMeasured {
  readonly name: string;
  readonly failed: string;
}
/** The table of the figures that have a goal, as Markdown. */
export function tableOf(figures: readonly Measured[]): string;
export function isMet(figure: Measured): boolean | null;
export function performancePage(of: {
  readonly figures: readonly (Measured | NotMeasured)[];
  /** Measurements that the run has not come to. */
  readonly toCome: readonly string[];
  readonly full: boolean;
  readonly version: string;
  readonly date: string;
  readonly machine: string;
  /** The page as it stands; empty: there is none. */
  readonly old: string;
}): string;
