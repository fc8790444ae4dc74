import * as z from 'zod';

/** The unit and the description of each column, by path. */
export const columnFacts = z.record(
  z.string(),
  z.object({ unit: z.string().optional(), description: z.string().optional() }),
);
export type ColumnFacts = z.infer<typeof columnFacts>;

/** What a file with metadata says about itself. */
export interface About {
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

/** A column of a Parquet file. `hasUnit`: false for a time, whose unit is in its type. */
interface DescribedColumn {
  readonly name: string;
  readonly path: string;
  readonly hasUnit: boolean;
}

/** What a Parquet file says about itself, as key-value metadata. */
export function parquetMetadata(
  { version, dataUrl, dataset, request, timeZone, columns }: About,
  described: readonly DescribedColumn[],
): { key: string; value: string }[] {
  const facts = described.map(({ name, path, hasUnit }) => {
    const { unit, description } = columns[path] ?? {};
    return { name, path, unit: hasUnit ? unit : undefined, description };
  });
  return Object.entries({
    version,
    service: dataUrl,
    dataset,
    request,
    time_zone: timeZone,
    columns: JSON.stringify(facts),
  }).map(([key, value]) => ({ key: `wellbench.${key}`, value }));
}
