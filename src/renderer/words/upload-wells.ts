import { formatCount } from '../format/numbers.ts';
import { counted } from './counted.ts';

/** The words of the wells that a file names,. */
export const wells = {
  heading: 'Wells in the file',
  looking: 'Looking for the wells that the file names…',
  notLooked:
    'The wells have not been looked for. They are when the upload begins, and rows of unknown ones are rejected.',
  look: 'Look for the wells',
  left: (open: number, all: number) =>
    `${formatCount(open)} of ${counted(all, 'well', 'wells')} to settle. Choose which is meant; rows of those left open will be rejected.`,
  allKnown: (count: number) =>
    count === 1 ? 'The well is known.' : `All ${formatCount(count)} wells are known.`,
  standsFor: (name: string) => `Well that “${name}” stands for`,
  found: {
    one: '',
    settled: '',
    none: 'No well of this name',
    several: 'Several wells',
    damaged: 'Its digits were lost in a spreadsheet',
  },
  use: (name: string, note: string | null) => `Use ${name}${note === null ? '' : ` (${note})`}`,
  undo: 'Undo',
  showAll: (count: number) => `Show all ${formatCount(count)}`,
  asset: (assetId: number) => `asset ${assetId}`,
  named: (name: string, assetId: number) => `${name} (asset ${assetId})`,
  otherThanConstant: (well: string, count: number) =>
    `All rows would be stored under ${well}, but the file names ${count === 1 ? 'another well' : `${formatCount(count)} other wells`}. Select which is meant:`,
  otherThanSelected: (well: string, count: number) =>
    `${well} is selected, but the file names ${count === 1 ? 'another well' : `${formatCount(count)} other wells`}. Select which is meant:`,
  fileWells: 'Use the wells of the file',
  oneWell: (well: string) => `Store all rows under ${well}`,
  unknown: 'no well of this name is known',
  namedIn: (column: string | null, line: number) =>
    column === null
      ? `before the header, line ${formatCount(line)}`
      : `“${column}”, line ${formatCount(line)}`,
  more: (count: number) => `and ${formatCount(count)} more`,
  notCompared:
    'The file names wells, and they have not been compared with the well of all rows. Look for them to go on.',
};
