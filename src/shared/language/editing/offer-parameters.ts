import type { Offer } from './names.ts';

/** What is compared, as far as it decides which parameters are of use. */
export interface ParameterPlace {
  readonly isAsset?: boolean;
  readonly isTime?: boolean;
  readonly isCompany?: boolean;
}

const parameter = (written: string, description: string, caretBack = 0): Offer => ({
  label: `{{${written}}}`,
  kind: 'parameter',
  says: description,
  insert: `{{${written}}}`,
  ...(caretBack > 0 ? { stops: [written.length + 2 - caretBack] } : {}),
});

const wells = parameter('wells', 'Asset IDs of the selected wells.');
const company = parameter('company', 'Company ID.');
const moments: readonly Offer[] = [
  parameter('now-24h', '24 hours ago. Units: s, m, h, d, w, mo, y.'),
  parameter('now-1h', 'An hour ago.'),
  parameter('now-7d', 'One calendar week ago.'),
  parameter('now', 'Time when the query runs.'),
  parameter('today', 'Start of today in your time zone.'),
  parameter('today@America/Chicago', 'Start of today in a time zone.'),
  parameter('today-1d', 'Start of yesterday.'),
];
const askParameters: readonly Offer[] = [
  parameter('ask:name:number', 'A number that you enter before the query runs.'),
  parameter('ask:name:text', 'A text that you enter before the query runs.'),
  parameter('ask:name:date', 'A date that you enter before the query runs.'),
];

/** The parameters, those useful in the context first; all of them without a context. */
export function offerParameters({ isAsset, isTime, isCompany }: ParameterPlace): Offer[] {
  if (isAsset) return [wells, ...askParameters.slice(0, 1)];
  if (isTime) return [...moments, ...askParameters.slice(2)];
  if (isCompany) return [company, ...askParameters.slice(0, 1)];
  return [...askParameters];
}

/** All parameters, after {{ is typed. */
export const allParameters = (): Offer[] => [wells, ...moments, company, ...askParameters];
