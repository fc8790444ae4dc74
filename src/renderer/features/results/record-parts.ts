import { isObject, stringifyJson, type JsonValue } from '../../../shared/json.ts';
import { pathId } from '../records/columns.ts';

/** One part of a record: a field, or an item of an array, by its path. */
export interface RecordPart {
  readonly id: string;
  readonly path: readonly string[];
  readonly name: string;
  readonly value: JsonValue;
  /** How many parts it has itself; null: it is a plain value. */
  readonly parts: number | null;
  /** Whether the path leads through an array, whose items no condition can name alone. */
  readonly inArray: boolean;
}

/** The parts of a record or of a part of it, in their order. */
export function partsOf(value: JsonValue, of?: Pick<RecordPart, 'path' | 'inArray'>): RecordPart[] {
  const base = of?.path ?? [];
  const inArray = (of?.inArray ?? false) || Array.isArray(value);
  const named = Array.isArray(value)
    ? value.map((part, at): [string, JsonValue] => [String(at), part])
    : isObject(value)
      ? Object.entries(value)
      : [];
  return named.map(([name, part]) => {
    const path = [...base, name];
    return { id: pathId(path), path, name, value: part, parts: countOf(part), inArray };
  });
}

function countOf(value: JsonValue): number | null {
  if (Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : null;
}

/** A plain value as it stands in JSON. */
export const valueText = (value: JsonValue): string => stringifyJson(value);

// More would be a long list to draw for one look; what is folded is drawn when it is opened.
const openUpTo = 60;

/** The objects that are open when a record is first looked at: all but long ones and arrays. */
export function openAtFirst(record: JsonValue): string[] {
  const open = (parts: readonly RecordPart[]): string[] =>
    parts
      .filter(({ value, parts: count }) => count !== null && count <= openUpTo && !Array.isArray(value))
      .flatMap((part) => [part.id, ...open(partsOf(part.value, part))]);
  return open(partsOf(record));
}

/** The part of a record that has an id; null: there is none. */
export function partWithId(record: JsonValue, id: string): RecordPart | null {
  let parts = partsOf(record);
  for (;;) {
    const next = parts.find((part) => id === part.id || id.startsWith(`${part.id}.`));
    if (!next || next.id === id) return next ?? null;
    parts = partsOf(next.value, next);
  }
}
