import type { Rules } from './plan.ts';
import type { Layout } from '../tables/tables.ts';

/** How rows are read and converted; the same for all batches of a job. */
export interface Preparation {
  readonly fileName: string;
  readonly layout: Layout;
  readonly rules: Rules;
  /** Number of data rows of the file, or of groups of them; footer rows follow them. */
  readonly rows: number;
}
