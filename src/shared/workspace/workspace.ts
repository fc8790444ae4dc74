import * as z from 'zod';

/** What each notice is about. */
const noticeBase = z.object({
  service: z.enum(['data', 'platform']),
  host: z.string(),
  /** The connection of the request, if any. */
  connection: z.string().optional(),
});

/** A request that failed for now and will be tried again. */
const retryNotice = noticeBase.extend({
  kind: z.literal('retry'),
  attempt: z.int(),
  nextTryMs: z.number(),
  cause: z.string(),
});
export type RetryNotice = z.infer<typeof retryNotice>;

/** A list of a service of which some entries could not be read; the others are shown. */
const skippedNotice = noticeBase.extend({
  kind: z.literal('skipped'),
  /** The list in words: "the list of datasets". */
  what: z.string(),
  count: z.int(),
});
export type SkippedNotice = z.infer<typeof skippedNotice>;

/** The clock of this computer differs from that of a service by more than a minute. */
const clockNotice = noticeBase.extend({
  kind: z.literal('clock'),
  /** How far this computer's clock is ahead, in milliseconds; negative: behind. */
  aheadMs: z.number(),
});
export type ClockNotice = z.infer<typeof clockNotice>;

/** A difference as “3 h 5 min ahead of” or “3 h behind”, for a sentence that names the service next. */
export function clockDifference(aheadMs: number): string {
  const minutes = Math.round(Math.abs(aheadMs) / 60_000);
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  const parts = [days && `${days} d`, hours && `${hours} h`, rest && `${rest} min`]
    .filter(Boolean)
    .slice(0, 2);
  return `${parts.join(' ')} ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
}

export const notice = z.discriminatedUnion('kind', [retryNotice, skippedNotice, clockNotice]);
export type Notice = z.infer<typeof notice>;

/** A notice as a sentence, for the log and the command line. */
export function describeNotice(notice: Notice): string {
  if (notice.kind === 'retry')
    return `${notice.cause} Trying ${notice.host} again in ${Math.ceil(notice.nextTryMs / 1000)} s.`;
  if (notice.kind === 'clock')
    return `This computer’s clock is ${clockDifference(notice.aheadMs)} ${notice.host}. Queries use the service’s time for “now”. Correct this computer’s clock.`;
  const { what, host, count } = notice;
  return `Couldn’t read ${count === 1 ? '1 entry' : `${count} entries`} of ${what} from ${host}. The others are shown.`;
}
