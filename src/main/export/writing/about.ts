import * as z from 'zod';

/** The unit and the description of each column, by path. */
export const columnFacts = z.record(
  z.string(),
  z.object({ unit: z.string().optional(), description: z.string().optional() }),
);
export type ColumnFacts = z.infer<typeof columnFacts>;

/** What a file with metadata says about itself. */
export interface About {
  /** Version of the application. */
  readonly version: string;
  /** The data service and its dataset, without credentials. */
  readonly dataUrl: string;
  readonly dataset: string;
  /** Query and sort, or the aggregation, as JSON. */
  readonly request: string;
  /** Start of the export, ISO 8601. */
  readonly started: string;
  /** The time zone of the times that a person reads. */
  readonly timeZone: string;
  readonly columns: ColumnFacts;
  /** The well of a LAS file: its name, API number, and the like; absent in other formats. */
  readonly well?: Readonly<Record<string, string>> | undefined;
}
