import { invalidInput } from '../../../shared/errors/errors.ts';
import { instantOf } from '../../../shared/instants.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { lengthOf } from '../../../shared/quality/lengths.ts';
import type { CheckSpec, RecordShape } from './plan.ts';

function placeOf(value: JsonValue | undefined, kind: 'time' | 'depth' | 'number'): number | null {
  const place = typeof value === 'string' && kind === 'time' ? instantOf(value) : value;
  return typeof place === 'number' && Number.isFinite(place) ? place : null;
}

/** The range of the index that a query asks for; open where it has no bound. */
export function rangeOf(query: JsonObject, index: RecordShape['index']): CheckSpec['range'] {
  const condition = index ? query[index.field] : undefined;
  const open = { from: null, to: null, includesTo: false };
  if (!index || !isObject(condition)) return open;
  const { $gte, $gt, $lt, $lte } = condition;
  const before = placeOf($lt, index.kind);
  return {
    from: placeOf($gte ?? $gt, index.kind),
    to: before ?? placeOf($lte, index.kind),
    includesTo: before === null,
  };
}

/** The wells that a query names; empty: it doesn't. */
export function wellsOf(query: JsonObject, wellFields: readonly string[]): string[] {
  const field = wellFields.find((path) => query[path] !== undefined);
  const condition = field === undefined ? undefined : query[field];
  const values = isObject(condition) ? condition['$in'] : [condition];
  return Array.isArray(values)
    ? values.flatMap((value) =>
        typeof value === 'number' || typeof value === 'string' ? [String(value)] : [],
      )
    : [];
}

/** The expected step of an index. @throws AppError `invalid_input` if its unit doesn't suit the index */
export function stepOf(
  text: string | undefined,
  index: Omit<NonNullable<RecordShape['index']>, 'field'> | null,
): number | null {
  if (text === undefined || index === null) return null;
  const step = lengthOf(text, index.kind, index.unit);
  if (step !== null) return step;
  const examples = index.kind === 'time' ? '1s or 1m' : '0.5ft or 0.1m';
  throw invalidInput(`“${text}” isn’t a step of this index. Write ${examples}.`, { field: 'step' });
}
