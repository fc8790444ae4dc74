import { counted } from './en-counted.ts';

/** The words of correcting what a check found, in English. */
export const correct = {
  button: 'Correct…',
  label: (problem: string) => `Correct: ${problem}`,
  none: 'in the file only',
  heading: (column: string) => `Correct “${column}”`,
  text: 'All rows are checked again after it. Rows that you leave as they are will be rejected, and come back as a file.',
  null: (token: string) => `Take “${token}” as no value, in every column`,
  asText: (column: string) => `Read “${column}” as text`,
  reading: (column: string) => `Go back and choose how “${column}” is written`,
  skip: (column: string) => `Leave “${column}” out of the upload`,
  wells: 'Go back and choose which wells are meant',
  constant: (field: string) => `One ${field} for rows that have none`,
  take: 'Take this value',
};

/** The words of what stands in a dataset already, in English. */
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
  insertAll: 'Insert all rows',
  choice: 'Rows that stand there already, with the same values',
  ways: {
    skip: 'Skip them: nothing is stored twice, also when a file is sent again',
    insert: 'Insert all rows: faster, but rows that stand there will stand there twice',
  },
};
