import { isNullName, mayMeanNull } from '../../../../shared/upload/null-tokens.ts';
import type { UploadMatch } from '../../../../shared/upload/preview.ts';
import type { UploadProblem } from '../../../../shared/upload/upload.ts';
import { canBeNull, chooseColumn, withNull, type MappingChoices } from '../columns/mapping-choices.ts';

/** What can be done about a problem of a column, other than to let its rows be rejected. */
export type Correction =
  /** The cell stands for no value, in every column. */
  | { readonly how: 'null'; readonly token: string }
  /** The column is read as text. */
  | { readonly how: 'text'; readonly column: string; readonly to: string }
  /** Rows without a value get this one; it is typed. */
  | { readonly how: 'constant'; readonly path: string }
  /** The names of wells are settled in the step before. */
  | { readonly how: 'wells' }
  /** How the times are written, or their zone, is chosen anew in the step before. */
  | { readonly how: 'reading'; readonly column: string }
  /** Where the column goes is chosen anew in the step before. */
  | { readonly how: 'column'; readonly column: string }
  /** How the file is read is chosen anew in its first step. */
  | { readonly how: 'option'; readonly option: 'delimiter' | 'encoding' }
  | { readonly how: 'skip'; readonly column: string };

const ofCells = new Set([
  'not_a_number',
  'not_an_integer',
  'not_a_boolean',
  'not_a_time',
  'asset_unknown',
  'not_an_asset_id',
]);
const ofWells = new Set(['asset_unknown', 'not_an_asset_id']);
const optionOf: Readonly<Partial<Record<string, 'delimiter' | 'encoding'>>> = {
  too_many_cells: 'delimiter',
  too_few_cells: 'delimiter',
  bad_bytes: 'encoding',
};
const ofTimes = new Set(['not_a_time', 'time_in_gap']);

/** The corrections that a problem allows, the likeliest first. None: its rows can only be rejected. */
export function correctionsFor(
  { column, code, cell }: UploadProblem,
  match: Pick<UploadMatch, 'columns' | 'fields'>,
): Correction[] {
  const option = optionOf[code];
  if (option) return [{ how: 'option', option }];
  if (column === null) return [];
  const matched = match.columns.find((each) => each.column === column);
  const to = matched?.to ?? null;
  if (!matched || to === null) return [];
  const required = match.fields.some((field) => field.path === to && field.required);
  const found: Correction[] = [];
  const hasEvidence = ofWells.has(code) ? isNullName : mayMeanNull;
  if (ofCells.has(code) && cell !== undefined && canBeNull(cell) && hasEvidence(cell))
    found.push({ how: 'null', token: cell });
  if (ofWells.has(code)) found.push({ how: 'wells' });
  if (ofTimes.has(code)) found.push({ how: 'reading', column });
  if (matched.kind === 'auto' && ofCells.has(code)) found.push({ how: 'text', column, to });
  if (code === 'columns_disagree') found.push({ how: 'column', column });
  if (code === 'missing_value') found.push({ how: 'constant', path: to });
  if (!required) found.push({ how: 'skip', column });
  return found;
}

/** The choices with a correction; null: it is made elsewhere. @param text what was typed, of a constant */
export function corrected(choices: MappingChoices, correction: Correction, text = ''): MappingChoices | null {
  switch (correction.how) {
    case 'null':
      return { ...choices, nulls: withNull(choices.nulls, correction.token) };
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

/** Problems of one column, with how many there are in all. */
export interface ColumnProblems {
  /** Null: of whole rows. */
  readonly column: string | null;
  readonly count: number;
  readonly problems: readonly UploadProblem[];
}

/** Problems by column: that with the most first, and within it the most frequent. */
export function byColumn(problems: readonly UploadProblem[]): ColumnProblems[] {
  const groups = new Map<string | null, UploadProblem[]>();
  for (const problem of problems)
    groups.set(problem.column, [...(groups.get(problem.column) ?? []), problem]);
  return [...groups]
    .map(([column, own]) => ({
      column,
      count: own.reduce((sum, { count }) => sum + count, 0),
      problems: own.toSorted((a, b) => b.count - a.count),
    }))
    .sort((a, b) => b.count - a.count);
}
