import { counted } from './en-counted.ts';

/** The words of queries in English. */
export const query = {
  region: 'Query',
  editor: 'Query',
  editorHint: 'A JSON object of conditions. Press Control M to let Tab indent.',
  sort: 'Sort',
  sortHint: '{ timestamp: -1 }',
  fields: 'Fields',
  fieldsHint: 'all',
  limit: 'Limit',
  skip: 'Skip',
  wholeNumber: 'Give a whole number.',
  run: 'Run',
  runHint: 'Run (Ctrl+Enter)',
  count: 'Count',
  export: 'Export',
  loadingEditor: 'Loading the editor…',
  counting: 'Counting…',
  counted: (count: number) => counted(count, 'record matches', 'records match'),
  noScope: 'No wells are chosen, so this query asks for all that the key may see.',
  otherWells: 'The chosen wells are not those of this query.',
  takeWells: 'Use the chosen wells',
  at: (line: number, column: number) => `Line ${line}, column ${column}`,
};
