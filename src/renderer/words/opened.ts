import { counted } from './counted.ts';

/** Strings for queries and files opened from outside. */
export const opened = {
  region: 'Opened from a file or link',
  fromFile: (file: string, count: number) =>
    `${file} contains ${counted(count, 'saved query', 'saved queries')}.`,
  fromLink: 'This query comes from a link. Review it before running.',
  notRun: 'Nothing has been run yet.',
  open: 'Open in new tab',
  openNamed: (name: string) => `Open ${name} in new tab`,
  connectFirst: 'Open a connection to use it there.',
  notSent: (file: string) => `${file} is open. Nothing has been sent yet.`,
  connectToUpload: 'Open a connection to upload it.',
  upload: 'Upload',
  keep: 'Add to saved queries',
  close: 'Close',
  kinds: { find: 'Find', aggregate: 'Aggregate', pipeline: 'Pipeline', sql: 'SQL' },
  more: (count: number) => `and ${count} more`,
};
