/** The severity of a warning: `blocking` prevents sending, with `suspicious` values may be wrong. */
export type Severity = 'blocking' | 'suspicious' | 'information';
export const severities: readonly Severity[] = ['blocking', 'suspicious', 'information'];

/** Every warning about a file and its upload, with the group in which the Check step lists it. */
export const warningSeverities = {
  no_rows: 'blocking',

  ragged_rows: 'suspicious',
  unclosed_quote: 'suspicious',
  bad_quotes: 'suspicious',
  odd_quotes: 'suspicious',
  bad_bytes: 'suspicious',
  bad_json: 'suspicious',
  nul_bytes: 'suspicious',
  no_header: 'suspicious',
  header_assumed: 'suspicious',
  encoding_guessed: 'suspicious',
  serial_dates: 'suspicious',
  lost_zeros: 'suspicious',
  excel_damage: 'suspicious',
  lost_characters: 'suspicious',
  sentinel_values: 'suspicious',
  mixed_types: 'suspicious',
  type_exceptions: 'suspicious',
  mixed_dates: 'suspicious',
  ambiguous_dates: 'suspicious',
  zone_missing: 'suspicious',
  zone_assumed: 'suspicious',
  unit_differs: 'suspicious',
  time_of_day_unused: 'suspicious',
  time_twice: 'suspicious',
  foot_rows: 'suspicious',
  well_unresolved: 'suspicious',
  wells_confirmed: 'suspicious',
  blank_wells: 'suspicious',
  existing_differ: 'suspicious',
  existing_unread: 'suspicious',
  repeated_rows: 'suspicious',
  selection_differs: 'suspicious',
  single_column: 'suspicious',
  header_differs: 'suspicious',
  error_cells: 'suspicious',
  cut_short: 'suspicious',
  hidden_rows: 'suspicious',
  merged_cells: 'suspicious',

  units_converted: 'information',
  zone_of_well: 'information',
  times_at_midnight: 'information',
  time_as_text: 'information',
  preamble: 'information',
  comment_lines: 'information',
  mixed_newlines: 'information',
  empty_name: 'information',
  empty_columns: 'information',
  duplicate_names: 'information',
  decimal_comma: 'information',
  thousands: 'information',
  null_words: 'information',
  footer_rows: 'information',
  blanks_removed: 'information',
  several_wells: 'information',
  well_names_skipped: 'information',
  company_id: 'information',
  version_assumed: 'information',
  max_rejected: 'information',
  hidden_table: 'information',
  several_tables: 'information',
  /** A job of another version has a warning that this one does not list. */
  other: 'suspicious',
} as const satisfies Record<string, Severity>;

export type WarningCode = keyof typeof warningSeverities;

/** Why a row is not sent. */
export const problemCodes = [
  'not_a_number',
  'not_an_integer',
  'not_a_boolean',
  'not_a_time',
  'time_in_gap',
  'excel_damage',
  'asset_unknown',
  'not_an_asset_id',
  'missing_value',
  'columns_disagree',
  'rows_disagree',
  'no_group',
  'empty_row',
  'too_many_cells',
  'too_few_cells',
  'unclosed_quote',
  'bad_quotes',
  'bad_bytes',
  'nul_bytes',
  'bad_json',
  'too_large',
  'refused',
] as const;
export type ProblemCode = (typeof problemCodes)[number];

const isWarningCode = (name: string): name is WarningCode => Object.hasOwn(warningSeverities, name);
export const warningCodes: readonly WarningCode[] = Object.keys(warningSeverities).filter(isWarningCode);
