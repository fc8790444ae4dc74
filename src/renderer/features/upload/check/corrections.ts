import { isNullName, mayMeanNull } from '../../../../shared/upload/null-tokens.ts';
import type { UploadMatch } from '../../../../shared/upload/preview.ts';
import type { UploadProblem } from '../../../../shared/upload/result.ts';
import { chooseColumn, withNullText, type MappingChoices } from '../columns/mapping-choices.ts';

/** What a user can do about a problem in a column, instead of rejecting its rows. */
export type Correction =
  /** Treats the cell as null, in all columns. */
  | { readonly kind: 'null'; readonly token: string }
  | { readonly kind: 'text'; readonly column: string; readonly to: string }
  /** Rows without a value get this constant, which the user types. */
  | { readonly kind: 'constant'; readonly path: string }
  /** Leads to the Columns step, to match well names. */
  | { readonly kind: 'wells' }
  /** Leads to the Columns step, to change the time format or the time zone. */
  | { readonly kind: 'reading'; readonly column: string }
  /** Leads to the Columns step, to change the target field. */
  | { readonly kind: 'column'; readonly column: string }
  /** Leads to the File step, to change the file format. */
  | { readonly kind: 'option'; readonly option: 'delimiter' | 'encoding' }
  | { readonly kind: 'skip'; readonly column: string };

const cellCodes = new Set([
  'not_a_number',
  'too_large_number',
  'not_an_integer',
  'not_a_boolean',
  'not_a_time',
  'asset_unknown',
  'not_an_asset_id',
]);
const wellCodes = new Set(['asset_unknown', 'not_an_asset_id']);
const optionByCode: Readonly<Partial<Record<string, 'delimiter' | 'encoding'>>> = {
  too_many_cells: 'delimiter',
  too_few_cells: 'delimiter',
  bad_bytes: 'encoding',
};
const timeCodes = new Set(['not_a_time', 'time_in_gap']);

/** The corrections that a problem allows, most likely first. Empty: its rows can only be rejected. */
export function correctionsFor(
  { column, code, cell }: UploadProblem,
  match: Pick<UploadMatch, 'columns' | 'fields'>,
): Correction[] {
  const option = optionByCode[code];
  if (option) return [{ kind: 'option', option }];
  if (column === null) return [];
  const matchedColumn = match.columns.find((columnMatch) => columnMatch.column === column);
  const to = matchedColumn?.to ?? null;
  if (!matchedColumn || to === null) return [];
  const isRequired = match.fields.some((field) => field.path === to && field.required);
  const corrections: Correction[] = [];
  const hasEvidence = wellCodes.has(code) ? isNullName : mayMeanNull;
  if (cellCodes.has(code) && cell !== undefined && cell.trim() !== '' && hasEvidence(cell))
    corrections.push({ kind: 'null', token: cell });
  if (wellCodes.has(code)) corrections.push({ kind: 'wells' });
  if (timeCodes.has(code)) corrections.push({ kind: 'reading', column });
  if (matchedColumn.kind === 'auto' && cellCodes.has(code)) corrections.push({ kind: 'text', column, to });
  if (code === 'columns_disagree' || code === 'rows_disagree') corrections.push({ kind: 'column', column });
  if (code === 'missing_value') corrections.push({ kind: 'constant', path: to });
  if (!isRequired) corrections.push({ kind: 'skip', column });
  return corrections;
}

/**
 * The choices with a correction; null: the correction is made in another step.
 * @param text the value that the user typed, for a constant
 */
export function applyCorrection(
  choices: MappingChoices,
  correction: Correction,
  text = '',
): MappingChoices | null {
  switch (correction.kind) {
    case 'null':
      return withNullText(choices, correction.token);
    case 'text':
      return chooseColumn(choices, correction.column, { to: correction.to, type: 'string' });
    case 'skip':
      return chooseColumn(choices, correction.column, { skip: true });
    case 'constant':
      return { ...choices, constants: { ...choices.constants, [correction.path]: text } };
    case 'wells':
    case 'reading':
    case 'column':
    case 'option':
    default:
      return null;
  }
}

/** The problems of one column, with their total count. */
export interface ColumnProblems {
  /** Null: problems of whole rows. */
  readonly column: string | null;
  readonly count: number;
  readonly problems: readonly UploadProblem[];
}

/** Problems by column, the column with the most problems first; within a column, the most frequent first. */
export function groupByColumn(problems: readonly UploadProblem[]): ColumnProblems[] {
  return [...Map.groupBy(problems, ({ column }) => column)]
    .map(([column, columnProblems]) => ({
      column,
      count: columnProblems.reduce((sum, { count }) => sum + count, 0),
      problems: columnProblems.toSorted((a, b) => b.count - a.count),
    }))
    .sort((a, b) => b.count - a.count);
}
