import type { ArrayExpression } from 'acorn';
import type { JsonValue } from '../json.ts';
import type { Reader, Span, Where } from './reader.ts';

const listOperators = new Set(['$in', '$nin', '$all']);

/**
 * Whether `{{wells}}` inside this list gives its ids to the list one by one: `$in: [5001, {{wells}}]`. Not so in the
 * expression `{$in: ["$asset_id", {{wells}}]}`, whose second element is itself a list.
 */
export function isSpliced(list: ArrayExpression, where: Where): boolean {
  const [first] = list.elements;
  const isPath = first?.type === 'Literal' && typeof first.value === 'string' && first.value.startsWith('$');
  const isExpression = isPath || first?.type === 'ObjectExpression';
  return where.key !== null && listOperators.has(where.key) && !isExpression;
}

/**
 * What the chosen wells become where `{{wells}}` stands:
 * - as the value of a field, the id of the one well, or `{"$in": […]}` of several;
 * - as the value of `$in`, `$nin` or `$all`, as an element of any other list, or alone: the list of ids;
 * - as the value of `$not`: `{"$in": […]}`;
 * - as the value of any other operator (`$eq`, `$ne`, …): the id of the one well; several are refused.
 */
export function wellsAt(ids: readonly number[], span: Span, { key }: Where, reader: Reader): JsonValue {
  if (key === null || listOperators.has(key)) return [...ids];
  if (key === '$not') return { $in: [...ids] };
  const [first] = ids;
  if (ids.length === 1 && first !== undefined) return first;
  if (!key.startsWith('$')) return { $in: [...ids] };
  return reader.refuse(
    span,
    `${key} takes one well, and ${ids.length} are chosen. Use $in or $nin with {{wells}}, or choose one well.`,
  );
}
