import type { Result } from './results.ts';

/** Whether more records match than were requested, as far as known. */
export const isLimited = ({ isUnlimited, limit, records }: Result): boolean =>
  !isUnlimited && limit !== null && records >= limit;

/** Whether these rows are all matching records: none were skipped, none remain. */
export function isCompleteResult(result: Result, rows: number): boolean {
  const { asked, held } = result;
  const { rows: reach, isComplete } = held.shape();
  const skips = 'skip' in asked.request ? asked.request.skip : 0;
  return isComplete && rows >= reach && skips === 0 && !isLimited(result);
}
