import type { PlatformWellId } from '../../../shared/wells/well-ids.ts';
import type { ResolvedName, Well } from '../../../shared/wells/wells.ts';
import { hasAssetId, type ScopedWell } from './scope.ts';

/** So many lines are looked up at a time. */
export const mostLines = 1000;

/** The lines of a pasted text: separate cells, lists with commas and quotes are taken as lines; each one once. */
export function linesOf(text: string): string[] {
  const cells = text.split(/[\n\r\t,;]+/).map((cell) =>
    cell
      .trim()
      .replace(/^(["'])(.*)\1$/, '$2')
      .trim(),
  );
  return [...new Set(cells.filter((cell) => cell !== ''))];
}

/** What became of a pasted list. */
export interface Settled {
  readonly all: number;
  readonly wells: readonly ScopedWell[];
  readonly notFound: readonly string[];
  /** Names that stand for several wells, settled or not. */
  readonly ambiguous: readonly ResolvedName[];
  /** Which of several a person meant, by name. */
  readonly picks: ReadonlyMap<string, PlatformWellId>;
  /** Found, but without an asset id: their data can't be asked for. */
  readonly withoutAsset: readonly Well[];
}

/** Puts together what was found and what the person said where several wells were meant. Each well is in it once. */
export function settle(resolved: readonly ResolvedName[], picks: Settled['picks']): Settled {
  const ambiguous = resolved.filter(({ wells }) => wells.length > 1);
  const meant = resolved.flatMap(({ name, wells }) =>
    wells.length > 1 ? wells.filter(({ platformId }) => platformId === picks.get(name)) : wells,
  );
  const once = [...new Map(meant.map((well) => [well.platformId, well])).values()];
  return {
    all: resolved.length,
    wells: once.filter(hasAssetId),
    notFound: resolved.filter(({ wells }) => wells.length === 0).map(({ name }) => name),
    ambiguous,
    picks,
    withoutAsset: once.filter((well) => !hasAssetId(well)),
  };
}
