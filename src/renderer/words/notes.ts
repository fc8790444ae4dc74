import { formatCount } from '../format/numbers.ts';
import { counted, enterNumber } from './counted.ts';

export const notesWords = {
  heading: 'Notes',
  button: (count: number) => (count === 0 ? 'Notes' : `Notes: ${formatCount(count)}`),
  about: 'Your notes on the wells of this plot. They stay on this computer.',
  loading: 'Loading notes…',
  none: 'No notes on these wells along this axis.',
  noAxis: 'Notes require a time axis or a measured depth axis, with values as recorded.',
  noWells: 'Notes require records of wells: the field of the well is missing here.',
  noUnit: 'Notes are drawn as written where their unit or that of the axis is unknown.',
  add: 'Add note…',
  new: 'Add note',
  change: 'Edit note',
  edit: (note: string) => `Edit note: ${note}`,
  remove: (note: string) => `Remove note: ${note}`,
  removed: 'Note removed.',
  undo: 'Undo',
  well: 'Well',
  from: (of: string | null) => (of === null ? 'From' : `From (${of})`),
  to: (of: string | null) => (of === null ? 'To' : `To (${of})`),
  toHint: 'Leave empty for a single place.',
  text: 'Text',
  save: 'Save',
  badTime: 'Enter a time such as 2024-01-31 06:00.',
  get badDepth() {
    return `${enterNumber()}.`;
  },
  backwards: 'The end is before the start.',
  noText: 'Enter a text.',
  longText: (most: number) => `Enter up to ${formatCount(most)} characters.`,
  range: (from: string, to: string) => `${from}–${to}`,
  times: (from: string, to: string) => `${from} to ${to}`,
  line: (range: string, text: string) => `${range}: ${text}`,
  onWell: (well: string, line: string) => `${well}: ${line}`,
  of: (well: string) => `Notes on ${well}`,
  more: (count: number) => `${counted(count, 'more note', 'more notes')} in the details of the well`,
};
