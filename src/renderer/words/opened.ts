import { counted } from './counted.ts';

/** The words of what is opened from outside,. */
export const opened = {
  region: 'Opened from outside',
  fromFile: (file: string, count: number) =>
    `${file} holds ${counted(count, 'saved query', 'saved queries')}.`,
  fromLink: 'A link brought this query. Nobody knows who made it: read it before you run it.',
  notRun: 'Nothing has been run.',
  open: 'Open in a new tab',
  openNamed: (name: string) => `Open ${name} in a new tab`,
  connectFirst: 'Open a connection to look at it there.',
  keep: 'Add to my saved queries',
  close: 'Close',
  kinds: { find: 'Find', aggregate: 'Aggregate', pipeline: 'Pipeline' },
  more: (count: number) => `and ${count} more`,
};
