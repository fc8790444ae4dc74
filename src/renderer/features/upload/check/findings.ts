import type { FileWarning } from '../../../../shared/upload/upload.ts';
import type { UploadProblem } from '../../../../shared/upload/result.ts';
import {
  severities,
  warningSeverities,
  type Severity,
  type WarningCode,
} from '../../../../shared/upload/warnings.ts';
import { uploadWords } from '../../../words/upload.ts';
import { isNullName, mayMeanNull } from '../../../../shared/upload/null-tokens.ts';
import type { UploadMatch } from '../../../../shared/upload/preview.ts';
import type { FormatOption } from '../file/format-options.ts';

/** The same warning for this many columns or more becomes one finding. */
const minGroupedColumns = 3;

/** A warning, or the same warning for several columns. */
export interface Finding {
  readonly code: WarningCode;
  readonly warnings: readonly [FileWarning, ...FileWarning[]];
}

export interface FindingGroup {
  readonly severity: Severity;
  readonly findings: readonly Finding[];
  /** Rows that would be rejected. Suspicious, because a column may have the wrong type. */
  readonly problems: readonly UploadProblem[];
}

export const findingCount = ({ findings, problems }: FindingGroup): number =>
  findings.length + problems.length;

const groupKey = ({ code, cell, column }: FileWarning): string | null =>
  column !== undefined && uploadWords.inColumns.of[code] ? JSON.stringify([code, cell ?? null]) : null;

/** Groups warnings into findings, in the order of their first warning. */
export function groupWarnings(warnings: readonly FileWarning[]): Finding[] {
  const same = Map.groupBy(warnings, groupKey);
  return warnings.flatMap((warning): Finding[] => {
    const { code } = warning;
    const kind = groupKey(warning);
    const all = kind === null ? [] : (same.get(kind) ?? []);
    const [first, ...rest] = all;
    if (first === undefined || all.length < minGroupedColumns) return [{ code, warnings: [warning] }];
    return first === warning ? [{ code, warnings: [first, ...rest] }] : [];
  });
}

/** All findings in a file by severity, the most severe first, without empty groups. */
export function groupFindings(
  warnings: readonly FileWarning[],
  problems: readonly UploadProblem[],
): FindingGroup[] {
  return severities
    .map((severity) => ({
      severity,
      findings: groupWarnings(warnings.filter(({ code }) => warningSeverities[code] === severity)),
      problems: severity === 'suspicious' ? problems : [],
    }))
    .filter((group) => findingCount(group) > 0);
}

/** What a user can do about a problem in a column, instead of rejecting its rows. */
export type Correction =
  | WarningFix
  /** Rows without a value get this constant, which the user types. */
  | { readonly kind: 'constant'; readonly path: string };

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
  if (matchedColumn.kind === 'auto' && cellCodes.has(code)) corrections.push({ kind: 'text', column });
  if (code === 'columns_disagree' || code === 'rows_disagree') corrections.push({ kind: 'column', column });
  if (code === 'missing_value') corrections.push({ kind: 'constant', path: to });
  if (!isRequired) corrections.push({ kind: 'skip', column });
  return corrections;
}

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

/** The options whose control fixes a warning. */
export type FileOption = Exclude<FormatOption, 'unitRow' | 'footerRows'>;

/** Fixes a warning, or leads to the control that does. */
export type WarningFix =
  | { readonly kind: 'null' | 'keep_text'; readonly token: string }
  | { readonly kind: 'text' | 'column' | 'reading' | 'leave_out_blanks' | 'skip'; readonly column: string }
  | { readonly kind: 'join'; readonly column: string; readonly clock: string }
  | { readonly kind: 'zeros'; readonly column: string; readonly digits: number }
  /** Shows a line in the table, with a column marked where the warning names one. */
  | { readonly kind: 'line'; readonly line: number; readonly column: string | null }
  /** `line` 0: the file has no header. */
  | { readonly kind: 'header'; readonly line: number }
  | { readonly kind: 'encoding'; readonly encoding: string }
  | { readonly kind: 'footer'; readonly rows: number }
  | { readonly kind: 'option'; readonly option: FileOption }
  | { readonly kind: 'count_footer' | 'insert_all' | 'selected_well' | 'wells' | 'fields' | 'records' };

type Fixes = (warning: FileWarning) => readonly WarningFix[];

const noFixes: Fixes = () => [];
const showLine: Fixes = ({ line, column }) =>
  line === null ? [] : [{ kind: 'line', line, column: column ?? null }];
const option =
  (name: FileOption): Fixes =>
  () => [{ kind: 'option', option: name }];
const columnFix =
  (kind: 'text' | 'column' | 'reading' | 'leave_out_blanks'): Fixes =>
  ({ column }) =>
    column === undefined ? [] : [{ kind, column }];
const nullFix: Fixes = ({ cell = '', cells = [cell] }) =>
  cells.filter((text) => text.trim() !== '' && mayMeanNull(text)).map((token) => ({ kind: 'null', token }));
const allOf =
  (...fixes: readonly Fixes[]): Fixes =>
  (warning) =>
    fixes.flatMap((fixesOf) => fixesOf(warning));

