import { tryRelaxed } from '../../../../../shared/language/relaxed.ts';
import { nameOf } from '../../../../../shared/language/scope.ts';
import { appendItem, removeItem, replaceSpan } from '../../../../../shared/language/text/edits.ts';
import { objectOutlineOf, textOf } from '../../../../../shared/language/text/outline.ts';

/** An entry of a stage's object. */
export interface FormEntry {
  readonly key: string;
  readonly value: string;
}

/** The entries of a stage's body; null: not an object that a form can show. */
export function entriesOf(body: string): FormEntry[] | null {
  const object = objectOutlineOf(body);
  if (!object) return null;
  return object.items.map(({ key, value }) => ({ key, value: textOf(body, value) }));
}

/** Whether a text is a valid value; it may contain parameters. */
export function isValue(text: string): boolean {
  return tryRelaxed(text.replaceAll(/\{\{[^{}\r\n]*\}\}/g, '0')) !== undefined;
}

/** Words that are values. */
const literals = new Set(['true', 'false', 'null', 'Infinity', 'NaN']);

/**
 * An expression as typed: the bare name of a field means its values, as in the text of a stage with its `$`.
 * @param typed such as `data.rop`
 * @returns such as `"$data.rop"`
 */
export function readExpression(typed: string): string {
  const text = typed.trim();
  return /^[A-Za-z_]\w*(?:\.\w+)*$/.test(text) && !literals.has(text) ? `"$${text}"` : text;
}

// Each function edits only the characters of its entry. A body that isn't an object stays as it is.

export function renameEntry(body: string, at: number, key: string): string {
  const entry = objectOutlineOf(body)?.items[at];
  return entry ? replaceSpan(body, entry.name, nameOf(key)) : body;
}

export function replaceValue(body: string, at: number, value: string): string {
  const entry = objectOutlineOf(body)?.items[at];
  return entry ? replaceSpan(body, entry.value, value) : body;
}

export function removeEntry(body: string, at: number): string {
  const object = objectOutlineOf(body);
  return object ? removeItem(body, object, at) : body;
}

export function addEntry(body: string, key: string, value: string): string {
  const object = objectOutlineOf(body);
  return object ? appendItem(body, object, `${nameOf(key)}: ${value}`) : body;
}

/** An unused name: `field`, `field2`. */
export function unusedName(entries: readonly FormEntry[], wanted: string): string {
  const usedNames = new Set(entries.map(({ key }) => key));
  let name = wanted;
  for (let number = 2; usedNames.has(name); number++) name = `${wanted}${String(number)}`;
  return name;
}

/** An operator with its operand, such as `{ $gt: 5 }`; null: the value has none, or several. */
export function operationIn(value: string): { operator: string; operand: string } | null {
  const [only, ...otherEntries] = objectOutlineOf(value)?.items ?? [];
  if (!only || otherEntries.length > 0 || !only.key.startsWith('$')) return null;
  return { operator: only.key, operand: textOf(value, only.value) };
}

/** The text of an operator with its operand; without an operator, the operand. */
export const operationOf = (operator: string, operand: string): string =>
  operator === '' ? operand : `{ ${operator}: ${operand} }`;
