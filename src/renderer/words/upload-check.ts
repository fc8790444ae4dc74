import type { ProblemCode } from '../../shared/upload/warnings.ts';
import { counted } from './counted.ts';

/** The words of correcting what a check found,. */
export const correct = {
  button: 'Correct…',
  label: (problem: string) => `Correct: ${problem}`,
  option: { delimiter: 'Go back and choose the delimiter', encoding: 'Go back and choose the encoding' },
  column: (column: string) => `Go back and choose where “${column}” goes`,
  /** What to do in the file, where nothing can be corrected here. */
  inFile: {
    not_a_number: 'Correct these cells in the file.',
    not_an_integer: 'Write whole numbers in the file.',
    not_a_boolean: 'Write true or false in the file.',
    not_a_time: 'Correct these times in the file.',
    time_in_gap: 'Write these times with their offset in the file.',
    excel_damage: 'Export the column again, as text.',
    asset_unknown: 'Correct the wells in the file.',
    not_an_asset_id: 'Write asset ids in the file.',
    missing_value: 'Fill these cells in the file.',
    columns_disagree: 'Make the columns agree in the file.',
    empty_row: 'Nothing to do: rows without values are left out.',
    too_many_cells: 'Put quotes around cells that hold the delimiter.',
    too_few_cells: 'Complete these rows in the file.',
    unclosed_quote: 'Close the quotation mark in the file.',
    bad_quotes: 'Double the quotation marks inside quoted cells in the file.',
    bad_bytes: 'Save the file in UTF-8.',
    nul_bytes: 'Remove the NUL bytes from the file.',
    bad_json: 'Write one JSON object in each line of the file.',
    too_large: 'Shorten these rows in the file, or leave columns out.',
    refused: 'Correct what the service names, in the file.',
  } as const satisfies Record<ProblemCode, string>,
  heading: (column: string) => `Correct “${column}”`,
  headingRows: 'Correct whole rows',
  text: 'All rows are checked again after it. Rows that you leave as they are will be rejected, and come back as a file.',
  null: (token: string) => `Take “${token}” as no value, in every column`,
  asText: (column: string) => `Read “${column}” as text`,
  reading: (column: string) => `Go back and choose how “${column}” is written`,
  skip: (column: string) => `Leave “${column}” out of the upload`,
  wells: 'Go back and choose which wells are meant',
  constant: (field: string) => `One ${field} for rows that have none`,
  take: 'Take this value',
};

/** The words of what stands in a dataset already,. */
export const standing = {
  heading: 'What stands there already',
  waiting: 'Waiting until the wells of the file are known…',
  counting: 'Counting what stands in the dataset…',
  count: 'Count the records there',
  found: (count: number) =>
    count === 0
      ? 'The dataset has no records where these rows belong.'
      : `The dataset has ${counted(count, 'record', 'records')} where these rows belong: the same wells, and between the first and the last row.`,
  cannotRead: (dataset: string) =>
    `You have no permission to read ${dataset}, so Wellbench can’t skip rows that are stored already. Insert all rows, or ask your administrator for permission to read.`,
  notCompared: (dataset: string) =>
    `You have no permission to read ${dataset}: all rows are inserted without looking for existing records, and lost answers leave their rows unknown.`,
  blocked: 'To send, insert all rows without comparing, or get permission to read the dataset.',
  insertAll: 'Insert all rows',
  choice: 'Rows that stand there already, with the same values',
  ways: {
    skip: 'Skip them: nothing is stored twice, also when a file is sent again',
    insert: 'Insert all rows: faster, but rows that stand there will stand there twice',
  },
};
