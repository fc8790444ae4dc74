import type { PlatformWellId } from '../../../shared/wells/well-ids.ts';
import type { ResolvedName, Well } from '../../../shared/wells/wells.ts';
import { hasAssetId, type ScopedWell } from '../../../shared/wells/scope.ts';

/** The result of a pasted list. */
export interface PasteResult {
  readonly all: number;
  readonly wells: readonly ScopedWell[];
  readonly notFound: readonly string[];
  /** Names that match several wells, with or without a pick. */
  readonly ambiguous: readonly ResolvedName[];
  /** The well that the user picked for each ambiguous name. */
  readonly picks: ReadonlyMap<string, PlatformWellId>;
  /** Matches without an asset id: they have no data to query. */
  readonly withoutAsset: readonly Well[];
}

/** Combines the matches and the user's picks. Each well is included once. */
export function mergePicks(resolved: readonly ResolvedName[], picks: PasteResult['picks']): PasteResult {
  const ambiguous = resolved.filter(({ wells }) => wells.length > 1);
  const matches = resolved.flatMap(({ name, wells }) =>
    wells.length > 1 ? wells.filter(({ platformId }) => platformId === picks.get(name)) : wells,
  );
  const unique = [...new Map(matches.map((well) => [well.platformId, well])).values()];
  return {
    all: resolved.length,
    wells: unique.filter(hasAssetId),
    notFound: resolved.filter(({ wells }) => wells.length === 0).map(({ name }) => name),
    ambiguous,
    picks,
    withoutAsset: unique.filter((well) => !hasAssetId(well)),
  };
}
