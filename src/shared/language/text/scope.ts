import { conditionOn, withCondition, type Odd } from './condition.ts';
import { objectIn, outlineOf, textOf } from './outline.ts';

/** The wells that a query asks for, as its text says it. */
export type ScopeInText =
  | { readonly kind: 'none' }
  /** `{{wells}}`: whichever wells are chosen when it runs. */
  | { readonly kind: 'chosen' }
  | { readonly kind: 'ids'; readonly ids: readonly number[] }
  | { readonly kind: 'odd'; readonly why: Odd };

const chosen = '{{wells}}';
const isChosen = (text: string) => /^\{\{\s*wells\s*\}\}$/i.test(text);

function idsIn(text: string): number[] | null {
  const list = outlineOf(text, '[');
  if (!list) return null;
  const ids = list.items.map((item) => textOf(text, item));
  return ids.every((id) => /^\d{1,15}$/.test(id)) ? ids.map(Number) : null;
}

function scopeIn(value: string): ScopeInText {
  const other: ScopeInText = { kind: 'odd', why: 'other' };
  if (isChosen(value)) return { kind: 'chosen' };
  if (/^\d{1,15}$/.test(value)) return { kind: 'ids', ids: [Number(value)] };
  const operators = objectIn(value);
  const [only, ...others] = operators?.items ?? [];
  if (!only || others.length > 0) return other;
  const operand = textOf(value, only.value);
  if (only.key === '$eq' && /^\d{1,15}$/.test(operand)) return { kind: 'ids', ids: [Number(operand)] };
  if (only.key !== '$in') return other;
  const list = outlineOf(operand, '[');
  const [first] = list?.items ?? [];
  const isSpliced = first !== undefined && list?.items.length === 1 && isChosen(textOf(operand, first));
  if (isChosen(operand) || isSpliced) return { kind: 'chosen' };
  const ids = idsIn(operand);
  return ids ? { kind: 'ids', ids } : other;
}

/** Which wells a query, or a $match, asks for by this path. */
export function readScope(query: string, path: string): ScopeInText {
  const condition = conditionOn(query, path);
  return condition.kind === 'found' ? scopeIn(condition.value) : condition;
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
 * The query scoped to other wells; everything else in it stays. An empty list takes the condition out. Null where the
 * text has no place for it.
 */
export function writeScope(
  query: string,
  path: string,
  scope: { readonly kind: 'none' | 'chosen' } | { readonly kind: 'ids'; readonly ids: readonly number[] },
): string | null {
  if (scope.kind === 'chosen') return withCondition(query, path, chosen);
  const ids = scope.kind === 'ids' ? [...new Set(scope.ids)] : [];
  return withCondition(query, path, ids.length === 0 ? null : writtenIds(ids));
}
