import type { Well } from '../../../../shared/wells/wells.ts';
import type { WellIndex } from '../../wells/well-index.ts';

/** Parts of a text that may refer to wells. */
export interface Mentions {
  /** Asset ids or platform ids. */
  readonly ids: readonly number[];
  readonly names: readonly string[];
  /** The incomplete name or id at the cursor, for completion; null: none. */
  readonly incomplete: string | null;
}

/** The maximum number of ids and names to look up. */
const maxIds = 500;
const maxNames = 200;

const numbers = /(?<![\w.$-])\d{1,15}(?![\w.])/g;
const quotedText = /"([^"\\\r\n]{1,200})"|'([^'\\\r\n]{1,200})'/g;
const incompleteText = /(?<![^:,[\]{}()\r\n])[^:,[\]{}()\r\n]*$/;

/** Numbers, quoted texts, and the incomplete text at an offset. Null: none. */
export function findMentions(text: string, offset?: number): Mentions | null {
  const ids = new Set<number>();
  for (const [number] of text.matchAll(numbers)) if (ids.size < maxIds) ids.add(Number(number));
  const names = new Set<string>();
  for (const [, double, single] of text.matchAll(quotedText))
    if (names.size < maxNames) names.add(double ?? single ?? '');
  const before = offset === undefined ? null : text.slice(Math.max(0, offset - 200), offset);
  const incomplete =
    before === null ? null : (incompleteText.exec(before)?.[0] ?? '').replaceAll(/["']/g, '').trim();
  if (ids.size === 0 && names.size === 0 && incomplete === null) return null;
  return { ids: [...ids], names: [...names], incomplete };
}

/** Up to this many wells, completion lists all; beyond, only those that match the typed text. */
const maxSuggestedWells = 200;

export function mentionedWells(listed: WellIndex, { ids, names, incomplete }: Mentions): Well[] {
  const text = listed.count <= maxSuggestedWells ? '' : incomplete;
  const mentionedNames = new Set(names.map((name) => name.trim().toLowerCase()));
  return [
    ...new Set([
      ...listed.wellsBy('assetId', ids),
      ...listed.wellsBy('platformId', ids),
      ...(mentionedNames.size === 0
        ? []
        : listed.wells.filter(({ name }) => mentionedNames.delete(name.toLowerCase()))),
      ...(incomplete === null || text === null ? [] : listed.search(text, maxSuggestedWells)),
    ]),
  ];
}
