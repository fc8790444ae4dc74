import type { JobProgress } from '../../../shared/jobs/jobs.ts';

const grouped = (count: number): string => Math.round(count).toLocaleString('en');

/** A time in words: "45 s", "12 min", "3 h 20 min". */
function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** How far a job is, in one line: "12,000 of 100,000 rows (12%), 5,000 rows/s, 18 s left". */
export function progressInWords({
  rows,
  totalRows,
  rate,
  secondsLeft,
  nextTryMs,
  isVerifying,
}: JobProgress): string {
  const parts = [
    totalRows === null
      ? `${grouped(rows)} rows`
      : `${grouped(rows)} of ${grouped(totalRows)} rows (${Math.floor((100 * rows) / Math.max(1, totalRows))}%)`,
  ];
  if (isVerifying) parts.push('verifying sent rows');
  else if (rate > 0) parts.push(`${grouped(rate)} rows/s`);
  if (secondsLeft !== null && !isVerifying) parts.push(`${duration(secondsLeft)} left`);
  if (nextTryMs !== null) parts.push(`trying again in ${duration(nextTryMs / 1000)}`);
  return parts.join(', ');
}