const fixesByCode: Readonly<Record<WarningCode, Fixes>> = {
  no_rows: option('headerRow'),
  tables_unclear: allOf(showLine, option('headerRow')),
  ragged_rows: allOf(showLine, option('delimiter'), option('shortRows')),
  total_rows: showLine,
  hash_rows: allOf(showLine, option('hashLines')),
  escaped_formulas: allOf(showLine, option('apostrophes')),
  filled_rows: allOf(showLine, option('shortRows')),
  unclosed_quote: showLine,
  bad_quotes: showLine,
  odd_quotes: showLine,
  repeated_names: showLine,
  bad_bytes: allOf(showLine, option('encoding')),
  bad_json: showLine,
  nul_bytes: showLine,
  no_header: ({ line }) => [{ kind: 'header', line: line ?? 1 }],
  header_assumed: () => [{ kind: 'header', line: 0 }],
  header_unclear: allOf(
    ({ line, cells = [] }) => (cells.length < 2 ? [] : [{ kind: 'header', line: line ?? 0 }]),
    option('headerRow'),
  ),
  encoding_guessed: allOf(
    ({ choices = [] }) =>
      choices.length === 0
        ? [{ kind: 'option', option: 'encoding' }]
        : choices.map((encoding) => ({ kind: 'encoding', encoding })),
    showLine,
  ),
  serial_dates: columnFix('reading'),
  lost_zeros: ({ column, digits }) =>
    column === undefined || digits === undefined ? [] : [{ kind: 'zeros', column, digits }],
  excel_damage: allOf(showLine, columnFix('column')),
  lost_characters: showLine,
  sentinel_values: allOf(nullFix, columnFix('column')),
  mixed_types: allOf(nullFix, showLine),
  type_exceptions: allOf(nullFix, columnFix('text'), showLine),
  numbers_as_text: allOf(columnFix('column'), showLine),
  mixed_dates: columnFix('reading'),
  implausible_times: columnFix('reading'),
  ambiguous_dates: columnFix('reading'),
  zone_missing: columnFix('reading'),
  zone_assumed: columnFix('reading'),
  unit_differs: columnFix('column'),
  unit_unknown: columnFix('column'),
  unit_mismatch: columnFix('column'),
  field_unit_unknown: columnFix('column'),
  unit_kept: columnFix('column'),
  unit_missing: columnFix('column'),
  unit_of_new_field: columnFix('column'),
  units_converted: columnFix('column'),
  zone_of_well: columnFix('reading'),
  time_of_day_unused: ({ column, cell }) =>
    column === undefined || cell === undefined ? [] : [{ kind: 'join', column, clock: cell }],
  time_twice: columnFix('reading'),
  times_by_order: columnFix('reading'),
  times_by_setting: columnFix('reading'),
  foot_rows: ({ count }) => [{ kind: 'footer', rows: count }],
  well_unresolved: allOf(() => [{ kind: 'wells' }], showLine),
  wells_confirmed: allOf(() => [{ kind: 'wells' }], showLine),
  without_well: () => [{ kind: 'fields' }],
  blank_wells: allOf(columnFix('leave_out_blanks'), showLine),
  existing_differ: () => [{ kind: 'records' }],
  existing_unread: () => [{ kind: 'insert_all' }],
  stored_twice: () => [{ kind: 'records' }],
  repeated_rows: showLine,
  selection_differs: () => [{ kind: 'selected_well' }],
  single_column: allOf(option('delimiter'), showLine),
  header_differs: noFixes,
  rejects_unclear: noFixes,
  error_cells: allOf(columnFix('column'), showLine),
  cut_short: showLine,
  digits_cut: showLine,
  hidden_rows: showLine,
  merged_cells: showLine,
  records_damaged: noFixes,
  records_encrypted: noFixes,
  hidden_table: option('table'),
  single_record: noFixes,
  several_tables: option('table'),
  times_at_midnight: columnFix('column'),
  time_as_text: columnFix('reading'),
  preamble: option('headerRow'),
  comment_lines: allOf(showLine, option('hashLines')),
  mixed_newlines: noFixes,
  empty_name: columnFix('column'),
  empty_columns: noFixes,
  duplicate_names: columnFix('column'),
  renamed_field: columnFix('column'),
  names_differ_by_case: columnFix('column'),
  columns_merged: columnFix('column'),
  decimal_comma: columnFix('column'),
  thousands: columnFix('column'),
  null_words: ({ cell }) => (cell === undefined ? [] : [{ kind: 'keep_text', token: cell }]),
  page_headers: showLine,
  arrays_as_lists: option('arrays'),
  footer_rows: () => [{ kind: 'count_footer' }],
  blanks_removed: columnFix('column'),
  several_wells: () => [{ kind: 'wells' }],
  well_names_skipped: columnFix('column'),
  company_id: columnFix('column'),
  version_assumed: () => [{ kind: 'fields' }],
  max_rejected: noFixes,
  other: noFixes,
};

/** What settles a warning, the likeliest first. None: words say why, or what to do in the file. */
export const fixesFor = (warning: FileWarning): readonly WarningFix[] => fixesByCode[warning.code](warning);

/** What settles each of several warnings at once. */
export function fixesOfAll(warnings: readonly FileWarning[]): readonly WarningFix[] {
  const [first = [], ...otherFixes] = warnings.map(fixesFor);
  const isIn = (all: readonly WarningFix[], fix: WarningFix): boolean =>
    all.some((other) => JSON.stringify(other) === JSON.stringify(fix));
  return first.filter((fix) => otherFixes.every((all) => isIn(all, fix)));
}
