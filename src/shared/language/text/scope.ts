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

function readIds(text: string): number[] | null {
  const list = outlineOf(text, '[');
  if (!list) return null;
  const ids = list.items.map((item) => textOf(text, item));
  return ids.every((id) => /^\d{1,15}$/.test(id)) ? ids.map(Number) : null;
}

function readScopeValue(value: string): ScopeInText {
  const other: ScopeInText = { kind: 'odd', why: 'other' };
  if (isChosen(value)) return { kind: 'chosen' };
  if (/^\d{1,15}$/.test(value)) return { kind: 'ids', ids: [Number(value)] };
  const operators = objectOutlineOf(value);
  const [onlyOperator, ...otherOperators] = operators?.items ?? [];
  if (!onlyOperator || otherOperators.length > 0) return other;
  const operand = textOf(value, onlyOperator.value);
  if (onlyOperator.key === '$eq' && /^\d{1,15}$/.test(operand))
    return { kind: 'ids', ids: [Number(operand)] };
  if (onlyOperator.key !== '$in') return other;
  const list = outlineOf(operand, '[');
  const [first] = list?.items ?? [];
  const isSpliced = first !== undefined && list?.items.length === 1 && isChosen(textOf(operand, first));
  if (isChosen(operand) || isSpliced) return { kind: 'chosen' };
  const ids = readIds(operand);
  return ids ? { kind: 'ids', ids } : other;
}

/** The wells in a query or a $match, by a path. */
export function readScope(query: string, path: string): ScopeInText {
  const condition = conditionOn(query, path);
  return condition.kind === 'found' ? readScopeValue(condition.value) : condition;
}

const idsPerLine = 10;

function writtenIds(ids: readonly number[]): string {
  if (ids.length === 1) return String(ids[0]);
  if (ids.length <= idsPerLine) return `{ $in: [${ids.join(', ')}] }`;
  const lines: string[] = [];
  for (let at = 0; at < ids.length; at += idsPerLine)
    lines.push(`    ${ids.slice(at, at + idsPerLine).join(', ')},`);
  return `{ $in: [\n${lines.join('\n')}\n  ] }`;
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
  return withCondition(query, path, ids.length === 0 ? null : writtenIds(ids));
}
