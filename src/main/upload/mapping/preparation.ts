import type { Rules } from '../model/rules.ts';
import type { Layout } from '../reading/layout.ts';

/** What is read and how it is converted; the same for all batches of a job. */
export interface Preparation {
  readonly fileName: string;
  readonly layout: Layout;
  readonly rules: Rules;
  /** Data rows of the file; what stands behind them is its foot. */
  readonly rows: number;
}
