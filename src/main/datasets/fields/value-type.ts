import { millisecondsOf } from '../../../shared/language/dates.ts';
import { fieldType, type FieldType } from '../../../shared/datasets/fields.ts';
import type { JsonValue } from '../../../shared/json.ts';

const finerThanMs = /(\d{2}:\d{2}:\d{2}[.,]\d{3})\d+/;

/** Whether a text is a day or a time in ISO 8601, however fine. */
const isDate = (text: string): boolean =>
  text.length >= 10 && text.length <= 40 && millisecondsOf(text.replace(finerThanMs, '$1')) !== undefined;

/** The type of one value. */
export function typeOfValue(value: JsonValue): FieldType {
  if (value === null) return 'null';
  if (typeof value === 'string') return isDate(value) ? 'date' : 'string';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'boolean') return 'boolean';
  return Array.isArray(value) ? 'array' : 'object';
}

/** Types in a fixed order; a number among integers makes numbers of them. */
export function simplified(types: Iterable<FieldType>): FieldType[] {
  const seen = new Set(types);
  if (seen.has('number')) seen.delete('integer');
  return fieldType.options.filter((type) => seen.has(type));
}
