import * as z from 'zod';
import type { ColumnNames } from '../../../../shared/export/export.ts';
import type { About } from '../../records/about.ts';
import { columnNames } from '../../records/column-names.ts';
import { columnTypes, type ColumnType, type TypesOptions } from '../../records/column-types.ts';
import { Columns, valueKinds, type Column } from '../../records/columns.ts';
import { createPathTree } from '../../records/scan.ts';
import { growSchema, type DeltaColumn, type DeltaType } from '../delta/schema.ts';
import type { Snapshot } from '../delta/snapshot.ts';
import type { WrittenColumn } from '../parquet/write-table.ts';

/** A field of the records in a table of Delta. */
export const tableColumn = z.object({
  path: z.string(),
  /** The kinds of all values so far. */
  kinds: z.int(),
  /**
   * The columns of the table that have its values. A column keeps its type, so that values of another type are in another
   * column; each value is in the first one that can have it.
   */
  fields: z.array(z.object({ name: z.string(), type: z.enum(columnTypes) })),
});
export type TableColumn = z.infer<typeof tableColumn>;

const deltaTypes: Readonly<Record<ColumnType, DeltaType>> = {
  BOOLEAN: 'boolean',
  INT64: 'long',
  DOUBLE: 'double',
  STRING: 'string',
  TIMESTAMP: 'timestamp',
};

/** The columns of a table, with those that a run adds. */
export interface GrownColumns {
  readonly columns: readonly TableColumn[];
  readonly schema: string;
  /** Those of the files that are written. */
  readonly written: readonly WrittenColumn[];
  /** The same, as the log has them. */
  readonly described: readonly DeltaColumn[];
  readonly partitionNames: readonly string[];
}

interface GrowOptions {
  /** The kinds of all values, by column in the order of spooled values. */
  readonly spooled: readonly Column[];
  readonly fields: readonly string[];
  readonly types: TypesOptions;
  readonly names: ColumnNames;
  readonly about: About;
  /** The columns of the partitions, which a new table gets; one that is there keeps their names. */
  readonly partition: readonly DeltaColumn[];
}

interface EarlierColumns {
  readonly columns: readonly TableColumn[];
  readonly snapshot: Pick<Snapshot, 'metaData'>;
}

/**
 * Adds to the columns of a table those for values that it can't have yet.
 * @param before null: the table is new
 * @throws an error for a schema that isn't one
 */
export function growColumns(
  before: EarlierColumns | null,
  { spooled, fields, types, names: style, about, partition }: GrowOptions,
): GrownColumns {
  const metaData = before?.snapshot.metaData;
  const all = new Columns(createPathTree(), fields, { isTyped: true, existing: spooled });
  const wanted = all.inOrder().filter(({ path, kinds }) => kinds !== 0 && !types.omittedPaths.has(path));
  const columnsBefore = new Map(before?.columns.map((column) => [column.path, column]));
  // Parquet needs a column; every record has an id.
  const shown = wanted.length + columnsBefore.size > 0 ? wanted : [{ path: '_id', kinds: 0 }];
  const texts = columnNames(
    shown.map(({ path }) => path),
    style,
  );
  const grown = shown.map((column, at) => {
    const earlier = columnsBefore.get(column.path)?.fields ?? [];
    const lacking = typesOf(column, types).filter((type) => !earlier.some((field) => field.type === type));
    // A column of texts can have all values.
    const isFull = earlier.some(({ type }) => type === 'STRING');
    return {
      ...column,
      earlier,
      added: isFull ? [] : lacking.map((type) => ({ name: texts[at] ?? '', type })),
    };
  });
  // Fields without values so far, or without any in this run, keep what they have.
  const paths = new Set(shown.map(({ path }) => path));
  const earlierColumns = [...columnsBefore.values()].filter(({ path }) => !paths.has(path));
  const flat = [
    ...grown.flatMap(({ path, earlier }) => earlier.map((field) => ({ path, ...field }))),
    ...earlierColumns.flatMap(({ path, fields: of }) => of.map((field) => ({ path, ...field }))),
    ...grown.flatMap(({ path, added }) => added.map((field) => ({ path, ...field }))),
  ];
  const firstOf = new Map(flat.toReversed().map((field) => [field.path, field]));
  const fieldColumns = flat.map((field) => describe(field, about, firstOf.get(field.path) === field));
  const { schema, names } = growSchema(
    metaData?.schemaString ?? null,
    // A field of the records that is called like a partition keeps its name in a new table.
    [...fieldColumns, ...(before ? [] : partition)],
    metaData?.partitionColumns,
  );
  const named = flat.map((field, at) => ({ ...field, name: names[at] ?? field.name }));
  const fieldsOf = Map.groupBy(named, ({ path }) => path);
  const columns = [...grown, ...earlierColumns].map(({ path, kinds }) => ({
    path,
    kinds,
    fields: (fieldsOf.get(path) ?? []).map(({ name, type }) => ({ name, type })),
  }));
  const written = columns.flatMap(({ path, kinds, fields: of }) =>
    of.map(({ name, type }, at): WrittenColumn => ({
      path,
      name,
      type,
      number: all.numberOf(path),
      before: of.slice(0, at).map((field) => field.type),
      isLast: at === of.length - 1,
      hasLongIntegers: (kinds & valueKinds.inexact) !== 0,
    })),
  );
  const described = written.map((column) => describe(column, about, column.before?.length === 0));
  const partitionNames = metaData?.partitionColumns ?? names.slice(fieldColumns.length);
  return { columns, schema, written, described, partitionNames };
}

/** The types of a field's columns: times, other values, and texts among them each have a column of their own. */
function typesOf(column: Column, { typeOf }: TypesOptions): ColumnType[] {
  const { instant, string, json } = valueKinds;
  const kinds = column.kinds & ~instant;
  const hasTimes = column.kinds !== kinds;
  if (hasTimes && kinds === 0) return ['TIMESTAMP'];
  const type = typeOf({ ...column, kinds });
  const otherKinds = kinds & ~(string | json);
  const narrower = type === 'STRING' && otherKinds !== 0 ? typeOf({ ...column, kinds: otherKinds }) : type;
  const types = narrower === type ? [type] : [narrower, type];
  return hasTimes ? ['TIMESTAMP', ...types] : types;
}

/** A column as the log has it; the unit of a time is in its type. @param isFirst whether it is the first one of its field */
function describe(
  { path, name, type }: { readonly path: string; readonly name: string; readonly type: ColumnType },
  { columns }: About,
  isFirst: boolean,
): DeltaColumn {
  const { unit, description } = columns[path] ?? {};
  return {
    name,
    type: deltaTypes[type],
    unit: type === 'TIMESTAMP' ? undefined : unit,
    description: isFirst ? description : `Values of ${path} of another type`,
  };
}
