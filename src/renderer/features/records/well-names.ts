import { pathId } from '../../../shared/column-paths.ts';
import type { ColumnHead } from './table.ts';

/** The names of wells by asset id, as text. */
export type WellNames = ReadonlyMap<string, string>;

const assetColumns = [['asset_id'], ['metadata', 'asset_id']];
const namePathOf = (assetPath: readonly string[]) => [...assetPath.slice(0, -1), 'well_name'];
const assetPaths = new Map(assetColumns.map((path) => [pathId(namePathOf(path)), path]));

/** The path of the asset id whose well's name is at a path; other paths unchanged. */
export const assetPathOf = ({ path, kind }: Pick<ColumnHead, 'path' | 'kind'>): readonly string[] =>
  (kind === 'well' && assetPaths.get(pathId(path))) || path;

/** Whether a path is that of a record's asset id. */
export const isAssetId = (path: readonly string[]): boolean =>
  assetColumns.some((assetPath) => pathId(assetPath) === pathId(path));

/** A usual name's width in characters. */
const characters = 19;

/** The columns with one for the names of wells beside each asset id, unless records have such a field. */
export function withWellNames(heads: readonly ColumnHead[]): readonly ColumnHead[] {
  const ids = new Set(heads.map(({ path }) => pathId(path)));
  return heads.flatMap((head) => {
    const path = namePathOf(head.path);
    return isAssetId(head.path) && !ids.has(pathId(path))
      ? [head, { path, kind: 'well' as const, characters }]
      : [head];
  });
}

/** The name of a cell's well; undefined: unknown. */
export const nameOfWell = (names: WellNames, cell: unknown): string | undefined =>
  typeof cell === 'number' || typeof cell === 'string' ? names.get(String(cell)) : undefined;
