import type { Where } from './reader.ts';

const isoText =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:Z|([+-])(\d{2}):?(\d{2})?)?)?$/i;

const at = (groups: (string | undefined)[], index: number): number => Number(groups[index] ?? 0);

/**
 * Unix milliseconds of an ISO 8601 date, or date and time; without an offset, UTC. Undefined for other text,
 * an invalid day or hour, or a precision below a millisecond.
 */
export function millisecondsOf(text: string): number | undefined {
  const groups: (string | undefined)[] | null = isoText.exec(text.trim());
  if (!groups) return undefined;
  const fraction = groups[7] ?? '';
  if (/[1-9]/.test(fraction.slice(3))) return undefined;
  const [year, month, day] = [at(groups, 1), at(groups, 2), at(groups, 3)];
  const [hour, minute, second] = [at(groups, 4), at(groups, 5), at(groups, 6)];
  const [offsetHours, offsetMinutes] = [at(groups, 9), at(groups, 10)];
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 18 || offsetMinutes > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hour, minute, second, Number(fraction.slice(0, 3).padEnd(3, '0')));
  const offset = (offsetHours * 60 + offsetMinutes) * 60_000 * (groups[8] === '-' ? -1 : 1);
  return date.getTime() - offset;
}

/**
 * Whether a field has ISO text instead of Unix milliseconds: `datetime`, at any depth (specification, section
 * 2.1).
 */
export function holdsIsoText(field: string | null): boolean {
  return field !== null && (field === 'datetime' || field.endsWith('.datetime'));
}

/** A date in the form of its place: Unix milliseconds, or ISO 8601 text for a field `datetime`. */
export function dateAt(ms: number, where: Where): number | string {
  return holdsIsoText(where.field) ? new Date(ms).toISOString() : ms;
}
