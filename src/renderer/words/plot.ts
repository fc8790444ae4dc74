import { formatCount } from '../format/numbers.ts';
import { counted } from './counted.ts';

/** The words of plots. */
export const plot = {
  region: 'Plot',
  loading: 'Loading the plot…',
  reach: {
    part: (held: number, all: number) =>
      `Plotted: ${formatCount(held)} of ${counted(all, 'record', 'records')}.`,
    limited: (held: number) => `Plotted: the first ${counted(held, 'record', 'records')}; more match.`,
    most: 'More can’t be held at once. Ask for a shorter range to see the rest.',
    load: (count: number | null) => (count === null ? 'Load all that match' : `Load ${formatCount(count)}`),
    loading: (done: number, all: number | null) =>
      all === null
        ? `Loading: ${counted(done, 'record', 'records')} so far…`
        : `Loading: ${formatCount(done)} of ${counted(all, 'record', 'records')}…`,
    progress: 'Loading records',
    stop: 'Stop',
    failed: (held: number, all: number | null) =>
      all === null
        ? `Plotted: ${counted(held, 'record', 'records')}. The rest could not be loaded.`
        : `Plotted: ${formatCount(held)} of ${counted(all, 'record', 'records')}. The rest could not be loaded.`,
  },
  noNumbers: (field: string) => `${field} has no numbers to plot.`,
  drawing: 'Preparing the plot…',
  kind: 'Kind of plot',
  kinds: { lines: 'Lines', tracks: 'Depth tracks', scatter: 'Scatter' },
  along: { lines: 'Along', tracks: 'Downwards', scatter: 'Across' },
  fields: 'Fields',
  addField: 'Add a field',
  full: (most: number) => `${most} fields are the most one plot shows. Take one out to add another.`,
  align: 'Wells begin',
  aligns: { recorded: 'as recorded', elapsed: 'together, at 0' },
  elapsed: 'since the first record',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  reset: 'Show everything',
  picture: 'Save a picture',
  pictures: { theme: 'PNG as on the screen', print: 'PNG for printing, dark on white' },
  csv: 'Save the data (CSV)',
  saved: (name: string) => `${name} was saved.`,
  chart: (fields: string, along: string) => `Plot of ${fields} along ${along}`,
  help: 'Left and Right move the cursor, with Shift ten times as far; Home and End go to the ends. Plus and Minus zoom, Page Up and Page Down move along, 0 shows everything.',
  helpShort: 'Drag to zoom, wheel to zoom, Shift and drag to move, double-click to show everything',
  values: 'Values',
  line: 'Line',
  atCursor: 'At the cursor',
  lowest: 'Lowest',
  highest: 'Highest',
  points: 'Points',
  noValue: 'no value',
  read: (along: string, values: string) => `${along}: ${values}`,
  one: (name: string, value: string) => `${name} ${value}`,
  well: (id: string) => `well ${id}`,
  noWell: 'no well',
  unit: (name: string, unit: string) => `${name} (${unit})`,
  tokens: (count: number) => `${counted(count, 'value', 'values')} that mean none (such as -999.25) left out`,
  thinned: 'thinned to the screen, every peak kept',
  exact: 'every point drawn',
  drawnPoints: (count: number) => counted(count, 'point', 'points'),
  groupsLeft: (shown: number, all: number) =>
    `The first ${formatCount(shown)} of ${formatCount(all)} wells and logs are drawn; show fewer fields, or ask for fewer wells.`,
  nothing: 'These records hold no numbers that could be drawn. Ask for more fields, or for another dataset.',
  noFields: 'Choose at least one field to draw.',
  noPoints: 'None of the chosen fields has a value in these records. Choose others.',
  title: (dataset: string, fields: string) => `${dataset}: ${fields}`,
  part: (from: string, to: string, along: string) => `${from} to ${to}, ${along}`,
  wellHead: 'well',
};
