import { formatCount, formatValue } from '../format/numbers.ts';
import { counted, enterNumber } from './counted.ts';

const stepUnits = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const;

export const plotWords = {
  region: 'Plot',
  loading: 'Loading plot…',
  reach: {
    part: (held: number, all: number) =>
      `Plotted: ${formatCount(held)} of ${counted(all, 'record', 'records')}.`,
    limited: (held: number) => `Plotted: the first ${counted(held, 'record', 'records')}; more match.`,
    most: 'Memory limit reached. Select a shorter range to see the rest.',
    load: (count: number | null) => (count === null ? 'Load all matching' : `Load ${formatCount(count)}`),
    loading: (done: number, all: number | null) =>
      all === null
        ? `Loading: ${counted(done, 'record', 'records')} so far…`
        : `Loading: ${formatCount(done)} of ${counted(all, 'record', 'records')}…`,
    progress: 'Loading records',
    stop: 'Stop',
    failed: (held: number, all: number | null) =>
      all === null
        ? `Plotted: ${counted(held, 'record', 'records')}. Couldn’t load the rest.`
        : `Plotted: ${formatCount(held)} of ${counted(all, 'record', 'records')}. Couldn’t load the rest.`,
  },
  whole: {
    /**
     * @param unit of a depth; null: the width is in milliseconds
     * @param isMost whether some are shorter
     */
    step(width: number, unit: string | null, isMost: boolean) {
      const [ms, name] = stepUnits.find(([length]) => width % length === 0) ?? [1, 'ms'];
      const text =
        unit === null ? `${formatCount(width / ms)} ${name}` : `${formatValue(width)} ${unit}`.trim();
      return isMost ? `${text} or less` : text;
    },
    extremes: (step: string) => `minimum and maximum of each ${step}`,
    /** @param step null: the records themselves */
    all: (count: number, step: string | null) =>
      `All ${counted(count, 'record', 'records')}${step === null ? '' : `: minimum and maximum of each ${step}`}`,
    /** @param step null: the records themselves */
    inView: (step: string | null) =>
      step === null ? 'In view: every record' : `In view: minimum and maximum of each ${step}`,
    loading: (held: number) =>
      `Plotted: the first ${counted(held, 'record', 'records')}. Loading all matching records…`,
    failed: (held: number) =>
      `Plotted: the first ${counted(held, 'record', 'records')}. Couldn’t summarize all matching records.`,
    detailFailed: 'Couldn’t load more detail.',
    showRows: 'Plot loaded rows',
    showAll: 'Plot all matching',
  },
  noNumbers: (field: string) => `${field} has no numbers to plot.`,
  drawing: 'Preparing plot…',
  kind: 'Plot type',
  kinds: { lines: 'Lines', panels: 'Panels', tracks: 'Depth tracks', scatter: 'Scatter', bars: 'Bars' },
  along: { lines: 'X axis', panels: 'X axis', tracks: 'Depth axis', scatter: 'X axis', bars: 'X axis' },
  bars: {
    region: 'Bars by category',
    value: 'Value',
    heading: (field: string, areMeans: boolean) => (areMeans ? `${field}, mean of the records` : field),
    more: (shown: string, all: string) => `The first ${shown} of ${all} categories`,
  },
  fields: 'Fields',
  addField: 'Add field',
  full: (most: number) => `A plot shows up to ${most} fields. Remove one to add another.`,
  reversed: 'Invert Y axis',
  savedPlots: 'Use the plot of a saved query',
  align: 'Align wells',
  aligns: { recorded: 'As recorded', elapsed: 'At start' },
  elapsed: 'since first record',
  elapsedOfPart: 'since first loaded record',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  reset: 'Reset zoom',
  scales: {
    heading: 'Scales of the tracks',
    of: (name: string) => `Scale of ${name}`,
    button: (name: string, left: string, right: string, isLog: boolean) =>
      `${name}, ${left} to ${right}${isLog ? ', logarithmic' : ''}. Edit scale`,
    beyond: 'Values outside the limits aren’t drawn.',
    left: 'Left limit',
    right: 'Right limit',
    swap: 'Swap limits',
    log: 'Logarithmic',
    auto: 'Fit to the values in view',
    wrap: 'Wrap values outside the limits',
    fill: 'Fill',
    fills: { none: 'None', left: 'To the left edge', right: 'To the right edge', value: 'To a value' },
    fillTo: (name: string) => `To ${name}`,
    fillValue: 'Fill to',
    track: 'Track',
    trackOf: (number: number, fields: string) => `${number}: ${fields}`,
    newTrack: 'New track',
    reset: 'Use defaults',
    noNumber: () => enterNumber(),
    sameLimits: 'The limits must differ.',
    noLogarithm: 'Logarithmic limits must be above 0.',
  },
  overlays: {
    button: (count: number) => (count === 0 ? 'Overlays' : `Overlays: ${formatCount(count)}`),
    heading: 'Overlays',
    noUnit: (dataset: string) =>
      `Overlay ${dataset} is drawn as stored. Its unit can’t be converted to the axis unit.`,
    noWells: (dataset: string) =>
      `Overlay ${dataset} isn’t drawn because these records don’t identify a well.`,
    other: 'Other dataset',
    noAxis: 'Overlays require a time axis or a measured depth axis, with values as recorded.',
    noFields: 'This dataset contains no names, or no positions on this axis.',
    fields: (name: string, from: string, to: string | null) =>
      `${name} at ${from}${to === null ? '' : ` to ${to}`}`,
    name: 'Name',
    from: 'From',
    to: 'To',
    noEnd: 'None',
    failed: (message: string) => `Couldn’t load an overlay. ${message}`,
    cut: (dataset: string, max: number) => `Overlay ${dataset}: showing only ${formatCount(max)} marks.`,
    fewerWells: 'Select fewer wells to see all.',
  },
  crossplot: {
    heading: 'Crossplot options',
    plan: 'Vertical section and plan of a wellpath, to the same scale',
    color: 'Color by',
    noColor: 'Well',
    isLogX: 'Logarithmic X axis',
    isLogY: 'Logarithmic Y axis',
    hasRegression: 'Regression',
    hasHistograms: 'Histograms along the axes',
    fit: (equation: string, explained: string, count: number) =>
      `${equation}, R² = ${explained}, ${counted(count, 'point', 'points')}`,
    regressionOf: (name: string) => `Regression of ${name}`,
    noFit: 'too few points',
    coloredBy: (name: string) => `Color: ${name}`,
  },
  picture: 'Save image',
  pictures: { theme: 'PNG, current theme', print: 'PNG for printing (white background)' },
  csv: 'Save data as CSV',
  page: {
    button: 'Print or save as PDF…',
    heading: 'Print page',
    note: 'Note',
    about:
      'The page shows the plot, the minimum and maximum of each series, your note, and the source of the data.',
    print: 'Print',
    source: (title: string, connection: string) => `Source: ${title}, connection ${connection}`,
    made: (time: string) => `Created ${time}`,
  },
  saved: (name: string) => `Saved ${name}.`,
  chart: (fields: string, along: string) => `Plot of ${fields} by ${along}`,
  help: 'Left and Right move the cursor; hold Shift to move 10 times as far. Home and End go to the ends. Plus and Minus zoom. Page Up and Page Down pan. 0 resets the zoom. Enter selects the row at the cursor beside a table.',
  helpShort: 'Drag or scroll to zoom, Shift+drag to pan, double-click to reset',
  values: 'Values',
  line: 'Series',
  atCursor: 'At cursor',
  lowest: 'Min',
  highest: 'Max',
  points: 'Points',
  noValue: 'no value',
  read: (along: string, values: string) => `${along}: ${values}`,
  one: (name: string, value: string) => `${name} ${value}`,
  well: (id: string) => `well ${id}`,
  log: (number: number, depths: string) => (depths === '' ? `log ${number}` : `log ${number}, ${depths}`),
  noWell: 'no well',
  unit: (name: string, unit: string) => `${name} (${unit})`,
  tokens: (count: number) => `${counted(count, 'null value', 'null values')} (such as -999.25) left out`,
  thinned: 'downsampled, peaks preserved',
  exact: 'all drawn',
  drawnPoints: (count: number) => counted(count, 'point', 'points'),
  over: (count: number) => `over ${formatCount(count)}`,
  groupsShown: (shown: number, all: string) => `first ${formatCount(shown)} of ${all} wells and logs`,
  groupsLeft: (shown: string) => `Showing the ${shown}. Select fewer fields or wells to see the rest.`,
  nothing: 'These records contain no numeric fields. Query more fields, or another dataset.',
  onlyLists:
    'These records contain numbers only in lists, such as the stations of a survey. To plot them, switch to SQL, add this result as a table, and select Recipes: “Wellpath of a survey” or “Rows of a list”.',
  noFields: 'Select at least one field.',
  noPoints: 'The selected fields have no values in these records. Select other fields.',
  /** @param isPart whether more records match than the plot has */
  absent: (names: readonly string[], isPart: boolean) => {
    const shown = names.slice(0, 3).join(', ');
    const rest = names.length > 3 ? ` and ${formatCount(names.length - 3)} more` : '';
    return `${isPart ? 'No loaded records of' : 'No records of'} ${shown}${rest}`;
  },
  repeated: (count: number) => `${formatCount(count)} at the same position as another`,
  /** @param isTrack whether the axis runs downwards */
  manyRepeated: (count: number, all: number, isTrack: boolean) =>
    `${formatCount(count)} of ${counted(all, 'point', 'points')} share a position on the axis with another point, which draws ${isTrack ? 'horizontal' : 'vertical'} lines. If the records come from several sensors or logs, filter by one of them.`,
  /** @param hasMore whether there are wells that the plot doesn't show */
  wells: (names: readonly string[], hasMore: boolean) => {
    const shown = names.slice(0, 3).join(', ');
    const restCount = names.length - 3;
    return restCount > 0 || hasMore
      ? `${shown} and ${restCount > 0 && !hasMore ? formatCount(restCount) : 'others'}`
      : shown;
  },
  title: (wells: string, dataset: string, fields: string) =>
    `${wells === '' ? '' : `${wells} · `}${dataset}${fields === '' ? '' : `: ${fields}`}`,
  rangeToQuery: 'Use this range',
  notUsed: 'Couldn’t write this range into the query. Enter it in the editor.',
  fieldCount: (count: number) => `Fields: ${formatCount(count)}`,
  more: 'More plot commands',
  part: (from: string, to: string, along: string) => `${from} to ${to}, ${along}`,
  wellHead: 'well',
};
