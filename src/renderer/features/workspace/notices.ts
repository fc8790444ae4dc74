import type { RetryNotice } from '../../../shared/workspace/workspace.ts';

export interface TimedNotice {
  readonly notice: RetryNotice;
  /** When the next try begins, in Unix milliseconds. */
  readonly at: number;
}

/** The notices with a newer one, which replaces that of the same service at the same host. */
export function addNotice(notices: readonly TimedNotice[], notice: RetryNotice, now: number): TimedNotice[] {
  const others = withoutExpired(notices, now).filter(
    ({ notice: { service, host } }) => service !== notice.service || host !== notice.host,
  );
  return [...others, { notice, at: now + notice.nextTryMs }];
}

/** The notices whose next try is still to come. */
export function withoutExpired(notices: readonly TimedNotice[], now: number): TimedNotice[] {
  return notices.filter(({ at }) => at > now);
}

/** Whole seconds until the next try, rounded up; never negative. */
export function secondsUntil(at: number, now: number): number {
  return Math.max(Math.ceil((at - now) / 1000), 0);
}
