import { formatCount } from '../format/numbers.ts';
import { counted } from './counted.ts';

export const jobs = {
  region: 'Jobs',
  toggle: 'Jobs',
  none: 'No jobs yet. Exports and uploads appear here.',
  /** @param all null: unknown */
  summary: (running: number, waiting: number, all: number | null) =>
    running + waiting > 0
      ? [
          ...(running > 0 ? [`${formatCount(running)} running`] : []),
          ...(waiting > 0 ? [`${formatCount(waiting)} waiting`] : []),
          ...(all === null ? [] : [`${formatCount(all)} total`]),
        ].join(', ')
      : all === null
        ? ''
        : counted(all, 'job', 'jobs'),
  kinds: { export: 'Export', upload: 'Upload', quality: 'Quality', check: 'Check', unreadable: 'Job' },
  damaged: (file: string, reason: string) =>
    `${file} can’t be read: ${reason}. The job can’t be resumed; discard it.`,
  states: {
    running: 'running',
    waiting: 'waiting',
    cancelled: 'canceled',
    interrupted: 'interrupted',
    failed: 'failed',
    done: 'done',
    unreadable: 'unreadable',
    discarded: 'discarded',
  },
  /** What a waiting job waits for, in place of its state. */
  waits: { login: 'waiting for sign-in', link: 'offline', resume: 'paused', answer: 'needs input' },
  manyRefused: (rows: number, reason: string, areRecords = false) =>
    `The service rejected ${areRecords ? counted(rows, 'record', 'records') : counted(rows, 'row', 'rows')} for the same reason: ${reason.replace(/\.$/, '')}. Continue and reject further ${areRecords ? 'records' : 'rows'} like these, or stop and correct the file?`,
  interrupted: (count: number) => `${counted(count, 'job', 'jobs')} can be resumed`,
  resumeAll: (count: number) => (count === 1 ? 'Resume job' : `Resume all ${formatCount(count)}`),
  answers: { stop: 'Stop', go_on: 'Continue and reject' },
  /** What the upload of a rejects file is about. */
  rejectsOf: (file: string) => `rejected rows of ${file}`,
  rows: (rows: number) => counted(rows, 'row', 'rows'),
  rowsOf: (rows: number, all: number) => `${formatCount(rows)} of ${counted(all, 'row', 'rows')}`,
  rate: (rate: number) => `${formatCount(rate)} rows/s`,
  /** Of an upload that combines rows into records. */
  records: {
    rows: (records: number) => counted(records, 'record', 'records'),
    rowsOf: (records: number, all: number) =>
      `${formatCount(records)} of ${counted(all, 'record', 'records')}`,
    rate: (rate: number) => `${formatCount(rate)} records/s`,
  },
  estimating: 'estimating time left',
  left: (time: string) => `${time} left`,
  verifying: 'verifying sent rows',
  comparing: (read: number, total: number) =>
    `comparing with ${formatCount(read)} of ${formatCount(total)} existing records`,
  nextTry: (seconds: number) => `retrying in ${formatCount(seconds)} s`,
  took: (started: string, duration: string) => `${started}, took ${duration}`,
  takes: (started: string, duration: string) => `${started}, ${duration} so far`,
  startedAt: (time: string) => `Started ${time}`,
  clear: 'Clear finished',
  clearText: (count: number) =>
    `Removes ${counted(count, 'finished job and its', 'finished jobs and their')} stored files. Saved and downloaded files stay.`,
  cancel: (file: string) => `Cancel ${file}`,
  pause: 'Pause',
  pauseNamed: (file: string) => `Pause ${file}`,
  resume: 'Resume',
  resumeNamed: (file: string) => `Resume ${file}`,
  discard: 'Discard',
  discardNamed: (file: string) => `Discard ${file}`,
  discardText: 'Removes the job and its stored files. First download any files that you need.',
  download: (name: string) => `Download ${name}`,
  save: (name: string) => `Save ${name}`,
  open: 'Results',
  openReport: 'Report',
  openReportNamed: (file: string) => `Report of ${file}`,
  openNamed: (file: string) => `Results of ${file}`,
  more: (count: number) => `+${formatCount(count)} more`,
  inserted: (count: number) => `${formatCount(count)} inserted`,
  skippedRows: (count: number) => `${formatCount(count)} skipped`,
  rejected: (count: number) => `${formatCount(count)} rejected`,
  unknown: (count: number) => `${formatCount(count)} unknown`,
  pending: (count: number) => `${formatCount(count)} not sent`,
  stored: (count: number) => `${formatCount(count)} already stored`,
  /** What a check of quality found. @param uncheckedWells in which gaps weren't looked for */
  gaps: (count: number, uncheckedWells: number) =>
    uncheckedWells === 0
      ? counted(count, 'gap', 'gaps')
      : `${count === 0 ? 'gaps' : `${counted(count, 'gap', 'gaps')},`} not checked in ${counted(uncheckedWells, 'well', 'wells')}`,
  /** What a comparison found. */
  matched: (count: number) => `${counted(count, 'record', 'records')} matched`,
  differing: (only: number, fields: number) =>
    only + fields === 0
      ? 'no differing values'
      : `${formatCount(only)} without a match, ${counted(fields, 'field differs', 'fields differ')}`,
  absent: (count: number) => `${counted(count, 'field', 'fields')} without values`,
  wouldBe: (good: number, bad: number) => `${formatCount(good)} valid, ${formatCount(bad)} would be rejected`,
  savedAs: (name: string) => `Saved as ${name}`,
  artifacts: { result: 'Result', manifest: 'Manifest', rejects: 'Rejected rows' },
  progress: (file: string) => `Progress of ${file}`,
  services: { data: 'Data service', platform: 'Platform service' },
  retry: (service: string, seconds: number, attempt: number) =>
    `${service}: retrying in ${formatCount(seconds)} s (attempt ${formatCount(attempt)})`,
  skipped: (service: string, count: number) =>
    `${service}: ${counted(count, 'entry', 'entries')} could not be read`,
  skippedHint: (what: string) => `Skipped invalid entries of ${what}. All others are shown.`,
  /** @param difference such as “3 h ahead of” */
  clock: (difference: string, service: string) =>
    `This computer’s clock is ${difference} the clock of the ${service.toLowerCase()}`,
  clockHint: 'Queries use the service’s time for “now”. Correct this computer’s clock.',
  announceQuarter: (file: string, quarters: number) => `${file}: ${quarters * 25}% done.`,
  announceState: (file: string, state: string) => `${file}: ${state}.`,
  list: 'All jobs',
  showOlder: 'Show older jobs',
  queue: 'Queued files',
  queueText: 'Files are sent one after another. Keep this window open until they are sent.',
  waitsNamed: (file: string) => `${file}, queued`,
  waitsBehind: (file: string) => `after ${file}`,
  inLine: 'queued',
  inLineCount: (count: number) => `${counted(count, 'file', 'files')} queued`,
  dequeue: 'Remove from queue',
  dequeueNamed: (file: string) => `Remove ${file} from queue`,
  endNotices: {
    label: 'Notify me when finished',
    refused:
      'The browser blocks notifications from this page. Allow them in the address bar, then select this again.',
    done: (file: string) => `${file} finished`,
    failed: (file: string) => `${file} stopped`,
  },
};
