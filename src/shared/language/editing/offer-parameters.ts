import type { Offer } from './names.ts';

/** What is compared, as far as it decides which parameters are of use. */
export interface ParameterPlace {
  readonly isAsset?: boolean;
  readonly isTime?: boolean;
  readonly isCompany?: boolean;
}

const parameter = (written: string, says: string, caretBack = 0): Offer => ({
  label: `{{${written}}}`,
  kind: 'parameter',
  says,
  insert: `{{${written}}}`,
  ...(caretBack > 0 ? { stops: [written.length + 2 - caretBack] } : {}),
});

const wells = parameter('wells', 'The asset ids of the chosen wells.');
const company = parameter('company', 'The id of the company.');
const moments: readonly Offer[] = [
  parameter('now-24h', 'A day ago. Units: s, m, h, d, w, mo, y.'),
  parameter('now-1h', 'An hour ago.'),
  parameter('now-7d', 'A week ago, by the calendar.'),
  parameter('now', 'The moment at which the query runs.'),
  parameter('today', 'The beginning of the day, in your time zone.'),
  parameter('today@America/Chicago', 'The beginning of the day in a time zone.'),
  parameter('today-1d', 'The beginning of yesterday.'),
];
const asked: readonly Offer[] = [
  parameter('ask:name:number', 'A number that is asked for before the query runs.'),
  parameter('ask:name:text', 'A text that is asked for before the query runs.'),
  parameter('ask:name:date', 'A date that is asked for before the query runs.'),
];

/** The parameters, those of use at the place first; where none is named, all. */
export function offerParameters({ isAsset, isTime, isCompany }: ParameterPlace): Offer[] {
  if (isAsset) return [wells, ...asked.slice(0, 1)];
  if (isTime) return [...moments, ...asked.slice(2)];
  if (isCompany) return [company, ...asked.slice(0, 1)];
  return [...asked];
}

/** Every parameter there is, for whoever has typed {{. */
export const allParameters = (): Offer[] => [wells, ...moments, company, ...asked];
