import { formatCount } from '../format/numbers.ts';
import { counted } from './counted.ts';

/** The words of jobs. */
export const jobs = {
  region: 'Jobs',
  toggle: 'Jobs',
  none: 'No jobs yet. Exports and uploads show here, also those of earlier days.',
  summary: (running: number, waiting: number, all: number) =>
    running + waiting > 0
      ? [
          ...(running > 0 ? [`${formatCount(running)} running`] : []),
          ...(waiting > 0 ? [`${formatCount(waiting)} waiting`] : []),
          `${formatCount(all)} in all`,
        ].join(', ')
      : counted(all, 'job', 'jobs'),
  kinds: { export: 'Export', upload: 'Upload', check: 'Check', unreadable: 'Job' },
  damaged: (file: string, reason: string) =>
    `${file} can’t be read: ${reason}. The job can’t be resumed; discard it.`,
  states: {
    running: 'running',
    waiting: 'waiting',
    cancelled: 'cancelled',
    interrupted: 'interrupted',
    failed: 'failed',
    done: 'done',
    unreadable: 'unreadable',
    discarded: 'discarded',
  },
  /** What a waiting job waits for, in place of its state. */
  waits: { login: 'waits for a login', link: 'offline', resume: 'paused', answer: 'asks you' },
  manyRefused: (rows: number, reason: string) =>
    `The service has refused ${counted(rows, 'row', 'rows')} for one reason: ${reason.replace(/\.$/, '')}. Go on, and reject every further row it refuses for this, or stop and correct the file first?`,
  interrupted: (count: number) => `${counted(count, 'job', 'jobs')} can be resumed`,
  resumeAll: (count: number) => (count === 1 ? 'Resume it' : `Resume all ${formatCount(count)}`),
  answers: { stop: 'Stop here', go_on: 'Go on and reject them' },
  /** What the upload of a rejects file is about. */
  rejectsOf: (file: string) => `rejected rows of ${file}`,
  rows: (rows: number) => counted(rows, 'row', 'rows'),
  rowsOf: (rows: number, all: number) => `${formatCount(rows)} of ${counted(all, 'row', 'rows')}`,
  rate: (rate: number) => `${formatCount(rate)} rows/s`,
  estimating: 'estimating the time left',
  left: (time: string) => `${time} left`,
  verifying: 'verifying sent rows',
  nextTry: (seconds: number) => `next try in ${formatCount(seconds)} s`,
  cancel: (file: string) => `Cancel ${file}`,
  pause: 'Pause',
  pauseNamed: (file: string) => `Pause ${file}`,
  resume: 'Resume',
  resumeNamed: (file: string) => `Resume ${file}`,
  discard: 'Discard',
  discardNamed: (file: string) => `Discard ${file}`,
  discardText:
    'The job leaves the list, and the files kept with it are removed. Download first what you need.',
  download: (name: string) => `Download ${name}`,
  save: (name: string) => `Save ${name}`,
  open: 'Ledger',
  openNamed: (file: string) => `Ledger of ${file}`,
  more: (count: number) => `+${formatCount(count)} more`,
  accepted: (count: number) => `${formatCount(count)} accepted`,
  rejected: (count: number) => `${formatCount(count)} rejected`,
  unknown: (count: number) => `${formatCount(count)} unknown`,
  pending: (count: number) => `${formatCount(count)} still to do`,
  stored: (count: number) => `${formatCount(count)} already stored`,
  wouldBe: (good: number, bad: number) => `${formatCount(good)} good, ${formatCount(bad)} would be rejected`,
  savedAs: (name: string) => `Saved as ${name}`,
  artifacts: { result: 'Result', manifest: 'Manifest', rejects: 'Rejected rows' },
  progress: (file: string) => `Progress of ${file}`,
  services: { data: 'Data service', platform: 'Platform service' },
  retry: (service: string, seconds: number, attempt: number) =>
    `${service}: next try in ${formatCount(seconds)} s (attempt ${formatCount(attempt)})`,
  announceQuarter: (file: string, quarters: 1 | 2 | 3) => `${file}: ${quarters * 25} % done.`,
  announceState: (file: string, state: string) => `${file}: ${state}.`,
  list: 'All jobs',
  queue: 'Files that wait their turn',
  queueText:
    'Each file is sent when the one before it is done. They wait in this window only: reload or close it, and they have to be picked again.',
  waitsNamed: (file: string) => `${file} waits its turn`,
  waitsBehind: (file: string) => `behind ${file}`,
  inLine: 'in line',
  inLineCount: (count: number) => `${counted(count, 'file', 'files')} in line`,
  takeOut: 'Do not send',
  takeOutNamed: (file: string) => `Do not send ${file}`,
  endNotices: {
    label: 'Tell me when it is done',
    refused:
      'The browser does not allow notifications of this page. Allow them beside its address, then tick this again.',
    done: (file: string) => `${file} is done`,
    failed: (file: string) => `${file} has stopped`,
  },
};
