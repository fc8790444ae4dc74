import { isAssetPath, type DatasetType } from '../../../../shared/datasets/datasets.ts';
import type { MatchedField, UploadMatch, MatchedColumn } from '../../../../shared/upload/preview.ts';
import type { Inspection } from '../../../../shared/upload/upload.ts';
import {
  isSure,
  wellsByName,
  mappingOfMatch,
  type ColumnProposal,
  type FieldMatch,
  type Proposals,
} from '../../../../shared/upload/proposals.ts';
import type { UploadTabState } from '../upload-state.ts';
import { nameInWords, scopeOf, type ScopedWell } from '../../../../shared/wells/wells.ts';
import {
  chooseColumn,
  fillField,
  type MappingChoices,
  chooseColumns,
  type ColumnChoice,
} from './mapping-choices.ts';
import { uploadWords } from '../../../words/upload.ts';

export type ColumnType = Inspection['columns'][number]['type'];

/** The choices with a suggested well match for a column that maps to an asset without one. */
export function withWellMatch(
  choices: MappingChoices,
  column: string,
  { value }: UploadTabState['match'],
): MappingChoices {
  const choice = choices.columns[column];
  if (!choice || choice.skip || choice.by !== undefined || !isAssetPath(choice.to)) return choices;
  const by =
    value?.wellColumns.find((naming) => naming.column === column)?.by ?? wellsByName(nameInWords(column));
  return by === 'id' ? choices : chooseColumn(choices, column, { ...choice, by });
}

/**
 * The choices with the sources of required fields that are certain: a column that names wells, else the only selected
 * well; a column of dates with one of times of day; the only column whose name and content fit. Null: nothing to fill
 * in.
 */
export function withCertainSources(
  choices: MappingChoices,
  match: UploadMatch,
  type: DatasetType | null,
  wells: readonly ScopedWell[],
): MappingChoices | null {
  let filled = choices;
  const used = new Set<string>();
  for (const field of match.fields) {
    if (isFilled(field)) continue;
    if (isAssetPath(field.path)) {
      // A record without a well can be meant where the dataset has such records.
      if (field.required || (type !== null && type !== 'reference'))
        filled = withWellSource(filled, field.path, match, wells);
      continue;
    }
    const [join, ...otherJoins] = field.joins;
    const isJoin =
      join !== undefined && otherJoins.length === 0 && field.likely.every((column) => column === join.column);
    const source = isJoin ? join : field.certain !== null && { column: field.certain };
    if (!field.required || !source || used.has(source.column)) continue;
    used.add(source.column);
    filled = fillField(filled, field.path, [], { from: 'column', ...source });
  }
  return filled === choices ? null : filled;
}

/** The choices with the likeliest column that names wells as the source of the well, else the only selected well. */
function withWellSource(
  choices: MappingChoices,
  path: string,
  { wellColumns }: UploadMatch,
  wells: readonly ScopedWell[],
): MappingChoices {
  const naming = wellColumns.find(({ column }) => column !== null);
  if (naming && naming.column !== null) {
    const { column, by } = naming;
    return chooseColumn(choices, column, { to: path, ...(by === 'id' ? {} : { by }) });
  }
  const [asset, ...more] = scopeOf(wells);
  if (asset === undefined || more.length > 0) return choices;
  return fillField(choices, path, [], { from: 'constant', text: String(asset) });
}

export const isFilled = ({ columns, constant, assumed }: MatchedField): boolean =>
  columns.length > 0 || constant || assumed !== null;

export const missingFields = ({ fields }: Pick<UploadMatch, 'fields'>): MatchedField[] =>
  fields.filter((field) => field.required && !isFilled(field));

// Cached: after each choice, a table of thousands of columns asks for each of them.
const columnIndexes = new WeakMap<Proposals, ReadonlyMap<string, ColumnProposal>>();

export function proposalFor(
  { proposals }: Pick<UploadTabState, 'proposals'>,
  column: string,
): ColumnProposal | undefined {
  if (proposals.status !== 'loaded') return undefined;
  const cachedIndex = columnIndexes.get(proposals.value);
  if (cachedIndex) return cachedIndex.get(column);
  const index = new Map(proposals.value.columns.map((column) => [column.column, column]));
  columnIndexes.set(proposals.value, index);
  return index.get(column);
}

