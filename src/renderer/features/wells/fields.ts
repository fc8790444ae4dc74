import type { Settings } from '../../../shared/settings/settings.ts';
import type { Well } from '../../../shared/wells/wells.ts';
import { formatAgo } from '../../format/times.ts';
import { words } from '../../words/words.ts';
import type { DirectoryState, Group } from './directory.ts';

const w = words.wells;

/** The title of a field is in the words, under the same name. */
interface FieldDefinition {
  /** Of its column, in pixels; absent: 120. */
  readonly width?: number;
  /** Its values are ids, and this group has their names. */
  readonly group?: Group;
  /** Its values are words to filter by: these, and those that wells have. */
  readonly words?: readonly string[];
  /** The service's filter for a value (specification, section 4.2); absent: it has none. */
  readonly serviceFilter?: string;
  /** Its values are codes of the services, such as `drilled_not_completed`. */
  readonly isCode?: true;
  readonly isTime?: true;
  /** Its values are ids of wells: numbers for spreadsheets too. */
  readonly isId?: true;
  readonly isUnsortable?: true;
}

/** The fields of a well that can be shown beside its name, in order. */
const definitions = {
  apiNumber: { width: 180 },
  assetId: { isId: true },
  companyId: { group: 'companies', serviceFilter: 'company', width: 150 },
  lastActiveAt: { isTime: true },
  status: { words: [], serviceFilter: 'status', isCode: true },
  state: { words: [], serviceFilter: 'state', isCode: true },
  visibility: {
    words: ['visible', 'visible_to_admin', 'deleted'],
    serviceFilter: 'visibility',
    isCode: true,
  },
  area: { words: [], serviceFilter: 'area' },
  programId: { group: 'programs', serviceFilter: 'program', width: 190 },
  padId: { group: 'pads', serviceFilter: 'pad', width: 150 },
  rigId: { group: 'rigs', width: 150 },
  fracFleetId: { group: 'frac_fleets', serviceFilter: 'frac_fleet' },
  drilloutUnitId: { group: 'drillout_units', serviceFilter: 'drillout_unit' },
  startedAt: { isTime: true },
  identifier: {},
  timeZone: { width: 160 },
  position: { width: 190, isUnsortable: true },
  platformId: { isId: true, isUnsortable: true },
} as const satisfies { readonly [F in keyof Well]?: FieldDefinition };

type FieldsWith<D> = {
  [F in FactField]: (typeof definitions)[F] extends D ? F : never;
}[FactField];
export type FactField = keyof typeof definitions;
export type RelatedField = FieldsWith<{ readonly group: Group }>;
export type WordField = FieldsWith<{ readonly words: readonly string[] }>;
export type SortField = 'name' | Exclude<FactField, FieldsWith<{ readonly isUnsortable: true }>>;

const isFact = (name: string): name is FactField => Object.hasOwn(definitions, name);
export const definitionOf = (field: FactField): FieldDefinition => definitions[field];
export const isRelated = (name: string): name is RelatedField => isFact(name) && 'group' in definitions[name];
const isWord = (name: string): name is WordField => isFact(name) && 'words' in definitions[name];
export const isSortField = (name: string): name is SortField =>
  name === 'name' || (isFact(name) && !('isUnsortable' in definitions[name]));

export const factFields: readonly FactField[] = Object.keys(definitions).filter(isFact);
export const relatedFields: readonly RelatedField[] = factFields.filter(isRelated);
export const wordFields: readonly WordField[] = factFields.filter(isWord);

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

export const groupOf = (field: RelatedField): Group => definitions[field].group;

export const groupsOf = (fields: readonly string[]): Group[] => fields.filter(isRelated).map(groupOf);

/** The name of a group member, or its id while the name is unknown. */
export const memberName = (directory: DirectoryState, group: Group, id: number): string =>
  directory[group].names.get(id) ?? (group === 'companies' ? w.companyNumber(id) : w.numbered(id));

/**
 * The text of a field; null: no value. Times are relative, such as `2 days ago`, and positions short.
 * @param now null: for a file, with the time itself and all digits
 */
export function factText(
  well: Well,
  field: FactField,
  directory: DirectoryState,
  now: number | null,
): string | null {
  const value = well[field];
  if (value === null) return null;
  if (Array.isArray(value)) return now === null ? value.join(', ') : w.position(value);
  const text = String(value);
  const { group, isTime, isCode } = definitionOf(field);
  if (group) return memberName(directory, group, Number(value));
  if (isTime && now !== null) return formatAgo(text, now) ?? text;
  return isCode ? text.replaceAll('_', ' ') : text;
}

/** The text of a field in a row of the list, where no heading explains it. */
export function factRowText(well: Well, field: FactField, directory: DirectoryState, now: number): string {
  const text = factText(well, field, directory, now);
  if (field === 'assetId') return text === null ? w.noAsset : w.inRow.assetId(text);
  if (field === 'platformId') return w.inRow.platformId(text ?? '');
  if (text !== null) return text;
  if (field === 'apiNumber' || field === 'lastActiveAt') return w.inRow[field];
  return w.inRow.other(w.fields[field]);
}
