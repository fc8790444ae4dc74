import { isAppError } from '../../../../../shared/errors/errors.ts';
import { parseRelaxedObject } from '../../../../../shared/language/relaxed.ts';
import { nameOf } from '../../../../../shared/language/scope.ts';
import { appendItem, removeItem, replaceSpan } from '../../../../../shared/language/text/edits.ts';
import { objectIn, textOf } from '../../../../../shared/language/text/outline.ts';

/** One entry of a stage's object, as a form shows it. */
export interface FormEntry {
  readonly key: string;
  readonly value: string;
}

/** The entries of a stage's body; null: it is no object that a form could show. */
export function entriesOf(body: string): FormEntry[] | null {
  const object = objectIn(body);
  if (!object) return null;
  return object.items.map(({ key, value }) => ({ key, value: textOf(body, value) }));
}

/** Whether a text can stand as a value; parameters may be in it. */
export function isValue(text: string): boolean {
  try {
    const object = parseRelaxedObject(`{ value: ${text.replaceAll(/\{\{[^{}\r\n]*\}\}/g, '0')}\n}`, 'value');
    return Object.keys(object).length === 1;
  } catch (error) {
    if (isAppError(error, 'invalid_input')) return false;
    throw error;
  }
}

// Each changes these characters of the body and no other; a body that is no object stays as it is.

export function renamed(body: string, at: number, key: string): string {
  const entry = objectIn(body)?.items[at];
  return entry ? replaceSpan(body, entry.name, nameOf(key)) : body;
}

export function revalued(body: string, at: number, value: string): string {
  const entry = objectIn(body)?.items[at];
  return entry ? replaceSpan(body, entry.value, value) : body;
}

export function dropped(body: string, at: number): string {
  const object = objectIn(body);
  return object ? removeItem(body, object, at) : body;
}

export function added(body: string, key: string, value: string): string {
  const object = objectIn(body);
  return object ? appendItem(body, object, `${nameOf(key)}: ${value}`) : body;
}

/** A name that no entry has yet: `field`, `field2`. */
export function freeName(entries: readonly FormEntry[], wanted: string): string {
  const taken = new Set(entries.map(({ key }) => key));
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}${String(number)}`;
  return name;
}

/** An operator with what it is given: `{ $gt: 5 }`; null: the value is none, or of several. */
export function operationIn(value: string): { operator: string; operand: string } | null {
  const [only, ...others] = objectIn(value)?.items ?? [];
  if (!only || others.length > 0 || !only.key.startsWith('$')) return null;
  return { operator: only.key, operand: textOf(value, only.value) };
}

/** The text of an operator with what it is given; without an operator, what it would be given. */
export const operationOf = (operator: string, operand: string): string =>
  operator === '' ? operand : `{ ${operator}: ${operand} }`;