/** The fields that a column may belong to, the likeliest first. */
export const matchesOf = (proposal: ColumnProposal | undefined): FieldMatch[] =>
  proposal ? [...(proposal.match ? [proposal.match] : []), ...proposal.others] : [];

/** Whether a column goes to a new field under its own name, because nothing matched it. */
export const isNewField = (
  proposals: UploadTabState['proposals'],
  { column, to }: Pick<MatchedColumn, 'column' | 'to'>,
): boolean => to !== null && proposalFor({ proposals }, column)?.newField === to;

/** The choice that a proposal makes: the field of a sure match, else a new field with a clean name. */
export function proposedChoice({ match, newField, isEmpty }: ColumnProposal): ColumnChoice {
  if (isEmpty) return { skip: true, isEmpty };
  return match && isSure(match) ? mappingOfMatch(match) : { to: newField };
}

/** What is proposed for a column; null: it is matched by name. */
export function suggestedChoice(
  state: Pick<UploadTabState, 'proposals' | 'dataset'>,
  column: string,
): ColumnChoice | null {
  const proposal = proposalFor(state, column);
  return proposal && state.dataset?.type !== 'reference' ? proposedChoice(proposal) : null;
}

/**
 * The choices with what is proposed for the columns that nothing else decides: neither the user, nor their name, nor
 * another column. Null: nothing to fill in.
 */
export function withProposals(
  choices: MappingChoices,
  match: UploadMatch,
  proposals: readonly ColumnProposal[],
  type: DatasetType | null,
): MappingChoices | null {
  const joined = new Set(Object.values(choices.columns).flatMap((choice) => choice.join ?? []));
  const targets = new Map(match.columns.map((column) => [column.column, column.to]));
  const filled = new Set([
    ...Object.values(choices.columns).map((choice) => (choice.skip ? null : choice.to)),
    ...match.columns.filter(({ column, to }) => column === to).map(({ to }) => to),
    ...Object.keys(choices.constants),
  ]);
  const wellNames = new Set(match.columns.flatMap(({ column, isWellName }) => (isWellName ? [column] : [])));
  const chosen = new Map<string, ColumnChoice>();
  for (const proposal of proposals) {
    const { column } = proposal;
    // Whether a column of times orders the records is decided by its name, with the other fields.
    if (proposal.match?.field === 'timestamp' || proposal.match?.field === 'datetime') continue;
    const isDecided =
      Object.hasOwn(choices.columns, column) || joined.has(column) || targets.get(column) === column;
    const isField = proposal.match !== null && isSure(proposal.match);
    // What looks like the well names of an export can be a field of the dataset.
    const isSkipped = targets.get(column) === null && !(isField && wellNames.has(column));
    if (isDecided || isSkipped) continue;
    const choice = proposedChoice(proposal);
    // Rows of a reference dataset can be combined: columns without a choice go to the list.
    const isListed = type === 'reference' && !isField;
    if (choice.skip || !(filled.has(choice.to) || isListed)) chosen.set(column, choice);
  }
  return chosen.size === 0 ? null : chooseColumns(choices, chosen);
}

/** The choices without those that the proposals for another dataset made. */
export function withoutProposals(
  choices: MappingChoices,
  { proposals }: Pick<UploadTabState, 'proposals'>,
): MappingChoices {
  if (proposals.status !== 'loaded') return choices;
  const proposed = new Map(
    proposals.value.columns.map((column) => [column.column, JSON.stringify(proposedChoice(column))]),
  );
  const kept = Object.entries(choices.columns).filter(
    ([column, choice]) => proposed.get(column) !== JSON.stringify(choice),
  );
  return { ...choices, columns: Object.fromEntries(kept) };
}

/** The name of a field of a record for display: “Well” for the well, the path of others. */
export const fieldName = (path: string): string => (isAssetPath(path) ? uploadWords.columns.well : path);
