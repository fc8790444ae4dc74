import type { LiveField } from '../../../shared/tabs/live.ts';
import { formatAgo } from '../../format/times.ts';
import { words } from '../../words/words.ts';
import { isTimeInMs } from '../records/columns.ts';

/** The age of a time; both in Unix milliseconds. */
export const agoText = (ms: number, now: number): string =>
  formatAgo(new Date(ms).toISOString(), Math.max(now, ms)) ?? '';

/** The age of a time; depths and other numbers as they are. */
export const newestText = (newest: number, field: LiveField, now: number): string =>
  field !== 'measured_depth' && isTimeInMs(newest)
    ? words.live.newest(agoText(newest, now))
    : words.live.upTo(field, newest);
