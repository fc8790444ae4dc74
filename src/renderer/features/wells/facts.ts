import type { Settings } from '../../../shared/settings/settings.ts';
import type { Well } from '../../../shared/wells/wells.ts';
import { formatAgo } from '../../format/times.ts';
import { words } from '../../words/words.ts';
import type { DirectoryState, Group } from './directory.ts';
import type { RelatedField } from './filter.ts';

/** Fields of a well that can be shown beside its name. */
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

/** The fields in rows of the list by default, in addition to name and status, for each number of lines. */
export const defaultFacts: Readonly<Record<Settings['wellRows'], readonly FactField[]>> = {
  one: ['lastActiveAt'],
  two: ['apiNumber', 'assetId'],
  three: ['apiNumber', 'assetId', 'companyId', 'lastActiveAt'],
};
/** The columns of the table by default, in addition to the name. */
export const defaultColumns: readonly FactField[] = [
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

/** The stored field names that exist. */
export const parseFacts = (
  names: readonly string[] | null,
  defaultFields: readonly FactField[],
): readonly FactField[] => (names ? factFields.filter((field) => names.includes(field)) : defaultFields);

/** The group with the names of a field. */
export const groupByField: Readonly<Record<RelatedField, Group>> = {
  companyId: 'companies',
  programId: 'programs',
  padId: 'pads',
  rigId: 'rigs',
  fracFleetId: 'frac_fleets',
  drilloutUnitId: 'drillout_units',
};
export const isRelated = (field: string): field is RelatedField => Object.hasOwn(groupByField, field);

/** The groups whose names these fields need. */
export const groupsOf = (fields: readonly string[]): Group[] =>
  fields.filter(isRelated).map((field) => groupByField[field]);

/** The name of a group member, or its id while the name is unknown. */
export function memberName(directory: DirectoryState, field: RelatedField, id: number): string {
  const name = directory[groupByField[field]].names.get(id);
  if (name !== undefined) return name;
  return field === 'companyId' ? words.wells.companyNumber(id) : words.wells.numbered(id);
}

/** The text of a field; null: no value. Times are relative, such as `2 days ago`. */
export function factText(
  well: Well,
  field: FactField,
  directory: DirectoryState,
  now: number,
): string | null {
  const value = well[field];
  if (value === null) return null;
  if (isRelated(field)) return memberName(directory, field, Number(value));
  if (field === 'lastActiveAt' || field === 'startedAt')
    return formatAgo(String(value), now) ?? String(value);
  if (Array.isArray(value)) return value.map((degrees) => degrees.toFixed(4)).join(', ');
  // A state of the services, such as `drilled_not_completed`, in words.
  return coded.has(field) ? String(value).replaceAll('_', ' ') : String(value);
}
const coded: ReadonlySet<FactField> = new Set<FactField>(['status', 'state', 'visibility']);

/** The text of a field in a row of the list, where no heading explains it. */
export function factRowText(well: Well, field: FactField, directory: DirectoryState, now: number): string {
  const text = factText(well, field, directory, now);
  const w = words.wells;
  if (field === 'assetId') return text === null ? w.noAsset : w.inRow.assetId(text);
  if (field === 'platformId') return w.inRow.platformId(text ?? '');
  if (text !== null) return text;
  if (field === 'apiNumber' || field === 'lastActiveAt') return w.inRow[field];
  return w.inRow.other(w.fields[field]);
}
