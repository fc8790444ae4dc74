import { formatCount } from '../format/numbers.ts';
import { counted } from './counted.ts';

const rows = (count: number): string => counted(count, 'row', 'rows');

/** The words of rejected rows that are fixed in place. */
export const fixes = {
  heading: 'Fix rejected rows',
  text: 'Change the marked cells, then send the fixed rows. They are sent as an upload of their own, each once.',
  loading: 'Loading the rejected rows…',
  none: 'No rejected rows are left to fix here. The file of rejected rows above has all of them.',
  inFile:
    'These rows can’t be fixed here. Download the file of rejected rows above, correct it, and upload it.',
  send: (count: number) =>
    count === 0 ? 'Send fixed rows' : `Send ${counted(count, 'fixed row', 'fixed rows')}`,
  sending: 'Checking and sending…',
  sent: (count: number) => `Sending ${counted(count, 'fixed row', 'fixed rows')}.`,
  wrong: (count: number) => `${rows(count)} ${count === 1 ? 'is' : 'are'} still wrong. Nothing was sent.`,
  table: 'Rejected rows',
  line: 'Line',
  reason: 'Reason',
  cell: (column: string, line: number) => `${column}, line ${formatCount(line)}`,
  unclear: 'ambiguous',
  fixInFile: 'Fix it in the file of rejected rows.',
  allColumns: (count: number) => `All ${counted(count, 'column', 'columns')}`,
  more: (count: number) => `Show more (${rows(count)} left)`,
  cut: 'These are the first rejected rows. The file of rejected rows has all of them.',
  followUp: (count: number) => `${rows(count)} fixed:`,
  openFollowUp: (file: string) => `Open the upload of ${file}`,
  open: 'Open',
};
