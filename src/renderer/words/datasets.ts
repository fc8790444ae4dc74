import { formatCount } from '../format/numbers.ts';
import { counted } from './counted.ts';

/** The words of datasets. */
export const datasets = {
  heading: 'Datasets',
  search: 'Search datasets',
  searchHint: 'Name',
  type: 'Type',
  types: {
    all: 'All types',
    time: 'Time',
    depth: 'Depth',
    reference: 'Reference',
    timeseries: 'Time series',
  },
  otherType: (said: string) => (said === '' ? 'type unknown' : said),
  loading: 'Loading the datasets…',
  empty: 'This connection shows no datasets. Ask your administrator for read permission.',
  notLoaded: 'The datasets were not loaded.',
  load: 'Load the datasets',
  noMatch: 'No dataset matches. Change the search or the filters.',
  clear: 'Clear search and filters',
  count: (count: number) => counted(count, 'record', 'records'),
  shown: (shown: number, all: number) =>
    shown === all
      ? counted(all, 'dataset', 'datasets')
      : `${formatCount(shown)} of ${counted(all, 'dataset', 'datasets')}`,
  stillLoading: 'Loading, there may be more…',
  company: (id: number) => `Company ${id}`,
  noCompany: 'Company not named',
  provider: (name: string) => `Provider ${name === '' ? 'not named' : name}`,
  group: (company: string | null, provider: string, count: number, folded: boolean) =>
    `${company ?? 'Company not named'}, provider ${provider}, ${counted(count, 'dataset', 'datasets')}, ${folded ? 'folded' : 'unfolded'}`,
  onRequest: (what: readonly ('read' | 'write')[]) =>
    `${what.map((each) => ({ read: 'Reading', write: 'Writing' })[each]).join(' and ')} on request`,
  filters: 'Filters',
  filtersHeld: (held: number) => (held === 0 ? 'Dataset filters' : `Dataset filters, ${held} set`),
  plottable: 'Can be plotted',
  temporary: 'Temporary',
  yesNo: { any: 'Any', yes: 'Yes', no: 'No' },
  onlyHolding: (wells: number) =>
    wells === 0
      ? 'With data: choose wells first'
      : `With data for ${counted(wells, 'chosen well', 'chosen wells')}`,
  holds: 'Has data for the chosen wells',
  lookingForData: 'Asking the datasets one after the other for data of the chosen wells…',
  asked: (asked: number, total: number) => `${formatCount(asked)} of ${formatCount(total)} asked.`,
  stop: 'Stop',
  stopped: 'Stopped. What was found stays.',
  askOn: 'Go on asking',
  askingStopped: 'No dataset with data was found before the asking was stopped.',
  notAsked: (forbidden: number, failed: number) =>
    [
      ...(forbidden === 0 ? [] : [`You may not read ${counted(forbidden, 'dataset', 'datasets')}.`]),
      ...(failed === 0 ? [] : [`${counted(failed, 'dataset', 'datasets')} could not be asked.`]),
    ].join(' '),
  noneHolds: (wells: number, filtered: boolean) =>
    `No dataset${filtered ? ' that fits the filters' : ''} holds data of the ${counted(wells, 'chosen well', 'chosen wells')}.`,
  about: (address: string) => `About ${address}`,
  tab: (address: string) => `About ${address}`,
  facts: 'What is known of it',
  definitionLoading: 'Loading the definition…',
  rowMenu: {
    query: 'Query it',
    about: 'What is known of it',
    upload: 'Upload into it',
    copy: 'Copy its address',
  },
  copy: (what: string) => `Copy ${what}`,
  isPlottable: 'Can be plotted',
  isTemporary: 'Temporary',
  query: 'Query',
  upload: 'Upload',
  extentOfAll: 'All records',
  extentOf: (wells: number) => `Records of ${counted(wells, 'chosen well', 'chosen wells')}`,
  extentLoading: 'Counting, and looking for the first and the last record…',
  askExtent: 'Count the records',
  records: (count: number) => (count === 1 ? 'record' : 'records'),
  noneForWells: 'These wells have no data here. Choose other wells, or query without them.',
  first: (field: string) => (field === 'measured_depth' ? 'From depth' : 'First'),
  last: (field: string) => (field === 'measured_depth' ? 'To depth' : 'Last'),
  unplaced: (field: string) => `Some records have no ${field}.`,
  belongsToNobody: 'These records name neither a well nor a company, so this is all of them.',
  belongsToCompany: (field: string) =>
    `These records belong to companies (${field}), so this is what the companies of the chosen wells have.`,
  underADay: 'less than a day',
  days: (count: number, said: string) => `over ${said} ${count === 1 ? 'day' : 'days'}`,
  indexes: 'Indexes',
  noIndexes: 'The service tells of no index. A sort may be slow.',
  unique: 'unique',
  /** An index serves sorts by its fields from the front on, and by a later one where those before it are given. */
  serves: (paths: readonly string[]) => {
    const before = paths.slice(0, -1);
    const whole = `Serves sorts by ${paths.join(', ')}`;
    return before.length === 0
      ? `${whole}.`
      : `${whole} from the front on, and by ${paths.at(-1)} where the query gives ${before.join(' and ')}.`;
  },
  statistics: 'Statistics',
  statisticsOf: {
    count: 'Records',
    size: 'Size',
    storageSize: 'On disk',
    indexSize: 'Indexes',
  },
  permissions: 'Permissions',
  noPermissions: 'The service tells of no permissions.',
  permission: (what: string) =>
    ({ read: 'To read', write: 'To write', delete: 'To delete' })[what] ?? `To ${what}`,
  request: 'on request',
  origin: 'Origin',
  companyOf: 'Company',
  providerOf: 'Provider',
  id: 'Dataset id',
  fields: 'Fields',
  fieldsNotRead: 'The fields were not read.',
  askFields: 'Read the fields',
  fieldsLoading: 'Reading a few records to learn of the fields…',
  searchFields: 'Search fields',
  searchFieldsHint: 'Path, unit or value',
  sampled: (records: number, wells: number) =>
    records === 0
      ? 'no records read'
      : `from ${counted(records, 'record', 'records')}${wells > 0 ? ` of ${counted(wells, 'well', 'wells')}` : ''}`,
  sampledOthers: 'The chosen wells have no records here: these fields are of records of others.',
  noField: 'No field matches. Change the search.',
  fieldsShown: (shown: number, all: number) =>
    shown === all
      ? counted(all, 'field', 'fields')
      : `${formatCount(shown)} of ${counted(all, 'field', 'fields')}`,
  moreFields: 'There are more than are listed.',
  fieldColumns: ['Field', 'Type', 'Unit', 'Filled', 'Example or values', ''],
  fieldTypes: {
    number: 'number',
    integer: 'integer',
    string: 'text',
    boolean: 'yes or no',
    date: 'date text',
    object: 'object',
    array: 'list',
    null: 'only null',
  },
  filled: (shares: {
    filled: string;
    nulls: string | null;
    absent: string | null;
    tokens: readonly (readonly [string, string])[];
  }) =>
    [
      `${shares.filled} have a value`,
      ...(shares.nulls === null ? [] : [`${shares.nulls} are null`]),
      ...(shares.absent === null ? [] : [`${shares.absent} are without it`]),
      ...shares.tokens.map(([value, share]) => `${share} say ${value}, most likely for no value`),
    ].join(', '),
  filterBy: (path: string) => `Query by ${path}`,
};
