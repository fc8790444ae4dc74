import * as z from 'zod';
import { AppError } from '../../../../shared/errors/errors.ts';
import { jsonOrNull } from '../../../../shared/json.ts';
import { logName } from './snapshot.ts';
import { compareNames } from '../../records/column-names.ts';

/** The types of columns that Wellbench writes. `timestamp`: an instant in microseconds. */
export type DeltaType = 'string' | 'long' | 'double' | 'boolean' | 'timestamp' | 'date';

export interface DeltaColumn {
  readonly name: string;
  readonly type: DeltaType;
  readonly unit?: string | undefined;
  readonly description?: string | undefined;
}

const storedField = z.object({
  name: z.string(),
  /** A name, or a structure of another writer. */
  type: z.unknown(),
  nullable: z.boolean(),
  metadata: z.record(z.string(), z.unknown()),
});
const storedSchema = z.object({ type: z.literal('struct'), fields: z.array(storedField) });
type StoredField = z.infer<typeof storedField>;

/** More than any schema has; deeper values can't be written again. */
const maxDepth = 100;

function isTooDeep(json: string): boolean {
  let [depth, isText] = [0, false];
  for (let at = 0; at < json.length && depth <= maxDepth; at += 1) {
    const char = json[at];
    if (char === '"') isText = !isText;
    else if (isText && char === '\\') at += 1;
    else if (!isText && (char === '[' || char === '{')) depth += 1;
    else if (!isText && (char === ']' || char === '}')) depth -= 1;
  }
  return depth > maxDepth;
}

function fieldsIn(schema: string): StoredField[] {
  const { data, error } = storedSchema.safeParse(isTooDeep(schema) ? null : jsonOrNull(schema));
  if (data) return data.fields;
  throw new AppError('file_unreadable', { file: logName, reason: 'its schema is damaged' }, { cause: error });
}

/** Readers show the comment; the unit has a key of its own, too, for programs. */
function fieldOf({ name, type, unit, description }: DeltaColumn): StoredField {
  const comment = [description, unit && `[${unit}]`].filter(Boolean).join(' ');
  return {
    name,
    type,
    nullable: true,
    metadata: { ...(comment === '' ? {} : { comment }), ...(unit ? { unit } : {}) },
  };
}

/** The units of columns, by name. @throws AppError `file_unreadable` for a schema that isn't one */
export const unitsIn = (schema: string): ReadonlyMap<string, string> =>
  new Map(
    fieldsIn(schema).flatMap(({ name, metadata: { unit } }) =>
      typeof unit === 'string' ? [[name, unit] as const] : [],
    ),
  );

const schemaText = (fields: readonly StoredField[]): string => JSON.stringify({ type: 'struct', fields });

/** Names may have no blanks, and none of these characters, for writers of Parquet. */
const refusedCharacters = /[ ,;{}()\n\t=]/g;

const deltaName = (name: string): string => name.replace(refusedCharacters, '_');

export interface GrownSchema {
  readonly schema: string;
  /** The name of each column in the table, in their order. */
  readonly names: readonly string[];
}

/**
 * Adds columns to a schema, whose fields stay. A column whose values have another type than before becomes a new one, such
 * as `state_string`, because files that are there keep their type. Names that differ only in case are the same column to
 * engines, so that all but the first by name get a number.
 * @param before the schema of the table; null: it is new
 * @param reserved names of columns of the table that have no values of these columns
 * @throws AppError `file_unreadable` for a schema that isn't one
 */
export function growSchema(
  before: string | null,
  columns: readonly DeltaColumn[],
  reserved: readonly string[] = [],
): GrownSchema {
  const fields = new Map(
    (before === null ? [] : fieldsIn(before)).map((field) => [field.name.toLowerCase(), field]),
  );
  const used = new Set(reserved.map((name) => name.toLowerCase()));
  const nameOf = ({ name: given, type }: DeltaColumn): string => {
    const wanted = deltaName(given);
    for (let number = 0; ; number += 1) {
      const name = [wanted, `${wanted}_${type}`][number] ?? `${wanted}_${type}_${number}`;
      const key = name.toLowerCase();
      const field = fields.get(key);
      if (used.has(key) || (field && (field.type !== type || field.name !== name))) continue;
      used.add(key);
      return name;
    }
  };
  // Columns that are there keep their names; among new ones the names decide, not the order in which they occurred.
  const isNew = ({ name, type }: DeltaColumn): boolean =>
    fields.get(deltaName(name).toLowerCase())?.type !== type;
  const order = [...columns.entries()].toSorted(
    ([, a], [, b]) => Number(isNew(a)) - Number(isNew(b)) || (isNew(a) ? compareNames(a.name, b.name) : 0),
  );
  const stored = order
    .map(([at, column]) => ({ at, column: { ...column, name: nameOf(column) } }))
    .sort((a, b) => a.at - b.at)
    .map(({ column }) => column);
  for (const column of stored) {
    const key = column.name.toLowerCase();
    // What is known of a column can change; its type can't.
    const { nullable = true } = fields.get(key) ?? {};
    fields.set(key, { ...fieldOf(column), nullable });
  }
  return { schema: schemaText([...fields.values()]), names: stored.map(({ name }) => name) };
}

/**
 * A schema in which a column has another type, as only the values of partitions can: they are texts in the log.
 * @throws AppError `file_unreadable` for a schema that isn't one
 */
export const withType = (schema: string, name: string, type: DeltaType): string =>
  schemaText(fieldsIn(schema).map((field) => (field.name === name ? { ...field, type } : field)));
