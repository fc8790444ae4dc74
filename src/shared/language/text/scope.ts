import { idsCondition } from '../scope.ts';
import { conditionOn, withCondition, type UnreadableReason } from './condition.ts';
import { objectOutlineOf, outlineOf, textOf } from './outline.ts';

/** The wells in the text of a query. */
export type ScopeInText =
  | { readonly kind: 'none' }
  /** `{{wells}}`: the wells that are selected when it runs. */
  | { readonly kind: 'chosen' }
  | { readonly kind: 'ids'; readonly ids: readonly number[] }
  | { readonly kind: 'odd'; readonly why: UnreadableReason };

const selectedWells = '{{wells}}';
const isChosen = (text: string) => /^\{\{\s*wells\s*\}\}$/i.test(text);

const isId = (text: string) => /^\d{1,15}$/.test(text);

function readScopeValue(value: string): ScopeInText {
  const other: ScopeInText = { kind: 'odd', why: 'other' };
  if (isChosen(value)) return { kind: 'chosen' };
  if (isId(value)) return { kind: 'ids', ids: [Number(value)] };
  const operators = objectOutlineOf(value);
  const [onlyOperator, ...otherOperators] = operators?.items ?? [];
  if (!onlyOperator || otherOperators.length > 0) return other;
  const operand = textOf(value, onlyOperator.value);
  if (onlyOperator.key === '$eq' && isId(operand)) return { kind: 'ids', ids: [Number(operand)] };
  if (onlyOperator.key !== '$in') return other;
  if (isChosen(operand)) return { kind: 'chosen' };
  const list = outlineOf(operand, '[');
  if (!list) return other;
  const elements = list.items.map((item) => textOf(operand, item));
  const [first = ''] = elements;
  if (elements.length === 1 && isChosen(first)) return { kind: 'chosen' };
  return elements.every(isId) ? { kind: 'ids', ids: elements.map(Number) } : other;
}

/** The wells in a query or a $match, by a path. */
export function readScope(query: string, path: string): ScopeInText {
  const condition = conditionOn(query, path);
  return condition.kind === 'found' ? readScopeValue(condition.value) : condition;
}

/**
 * Sets the wells of a query; everything else remains. An empty list removes the condition. Null if the text
 * has no place for it.
 */
export function writeScope(
  query: string,
  path: string,
  scope: { readonly kind: 'none' | 'chosen' } | { readonly kind: 'ids'; readonly ids: readonly number[] },
): string | null {
  if (scope.kind === 'chosen') return withCondition(query, path, selectedWells);
  const ids = scope.kind === 'ids' ? [...new Set(scope.ids)] : [];
  return withCondition(query, path, ids.length === 0 ? null : idsCondition(ids));
}
