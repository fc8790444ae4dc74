import type { ProblemCode } from '../../shared/upload/warnings.ts';
import { counted } from './counted.ts';

/** Strings for correcting problems that validation found. */
export const correct = {
  button: 'Correct…',
  label: (problem: string) => `Correct: ${problem}`,
  option: { delimiter: 'Go back and select the delimiter', encoding: 'Go back and select the encoding' },
  column: (column: string) => `Go back and map “${column}”`,
  /** What to do in the file, where nothing can be corrected here. */
  inFile: {
    not_a_number: 'Correct these values in the file.',
    too_large_number: 'Correct these values in the file.',
    not_an_integer: 'Use whole numbers in the file.',
    not_a_boolean: 'Use true or false in the file.',
    not_a_time: 'Correct these times in the file.',
    time_in_gap: 'Add the UTC offset to these times in the file.',
    excel_damage: 'Export the column again as text.',
    asset_unknown: 'Correct the wells in the file.',
    not_an_asset_id: 'Use asset IDs in the file.',
    missing_value: 'Fill in these values in the file.',
    columns_disagree: 'Make the columns agree in the file.',
    rows_disagree: 'Make the rows of a record agree in the file.',
    no_group: 'Fill in the column that combines rows in the file.',
    empty_row: 'No action needed: empty rows are skipped.',
    too_many_cells: 'Quote values that contain the delimiter.',
    too_few_cells: 'Complete these rows in the file.',
    unclosed_quote: 'Close the quotation mark in the file.',
    bad_quotes: 'Double the quotation marks inside quoted values in the file.',
    bad_bytes: 'Save the file as UTF-8.',
    nul_bytes: 'Remove the NUL bytes from the file.',
    bad_json: 'Write one JSON object per line.',
    too_large: 'Shorten these rows in the file, or skip columns.',
    refused: 'Correct the values that the service rejected.',
  } as const satisfies Record<ProblemCode, string>,
  heading: (column: string) => `Correct “${column}”`,
  headingRows: 'Correct whole rows',
  text: 'Wellbench then validates all rows again. Rows that you don’t correct are rejected and saved to a file.',
  null: (token: string) => `Treat “${token}” as null in every column`,
  asText: (column: string) => `Read “${column}” as text`,
  reading: (column: string) => `Go back and select the format of “${column}”`,
  skip: (column: string) => `Skip “${column}”`,
  wells: 'Go back and select the wells',
  constant: (field: string) => `Default ${field} for rows without one`,
  take: 'Use this value',
};

/** Strings for records that the dataset already has. */
export const existing = {
  heading: 'Existing records',
  waiting: 'Waiting for the wells in the file…',
  counting: 'Counting existing records…',
  count: 'Count existing records',
  found: (count: number) =>
    count === 0
      ? 'No existing records for these wells in this range.'
      : `The dataset already has ${counted(count, 'record', 'records')} for these wells between the first and the last row.`,
  cannotRead: (dataset: string) =>
    `You have no permission to read ${dataset}, so Wellbench can’t skip existing records. Insert all rows, or ask your administrator for read permission.`,
  notCompared: (dataset: string) =>
    `You have no permission to read ${dataset}: all rows are inserted without checking for existing records. If a response is lost, its rows stay unknown.`,
  blocked: 'To continue, select Insert all rows or get read permission for the dataset.',
  insertAll: { rows: 'Insert all rows', records: 'Insert all records' },
  choice: (areRecords: boolean) =>
    areRecords ? 'Records of the file that match existing records' : 'Rows that match existing records',
  skip: 'Skip: no duplicates, even if you upload a file again',
  insert: (areRecords: boolean) =>
    `${areRecords ? 'Insert all records' : 'Insert all rows'}: faster, but may create duplicates`,
};
