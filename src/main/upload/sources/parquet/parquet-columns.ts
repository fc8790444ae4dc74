import { parquetSchema } from 'hyparquet';
import type { FileMetaData, KeyValue, SchemaElement, SchemaTree } from 'hyparquet';
import * as z from 'zod';
import { columnTexts, pathId, pathNames } from '../../../../shared/column-paths.ts';
import { stringifyJson } from '../../../../shared/json.ts';
import type { JsonValue } from '../../../../shared/json.ts';
import type { SourceColumn } from '../source.ts';
import { timeOfDay } from './parquet-values.ts';

/** A column of the table: a value of the schema, or one within a structure. */
export interface ParquetColumn extends SourceColumn {
  readonly path: readonly string[];
  /** The path of names in the schema, which differs from those of other columns. */
  readonly schemaPath: readonly string[];
  readonly element: SchemaElement;
}

const isStructure = ({ children, element }: SchemaTree): boolean =>
  children.length > 0 &&
  element.repetition_type !== 'REPEATED' &&
  element.logical_type === undefined &&
  (element.converted_type === undefined || element.converted_type === 'UTF8');

function typeOf({ logical_type: logical, converted_type, type }: SchemaElement): SourceColumn['type'] {
  const kind = logical?.type ?? '';
  const converted: string = converted_type ?? '';
  if (/^(?:STRING|ENUM|UUID|TIME)$/.test(kind) || /^(?:UTF8|ENUM|TIME_)/.test(converted)) return 'text';
  if (/^(?:TIMESTAMP|DATE)$/.test(kind) || /^(?:TIMESTAMP|DATE)/.test(converted) || type === 'INT96')
    return 'time';
  return null;
}

/** The columns of a schema: values in structures have dotted names; each list or map is one column. */
function columnsOf(root: SchemaTree): ParquetColumn[] {
  return root.children.flatMap((child) => {
    if (isStructure(child)) return columnsOf(child);
    const { element, path, children } = child;
    const type = children.length > 0 ? null : typeOf(element);
    return [{ name: '', unit: null, description: null, type, path, schemaPath: path, element }];
  });
}

/**
 * The columns of a file. The reader finds a value by the path of its column, so of columns with the same path, the
 * later ones get another one in the metadata; their names stay.
 */
export function columnsOfFile(metadata: FileMetaData): ParquetColumn[] {
  const paths = columnsOf(parquetSchema(metadata)).map(({ path }) => path);
  makePathsDifferent(metadata);
  return named(
    columnsOf(parquetSchema(metadata)).map((column, at) => ({ ...column, path: paths[at] ?? column.path })),
  );
}

/** Columns with the names of their paths. */
function named(columns: readonly ParquetColumn[]): ParquetColumn[] {
  const names = columnTexts(columns.map(({ path }) => pathId(path)));
  return columns.map((column, at) => ({ ...column, name: names[at] ?? '' }));
}

function makePathsDifferent({ schema, row_groups: groups }: FileMetaData): void {
  const leaves: string[][] = [];
  let at = 1;
  let hasChanged = false;
  const visit = (parent: readonly string[], count: number): void => {
    const siblings = new Set<string>();
    for (let child = 0; child < count; child++) {
      const element = schema[at];
      if (!element) return;
      if (siblings.has(element.name)) {
        element.name += `\0${at}`;
        hasChanged = true;
      }
      siblings.add(element.name);
      at++;
      const path = [...parent, element.name];
      if (element.num_children) visit(path, element.num_children);
      else leaves.push(path);
    }
  };
  visit([], schema[0]?.num_children ?? 0);
  if (!hasChanged) return;
  for (const { columns } of groups)
    for (const [leaf, { meta_data: data }] of columns.entries())
      if (data) data.path_in_schema = leaves[leaf] ?? [];
}

const describedColumns = z.array(
  z.object({
    name: z.string(),
    path: z.string().min(1),
    unit: z.string().optional(),
    description: z.string().optional(),
  }),
);

/** The columns with the fields, units, and descriptions that an export of ours wrote beside them. */
export function withDescriptions(
  columns: readonly ParquetColumn[],
  metadata: readonly KeyValue[] | undefined,
): readonly ParquetColumn[] {
  const text = metadata?.find(({ key }) => key === 'wellbench.columns')?.value;
  if (text === undefined) return columns;
  const described = describedColumns.safeParse(parsedOrNull(text));
  if (!described.success) return columns;
  const byName = new Map(described.data.map((column) => [column.name, column]));
  return named(
    columns.map((column) => {
      const { path, unit = null, description = null } = byName.get(column.path.join('.')) ?? {};
      return path === undefined ? column : { ...column, path: pathNames(path), unit, description };
    }),
  );
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The shortest text of a 32-bit number: 0.1, not 0.10000000149011612. */
function floatText(value: number): string {
  for (let digits = 6; digits < 9; digits++) {
    const shorter = Number(value.toPrecision(digits));
    if (Math.fround(shorter) === value) return String(shorter);
  }
  return String(value);
}

/** A decimal of the schema as text, from its unscaled integer. */
function decimalText(unscaled: bigint, scale: number): string {
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0');
  const sign = unscaled < 0n ? '-' : '';
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

const bigEndian = (bytes: Uint8Array): bigint =>
  bytes.length === 0
    ? 0n
    : BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`));

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value of a list, map or structure as JSON. */
function jsonOf(value: unknown): JsonValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(jsonOf);
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, jsonOf(part)]))
    : null;
}

/** A value as the text of a cell; null: no value. */
export function cellText(value: unknown, { element }: ParquetColumn): string | null {
  if (value === undefined || value === null) return null;
  const scale = element.scale ?? 0;
  const isDecimal = element.precision !== undefined;
  if (value instanceof Uint8Array)
    return isDecimal ? decimalText(bigEndian(value), scale) : Buffer.from(value).toString('base64');
  if (isDecimal && (typeof value === 'bigint' || Number.isInteger(value)) && typeof value !== 'string')
    return decimalText(typeof value === 'bigint' ? value : BigInt(Number(value)), scale);
  const clock = typeof value === 'number' || typeof value === 'bigint' ? timeOfDay(value, element) : null;
  if (clock !== null) return clock;
  if (typeof value === 'number') {
    if (Number.isNaN(value)) return null;
    return element.type === 'FLOAT' ? floatText(value) : String(value);
  }
  if (typeof value === 'string') {
    const isLocal = element.logical_type?.type === 'TIMESTAMP' && !element.logical_type.isAdjustedToUTC;
    if (isLocal && value.endsWith('Z')) return value.slice(0, -1);
    return value === '' ? null : value;
  }
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  return stringifyJson(jsonOf(value));
}

/** The value at a path of a row. */
export function valueAt(
  row: readonly unknown[],
  topLevel: ReadonlyMap<string, number>,
  path: readonly string[],
): unknown {
  const [first = '', ...rest] = path;
  let value = row[topLevel.get(first) ?? -1];
  for (const name of rest) value = isRecord(value) ? value[name] : undefined;
  return value;
}
