import { formatCount } from '../format/numbers.ts';
import { counted } from './counted.ts';

export const datasets = {
  heading: 'Datasets',
  search: 'Search datasets',
  searchHint: 'Dataset name',
  type: 'Type',
  types: {
    all: 'All types',
    time: 'Time',
    depth: 'Depth',
    reference: 'Reference',
    timeseries: 'Time series',
  },
  otherType: (typeText: string) => (typeText === '' ? 'unknown type' : typeText),
  loading: 'Loading datasets…',
  empty: 'No datasets available. Ask your administrator for read permission.',
  notLoaded: 'Datasets weren’t loaded.',
  load: 'Load datasets',
  noMatch: 'No matching datasets. Change the search or the filters.',
  clear: 'Clear search and filters',
  count: (count: number) => counted(count, 'record', 'records'),
  shown: (shown: number, all: number) =>
    shown === all
      ? counted(all, 'dataset', 'datasets')
      : `${formatCount(shown)} of ${counted(all, 'dataset', 'datasets')}`,
  stillLoading: 'Loading more…',
  company: (id: number) => `Company ${id}`,
  noCompany: 'No company',
  provider: (name: string) => `Provider ${name === '' ? 'unknown' : name}`,
  group: (company: string | null, provider: string, count: number, folded: boolean) =>
    `${company ?? 'No company'}, provider ${provider}, ${counted(count, 'dataset', 'datasets')}, ${folded ? 'collapsed' : 'expanded'}`,
  onRequest: (what: readonly ('read' | 'write')[]) =>
    `${what.map((right) => ({ read: 'Read', write: 'Write' })[right]).join(' and ')} access on request`,
  filters: 'Filters',
  filtersHeld: (held: number) => (held === 0 ? 'Dataset filters' : `Dataset filters, ${held} active`),
  plottable: 'Plottable',
  temporary: 'Temporary',
  yesNo: { any: 'Any', yes: 'Yes', no: 'No' },
  onlyHolding: (wells: number) =>
    wells === 0
      ? 'With data (select wells first)'
      : `With data for ${counted(wells, 'selected well', 'selected wells')}`,
  holds: 'Has data for the selected wells',
  lookingForData: 'Checking datasets for the selected wells…',
  asked: (asked: number, total: number) => `${formatCount(asked)} of ${formatCount(total)} checked.`,
  stop: 'Stop',
  stopped: 'Stopped. Showing the datasets found so far.',
  askOn: 'Continue',
  askingStopped: 'No dataset with data found before the check stopped.',
  /** @param codes of the errors */
  notAsked(codes: readonly string[]) {
    const forbidden = codes.filter((code) => code === 'forbidden').length;
    const failed = codes.length - forbidden;
    return [
      ...(forbidden === 0 ? [] : [`No access to ${counted(forbidden, 'dataset', 'datasets')}.`]),
      ...(failed === 0 ? [] : [`${counted(failed, 'dataset', 'datasets')} couldn’t be checked.`]),
    ].join(' ');
  },
  noneHolds: (wells: number, filtered: boolean) =>
    `No dataset${filtered ? ' that matches the filters' : ''} has data for the ${counted(wells, 'selected well', 'selected wells')}.`,
  about: (address: string) => `About ${address}`,
  tab: (address: string) => `About ${address}`,
  facts: 'Details',
  definitionLoading: 'Loading definition…',
  rowMenu: { query: 'Query', about: 'Details', upload: 'Upload file…', copy: 'Copy address' },
  copy: (what: string) => `Copy ${what}`,
  query: 'Query',
  upload: 'Upload',
  extentOfAll: 'All records',
  extentOf: (wells: number) => `Records of ${counted(wells, 'selected well', 'selected wells')}`,
  extentLoading: 'Counting records and finding the first and last…',
  askExtent: 'Count records',
  records: (count: number) => (count === 1 ? 'record' : 'records'),
  noneForWells: 'No data for the selected wells. Select other wells, or query all wells.',
  first: (field: string) => (field === 'measured_depth' ? 'From depth' : 'First'),
  last: (field: string) => (field === 'measured_depth' ? 'To depth' : 'Last'),
  unplaced: (field: string) => `Some records have no ${field}.`,
  belongsToNobody: 'These records don’t belong to a well or company, so all of them are counted.',
  belongsToCompany: (field: string) =>
    `These records belong to companies (${field}). The records of the selected wells’ companies are counted.`,
  underADay: 'under 1 day',
  days: (count: number, period: string) => `over ${period} ${count === 1 ? 'day' : 'days'}`,
  indexes: 'Indexes',
  noIndexes: 'No indexes reported. Sorting may be slow.',
  unique: 'unique',
  /** An index serves sorts by its fields from the front on, and by a later one where those before it are given. */
  serves: (paths: readonly string[]) => {
    const before = paths.slice(0, -1);
    const whole = `Speeds up sorting by ${paths.join(', ')}`;
    return before.length === 0
      ? `${whole}.`
      : `${whole} in this order, and by ${paths.at(-1)} if the query sets ${before.join(' and ')}.`;
  },
  statistics: 'Statistics',
  statisticsOf: { count: 'Records', size: 'Size', storageSize: 'On disk', indexSize: 'Indexes' },
  permissions: 'Permissions',
  noPermissions: 'No permissions reported.',
  permission: (what: string) => ({ read: 'Read', write: 'Write', delete: 'Delete' })[what] ?? what,
  request: 'on request',
  origin: 'Origin',
  companyOf: 'Company',
  providerOf: 'Provider',
  id: 'Dataset ID',
  fields: 'Fields',
  fieldsNotRead: 'Fields weren’t loaded.',
  askFields: 'Load fields',
  fieldsLoading: 'Reading sample records to list fields…',
  searchFields: 'Search fields',
  searchFieldsHint: 'Path, unit, or value',
  sampled: (records: number, wells: number) =>
    records === 0
      ? 'no records sampled'
      : `from ${counted(records, 'record', 'records')}${wells > 0 ? ` of ${counted(wells, 'well', 'wells')}` : ''}`,
  sampledOthers: 'The selected wells have no records here. Showing fields of other wells.',
  noField: 'No matching fields',
  fieldsShown: (shown: number, all: number) =>
    shown === all
      ? counted(all, 'field', 'fields')
      : `${formatCount(shown)} of ${counted(all, 'field', 'fields')}`,
  moreFields: 'Not all fields are listed.',
  fieldColumns: ['Field', 'Type', 'Unit', 'Filled', 'Examples', ''],
  fieldTypes: {
    number: 'number',
    integer: 'integer',
    string: 'text',
    boolean: 'true or false',
    date: 'date (text)',
    object: 'object',
    array: 'list',
    null: 'null only',
  },
  range: (min: number, max: number) => `${min} to ${max}`,
  filled: (shares: {
    filled: string;
    nulls: string | null;
    absent: string | null;
    tokens: readonly (readonly [string, string])[];
  }) =>
    [
      `${shares.filled} have a value`,
      ...(shares.nulls === null ? [] : [`${shares.nulls} are null`]),
      ...(shares.absent === null ? [] : [`${shares.absent} are missing`]),
      ...shares.tokens.map(([value, share]) => `${share} are ${value} (likely null)`),
    ].join(', '),
  filterBy: (path: string) => `Filter by ${path}`,
  setField: (name: string) => `Rename or set the unit of ${name}`,
  fieldForm: {
    heading: (path: string) => `Name and unit of ${path}`,
    name: 'Name',
    unit: 'Stored unit',
    unitHint: 'ft',
    note: 'Saved in your settings. Tables, plots, and lists use the name; exports and conversions use the unit.',
    unknownUnit: 'Wellbench doesn’t support this unit. Values stay as stored.',
    set: 'Save',
    reset: 'Reset',
  },
};
