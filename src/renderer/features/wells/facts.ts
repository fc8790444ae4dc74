import type { Well } from '../../../shared/wells/wells.ts';
import { formatAgo } from '../../format/times.ts';
import { words } from '../../words/words.ts';
import type { DirectoryState, Group } from './directory.ts';
import type { RelatedField } from './filter.ts';

/** What can be said of a well beside its name. */
export const factFields = [
  'apiNumber',
  'assetId',
  'companyId',
  'lastActiveAt',
  'status',
  'state',
  'visibility',
  'area',
  'programId',
  'padId',
  'rigId',
  'fracFleetId',
  'drilloutUnitId',
  'startedAt',
  'identifier',
  'timeZone',
  'position',
  'platformId',
] as const satisfies readonly (keyof Well)[];
export type FactField = (typeof factFields)[number];

/** What a row of the list says beside name and status, unless the person wants something else. */
export const usualFacts: readonly FactField[] = ['apiNumber', 'assetId', 'companyId', 'lastActiveAt'];
/** The columns of the table beside the name, likewise. */
export const usualColumns: readonly FactField[] = [
  'status',
  'state',
  'companyId',
  'apiNumber',
  'assetId',
  'lastActiveAt',
  'area',
  'programId',
  'padId',
  'rigId',
];

/** The known ones of fields that were kept by name. */
export const factsIn = (
  named: readonly string[] | null,
  usual: readonly FactField[],
): readonly FactField[] => (named ? factFields.filter((field) => named.includes(field)) : usual);

/** Where the names of what a well belongs to are found. */
export const groupOf: Readonly<Record<RelatedField, Group>> = {
  companyId: 'companies',
  programId: 'programs',
  padId: 'pads',
  rigId: 'rigs',
  fracFleetId: 'frac_fleets',
  drilloutUnitId: 'drillout_units',
};
export const isRelated = (field: string): field is RelatedField => Object.hasOwn(groupOf, field);

/** The groups whose names are needed to show these fields. */
export const groupsOf = (fields: readonly string[]): Group[] =>
  fields.filter(isRelated).map((field) => groupOf[field]);

/** What something is called that a well belongs to; by its id while its name is not known. */
export function nameIn(directory: DirectoryState, field: RelatedField, id: number): string {
  const name = directory[groupOf[field]].names.get(id);
  if (name !== undefined) return name;
  return field === 'companyId' ? words.wells.companyNumber(id) : words.wells.numbered(id);
}

/** What a field says, as text; null: nothing is known. Times as `2 days ago`. */
export function factOf(well: Well, field: FactField, directory: DirectoryState, now: number): string | null {
  const value = well[field];
  if (value === null) return null;
  if (isRelated(field)) return nameIn(directory, field, Number(value));
  if (field === 'lastActiveAt' || field === 'startedAt')
    return formatAgo(String(value), now) ?? String(value);
  if (Array.isArray(value)) return value.map((degrees) => degrees.toFixed(4)).join(', ');
  return String(value);
}

/** As a row of the list says it, where no heading explains it. */
export function factInRow(well: Well, field: FactField, directory: DirectoryState, now: number): string {
  const said = factOf(well, field, directory, now);
  const w = words.wells;
  if (field === 'assetId') return said === null ? w.noAsset : w.inRow.assetId(said);
  if (field === 'platformId') return w.inRow.platformId(said ?? '');
  if (said !== null) return said;
  if (field === 'apiNumber' || field === 'lastActiveAt') return w.inRow[field];
  return w.inRow.other(w.fields[field]);
}
