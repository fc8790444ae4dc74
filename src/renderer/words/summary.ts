import type { MeasureKind } from '../../shared/language/text/summary.ts';
import { formatCount } from '../format/numbers.ts';
import { counted } from './counted.ts';

const kinds: Record<MeasureKind, string> = {
  mean: 'Mean',
  min: 'Min',
  max: 'Max',
  sum: 'Sum',
  median: 'Median',
  first: 'First',
  last: 'Last',
};

/** A step of time in words, such as 10 min. */
function timeStep(ms: number): string {
  const minutes = ms / 60_000;
  if (minutes < 60) return `${formatCount(minutes)} min`;
  return minutes < 1440 ? `${formatCount(minutes / 60)} h` : `${formatCount(minutes / 1440)} UTC day`;
}

/** The words of summaries of groups. */
export const summary = {
  mode: 'Summarize',
  region: 'Summary',
  of: 'of',
  by: 'by',
  kinds,
  kindOf: (path: string) => `Figure of ${path}`,
  field: (kind: string) => `Field of ${kind}`,
  records: 'Number of records',
  addMeasure: 'Add figure',
  removeMeasure: (text: string) => `Remove ${text}`,
  measure: (kind: MeasureKind, path: string) => `${kinds[kind]} of ${path}`,
  addGroup: 'Add group',
  removeGroup: (text: string) => `Remove group by ${text}`,
  well: 'Well',
  all: 'all records',
  steps: 'Steps',
  fields: 'Values of',
  otherFields: 'Other fields',
  every: (step: number, isDepth: boolean, unit: string | undefined) =>
    `every ${isDepth ? `${formatCount(step)}${unit === undefined ? '' : ` ${unit}`}` : timeStep(step)}`,
  showQuery: 'Show query',
  loading: 'Loading summary…',
  unreadable: 'The pipeline of this query isn’t a summary.',
  replace: 'Replace it by a summary',
  noFields: 'Loading fields…',
  note: 'Over all matching records. Null values such as -999.25 are left out. Days begin at midnight UTC.',
  notCalculable: (names: readonly string[]) =>
    `Not offered: ${names.join(', ')}. Their values need the rows before. Export them, or use a recipe in SQL.`,
  meanByWell: 'Mean by well',
  meanByWellAndStep: (step: number, isDepth: boolean) =>
    `Mean by well, ${summary.every(step, isDepth, undefined)}`,
  countByValue: 'Count by value',
  over: (records: number) => counted(records, 'record', 'records'),
};
