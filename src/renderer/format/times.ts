/** A running duration, in tenths at first: `0.0 s`, `0.8 s`, then as {@link formatDuration}. */
export function formatElapsed(ms: number): string {
  const seconds = Math.max(ms, 0) / 1000;
  return seconds < 9.95 ? `${seconds.toFixed(1)} s` : formatDuration(ms);
}

/** A duration: `84 ms`, `2.4 s`, `12 s`, `3 min 5 s`, `2 h 14 min`, `30 d 4 h 0 min`. */
export function formatDuration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const all = Math.round(seconds);
  if (all < 60) return `${all} s`;
  if (all < 3600) return `${Math.floor(all / 60)} min ${all % 60} s`;
  return `${all < 86_400 ? '' : `${Math.floor(all / 86_400)} d `}${Math.floor((all % 86_400) / 3600)} h ${Math.floor((all % 3600) / 60)} min`;
}

/** A remaining duration, from seconds: integers, rounded up, then as {@link formatDuration}. */
export function formatRemaining(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : formatDuration(whole * 1000);
}

let relative: Intl.RelativeTimeFormat | null = null;
const steps = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** The time since an ISO time, in the user's language: `3 days ago`. Null if it isn't a time. */
export function formatAgo(iso: string, now: number): string | null {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return null;
  const seconds = (at - now) / 1000;
  relative ??= new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
  for (const [unit, size] of steps) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return relative.format(0, 'second');
}
