import type { Well } from '../../../../shared/wells/wells.ts';
import type { WellIndex } from '../../wells/well-index.ts';

/** What a text says that may mean wells. */
export interface Mentions {
  /** Asset ids or platform ids. */
  readonly ids: readonly number[];
  readonly names: readonly string[];
  /** What is being typed, for which wells are offered; null: nothing is. */
  readonly typed: string | null;
}

/** Of a long text no more ids and names are looked up than these. */
const mostIds = 500;
const mostNames = 200;

const numbers = /(?<![\w.$-])\d{1,15}(?![\w.])/g;
const quoted = /"([^"\\\r\n]{1,200})"|'([^'\\\r\n]{1,200})'/g;
const typing = /[^:,[\]{}()\r\n]*$/;

/**
 * What a text says that may mean wells: its numbers, what stands in quotes, and what is being typed at an offset. Null:
 * nothing does.
 */
export function mentionsIn(text: string, offset?: number): Mentions | null {
  const ids = new Set<number>();
  for (const [number] of text.matchAll(numbers)) if (ids.size < mostIds) ids.add(Number(number));
  const names = new Set<string>();
  for (const [, double, single] of text.matchAll(quoted))
    if (names.size < mostNames) names.add(double ?? single ?? '');
  const before = offset === undefined ? null : text.slice(Math.max(0, offset - 200), offset);
  const typed = before === null ? null : (typing.exec(before)?.[0] ?? '').replaceAll(/["']/g, '').trim();
  if (ids.size === 0 && names.size === 0 && typed === null) return null;
  return { ids: [...ids], names: [...names], typed };
}

/** Of so many wells all are offered while one is typed; of more those that fit what is typed. */
const mostOffered = 200;

/** The listed wells that a text may speak of. */
export function mentionedWells(listed: WellIndex, { ids, names, typed }: Mentions): Well[] {
  const text = listed.count <= mostOffered ? '' : typed;
  const wanted = new Set(names.map((name) => name.trim().toLowerCase()));
  return [
    ...new Set([
      ...listed.wellsBy('assetId', ids),
      ...listed.wellsBy('platformId', ids),
      ...(wanted.size === 0 ? [] : listed.wells.filter(({ name }) => wanted.delete(name.toLowerCase()))),
      ...(typed === null || text === null ? [] : listed.search(text, mostOffered)),
    ]),
  ];
}
