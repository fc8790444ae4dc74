import * as z from 'zod';
import { columnTexts, pathId, pathNames } from '../../../../../shared/column-paths.ts';
import type { ParquetLeaf } from '../../../duckdb/parquet-schema.ts';
import type { SourceColumn } from '../source.ts';

/** The columns of a file, with units and descriptions of its metadata. */
export function columnsOfFile(
  leaves: readonly ParquetLeaf[],
  metadata: ReadonlyMap<string, string>,
): SourceColumn[] {
  const described = new Map(
    readJson(describedColumns, metadata.get('wellbench.columns')).map((column) => [column.name, column]),
  );
  const { units } = readJson(pandasMetadata, metadata.get('pandas')).attributes;
  const columns = leaves.map(({ path, element }) => {
    const name = path.join('.');
    const { path: id, unit = units[name] ?? null, description = null } = described.get(name) ?? {};
    return { path: id === undefined ? path : pathNames(id), unit, description, type: typeOf(element) };
  });
  const names = columnTexts(columns.map(({ path }) => pathId(path)));
  return columns.map((column, at) => ({ ...column, name: names[at] ?? '' }));
}

function typeOf({ logical, converted, type, children }: ParquetLeaf['element']): SourceColumn['type'] {
  if (children !== null) return null;
  if (
    /^(?:String|Enum|UUID|Time)Type/.test(logical ?? '') ||
    /^(?:UTF8|ENUM|TIME_|INTERVAL)/.test(converted ?? '')
  )
    return 'text';
  if (
    /^(?:Timestamp|Date)Type/.test(logical ?? '') ||
    /^(?:TIMESTAMP|DATE)/.test(converted ?? '') ||
    type === 'INT96'
  )
    return 'time';
  return null;
}

/** What an export of ours wrote about its columns. */
const describedColumns = z
  .array(
    z.object({
      name: z.string(),
      path: z.string().min(1),
      unit: z.string().optional(),
      description: z.string().optional(),
    }),
  )
  .catch([]);

/** What pandas writes: the attributes of a table, which can have its units. */
const pandasMetadata = z
  .object({ attributes: z.object({ units: z.record(z.string(), z.string()) }) })
  .catch({ attributes: { units: {} } });

function readJson<T>(schema: z.ZodType<T>, text: string | undefined): T {
  try {
    return schema.parse(text === undefined ? undefined : JSON.parse(text));
  } catch {
    return schema.parse(undefined);
  }
}
