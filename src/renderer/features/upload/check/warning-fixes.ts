import { mayMeanNull } from '../../../../shared/upload/null-tokens.ts';
import type { WarningCode } from '../../../../shared/upload/warnings.ts';
import type { FileWarning } from '../../../../shared/upload/upload.ts';
import { canBeNull } from '../columns/mapping-choices.ts';

/** How a file is read, as far as the File step has a box for it. */
export type FileOption = 'encoding' | 'delimiter' | 'headerRow';

/** What settles a warning, or leads to where it is settled. */
export type WarningFix =
  | { readonly how: 'null' | 'keep_text'; readonly token: string }
  | { readonly how: 'text' | 'column' | 'reading' | 'leave_out_blanks'; readonly column: string }
  | { readonly how: 'join'; readonly column: string; readonly clock: string }
  | { readonly how: 'zeros'; readonly column: string; readonly digits: number }
  /** Brings the table of rows to a line, with a column marked where one is meant. */
  | { readonly how: 'line'; readonly line: number; readonly column: string | null }
  /** `line` 0: the file has no header. */
  | { readonly how: 'header'; readonly line: number }
  | { readonly how: 'encoding'; readonly encoding: string }
  | { readonly how: 'footer'; readonly rows: number }
  | { readonly how: 'option'; readonly option: FileOption }
  | { readonly how: 'count_footer' | 'insert_all' | 'selected_well' | 'wells' | 'fields' | 'records' };

type Fixes = (warning: FileWarning) => readonly WarningFix[];

const none: Fixes = () => [];
const atLine: Fixes = ({ line, column }) =>
  line === null ? [] : [{ how: 'line', line, column: column ?? null }];
const option =
  (name: FileOption): Fixes =>
  () => [{ how: 'option', option: name }];
const ofColumn =
  (how: 'text' | 'column' | 'reading' | 'leave_out_blanks'): Fixes =>
  ({ column }) =>
    column === undefined ? [] : [{ how, column }];
const asNull: Fixes = ({ cell }) =>
  cell !== undefined && canBeNull(cell) && mayMeanNull(cell) ? [{ how: 'null', token: cell }] : [];
const all =
  (...fixes: readonly Fixes[]): Fixes =>
  (warning) =>
    fixes.flatMap((each) => each(warning));

const fixes: Readonly<Record<WarningCode, Fixes>> = {
  no_rows: option('headerRow'),
  ragged_rows: all(atLine, option('delimiter')),
  unclosed_quote: atLine,
  bad_quotes: atLine,
  odd_quotes: atLine,
  bad_bytes: all(atLine, option('encoding')),
  bad_json: atLine,
  nul_bytes: atLine,
  no_header: ({ line }) => [{ how: 'header', line: line ?? 1 }],
  header_assumed: () => [{ how: 'header', line: 0 }],
  encoding_guessed: ({ choices = [] }) =>
    choices.length === 0
      ? [{ how: 'option', option: 'encoding' }]
      : choices.map((encoding) => ({ how: 'encoding', encoding })),
  serial_dates: ofColumn('reading'),
  lost_zeros: ({ column, digits }) =>
    column === undefined || digits === undefined ? [] : [{ how: 'zeros', column, digits }],
  excel_damage: all(atLine, ofColumn('column')),
  lost_characters: atLine,
  sentinel_values: all(asNull, ofColumn('column')),
  mixed_types: all(asNull, atLine),
  type_exceptions: all(asNull, ofColumn('text'), atLine),
  mixed_dates: ofColumn('reading'),
  ambiguous_dates: ofColumn('reading'),
  zone_missing: ofColumn('reading'),
  zone_assumed: ofColumn('reading'),
  zone_of_well: ofColumn('reading'),
  time_of_day_unused: ({ column, cell }) =>
    column === undefined || cell === undefined ? [] : [{ how: 'join', column, clock: cell }],
  time_twice: none,
  foot_rows: ({ count }) => [{ how: 'footer', rows: count }],
  well_unresolved: all(() => [{ how: 'wells' }], atLine),
  wells_confirmed: all(() => [{ how: 'wells' }], atLine),
  blank_wells: all(ofColumn('leave_out_blanks'), atLine),
  existing_differ: () => [{ how: 'records' }],
  existing_unread: () => [{ how: 'insert_all' }],
  repeated_rows: atLine,
  selection_differs: () => [{ how: 'selected_well' }],
  single_column: all(option('delimiter'), atLine),
  header_differs: none,
  error_cells: all(ofColumn('column'), atLine),
  cut_short: atLine,
  hidden_table: none,
  several_tables: none,
  times_at_midnight: ofColumn('column'),
  time_as_text: ofColumn('reading'),
  preamble: option('headerRow'),
  comment_lines: atLine,
  mixed_newlines: none,
  empty_name: ofColumn('column'),
  duplicate_names: ofColumn('column'),
  decimal_comma: ofColumn('column'),
  thousands: ofColumn('column'),
  null_words: ({ cell }) => (cell === undefined ? [] : [{ how: 'keep_text', token: cell }]),
  footer_rows: () => [{ how: 'count_footer' }],
  blanks_removed: ofColumn('column'),
  several_wells: () => [{ how: 'wells' }],
  company_id: ofColumn('column'),
  version_assumed: () => [{ how: 'fields' }],
  max_rejected: none,
  other: none,
};

/** What settles a warning, the likeliest first. None: words say why, or what to do in the file. */
export const fixesFor = (warning: FileWarning): readonly WarningFix[] => fixes[warning.code](warning);

/** What settles each of several warnings at once. */
export function fixesOfAll(warnings: readonly FileWarning[]): readonly WarningFix[] {
  const [first = [], ...others] = warnings.map(fixesFor);
  const isIn = (all: readonly WarningFix[], fix: WarningFix): boolean =>
    all.some((each) => JSON.stringify(each) === JSON.stringify(fix));
  return first.filter((fix) => others.every((all) => isIn(all, fix)));
}
