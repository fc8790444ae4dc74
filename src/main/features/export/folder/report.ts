import { countInWords, firstInWords } from '../../../../shared/lists.ts';
import { partitionAt, partitionScope } from '../../../core/write/census/partition.ts';
import type { FolderContent, Part } from '../../../core/write/folder/manifest.ts';
import type { VerifiedFolder } from './verify.ts';

type Parts = Pick<FolderContent, 'parts'> | null;

/** How many records the partitions of a folder gained and lost. */
export function rowChanges(
  before: Parts,
  after: Pick<FolderContent, 'parts'>,
): { readonly added: number; readonly removed: number } {
  const rowsBefore = new Map(before?.parts.map(({ path, rows }) => [partitionAt(path), rows]));
  let [added, removed] = [0, 0];
  for (const { path, rows } of after.parts) {
    const change = rows - (rowsBefore.get(partitionAt(path)) ?? 0);
    if (change > 0) added += change;
    else removed -= change;
    rowsBefore.delete(partitionAt(path));
  }
  for (const rows of rowsBefore.values()) removed += rows;
  return { added, removed };
}

/** The well of a file as it is in the name of its folder, escaped; null: the folder is not divided by wells. */
const wellOf = ({ path }: Part): string | null =>
  /^asset_id=(?<well>[^/]*)\//.exec(path)?.groups?.['well'] ?? null;

function rowsByWell(parts: readonly Part[]): Map<string | null, number> {
  const rows = new Map<string | null, number>();
  for (const part of parts) rows.set(wellOf(part), (rows.get(wellOf(part)) ?? 0) + part.rows);
  return rows;
}

const maxNames = 10;
/** Some wells in words; empty if the folder is not divided by wells. */
function inWords(wells: readonly (string | null)[]): string {
  const names = wells.filter((well) => well !== null);
  if (names.length === 0) return '';
  return ` of ${names.length === 1 ? 'well' : 'wells'} ${firstInWords(names, maxNames)}`;
}

const advice =
  'The service no longer returns them. If nobody deleted them, check that your key can read these wells: once it can, the next update adds their records again.';

/**
 * Warnings about an update that removed all records of a well, or more than half of all records: a service that takes away
 * a key's access to a well returns the same as one whose records were deleted.
 * @param before the folder's content before the update; null: it had none
 * @param after the content that the update wrote
 */
export function removalWarnings(before: Parts, after: Pick<FolderContent, 'parts'>): string[] {
  const earlier = rowsByWell(before?.parts ?? []);
  const later = rowsByWell(after.parts);
  const decreases = [...earlier].flatMap(([well, rows]) => {
    const left = later.get(well) ?? 0;
    return left < rows ? [{ well, left, removed: rows - left }] : [];
  });
  const emptied = decreases.filter(({ left }) => left === 0).map(({ well }) => well);
  const total = [...earlier.values()].reduce((sum, rows) => sum + rows, 0);
  const removed = decreases.reduce((sum, decrease) => sum + decrease.removed, 0);
  return [
    ...(emptied.length === 0 ? [] : [`This update removed all records${inWords(emptied)}. ${advice}`]),
    ...(removed * 2 <= total
      ? []
      : [
          `This update removed ${removed} of ${countInWords(total, 'record', 'records')}${inWords(decreases.map(({ well }) => well))}. ${advice}`,
        ]),
  ];
}

/** A warning about files that another program removed or changed. */
export const lostWarnings = (lost: number): string[] =>
  lost === 0
    ? []
    : [
        `${countInWords(lost, 'file of the folder was', 'files of the folder were')} missing or changed by another program. ${lost === 1 ? 'Its' : 'Their'} records are read again.`,
      ];

/** A warning about texts that a column of numbers, or of booleans, has. @param counts by field */
export const textWarnings = (counts: ReadonlyMap<string, number>, of: 'numbers' | 'booleans'): string[] =>
  counts.size === 0
    ? []
    : [
        `Texts that are written like ${of} became ${of}: ${firstInWords(
          Array.from(counts, ([path, count]) => `${count} of ${path}`),
          maxNames,
        )}.`,
      ];

/** Warnings about the comparison of a folder with the service, and about records without a plausible time. */
export function verifiedWarnings(
  verified: VerifiedFolder | null,
  { parts }: Pick<FolderContent, 'parts'>,
): string[] {
  if (!verified) return [];
  const wrongTimes = parts
    .filter(({ path }) => partitionScope(partitionAt(path)).period === null)
    .reduce((sum, { rows }) => sum + rows, 0);
  return [
    ...verified.warnings,
    ...(wrongTimes === 0
      ? []
      : [
          `${countInWords(wrongTimes, 'record has', 'records have')} no time, or one before 1950 or after the service’s clock. ${wrongTimes === 1 ? 'It is' : 'They are'} in the partition __HIVE_DEFAULT_PARTITION__.`,
        ]),
  ];
}

/** The partitions whose files differ between two states of a folder. */
export function changedPartitions(before: Parts, after: Pick<FolderContent, 'parts'>): string[] {
  const earlier = new Set(before?.parts.map(({ path }) => path));
  const later = new Set(after.parts.map(({ path }) => path));
  return [...earlier.symmetricDifference(later)].map(partitionAt);
}
