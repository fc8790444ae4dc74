import type { RowPlaces } from '../../shared/upload/formats.ts';
import { formatCount } from '../format/numbers.ts';
import { counted } from './counted.ts';
import { placeText } from './upload-source.ts';

/** Strings for wells named in a file. */
export const wells = {
  heading: 'Wells in the file',
  looking: 'Matching wells in the file…',
  notLooked:
    'Wells aren’t matched yet. Wellbench matches them when the upload starts and rejects rows of unknown wells.',
  look: 'Match wells',
  left: (open: number, all: number) =>
    `${formatCount(open)} of ${counted(all, 'well', 'wells')} not recognized. Select a match; rows without one are rejected.`,
  allKnown: (count: number) =>
    count === 1 ? 'The well is recognized.' : `All ${formatCount(count)} wells are recognized.`,
  standsFor: (name: string) => `Match for “${name}”`,
  found: {
    one: '',
    settled: '',
    none: 'No matching well',
    several: 'Several matches',
    damaged: 'Digits lost in a spreadsheet',
  },
  proposed: {
    header: (name: string) => `Use ${name}, named in the file`,
    fileName: (name: string) => `Use ${name}, in the file name`,
    selection: (name: string) => `Use ${name}, selected`,
  },
  use: (name: string, note: string | null) => `Use ${name}${note === null ? '' : ` (${note})`}`,
  undo: 'Undo',
  showAll: (count: number) => `Show all ${formatCount(count)}`,
  asset: (assetId: number) => `asset ${assetId}`,
  named: (name: string, assetId: number) => `${name} (asset ${assetId})`,
  otherThanConstant: (well: string, count: number) =>
    `All rows would be stored under ${well}, but the file names ${count === 1 ? 'another well' : `${formatCount(count)} other wells`}. Select which to use:`,
  otherThanSelected: (well: string, count: number) =>
    `${well} is selected, but the file names ${count === 1 ? 'another well' : `${formatCount(count)} other wells`}. Select which to use:`,
  fileWells: 'Use the wells in the file',
  oneWell: (well: string) => `Store all rows under ${well}`,
  unknown: 'no matching well',
  namedIn: (column: string | null, line: number, kind?: RowPlaces['kind'], isConverted = false) => {
    if (column !== null) return `“${column}”, ${placeText(line, kind)}`;
    return isConverted ? 'in the file header' : `before the header, ${placeText(line)}`;
  },
  more: (count: number) => `and ${formatCount(count)} more`,
  notCompared: 'The file names wells that may differ from the well of all rows. Match wells to continue.',
};
