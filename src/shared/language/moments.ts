import { DateTime, FixedOffsetZone, IANAZone, type DurationLikeObject, type Zone } from 'luxon';
import { isZoneName } from '../instants.ts';
import { nearestWord } from './nearest.ts';

const units = {
  s: 'seconds',
  m: 'minutes',
  h: 'hours',
  d: 'days',
  w: 'weeks',
  mo: 'months',
  y: 'years',
} as const;
type Unit = keyof typeof units;
const unitNames = Object.keys(units).join(', ');

/** A point in time relative to now, such as `now-24h` or `today-7d@America/Chicago`. */
export interface Moment {
  /** `today` is the first moment of the day in the zone. */
  readonly base: 'now' | 'today';
  readonly shifts: readonly { readonly amount: number; readonly unit: Unit }[];
  /** The zone of `today` and of days, weeks, months, and years, as written; null: the user's. */
  readonly zone: string | null;
}

/** Maximum number of shifts: `now-1d-2h` has two. */
const maxShifts = 20;

// Read piece by piece: one expression for the whole form would try each way to divide the spaces.
const base = /\s*(now|today)/iy;
const shift = /\s*([+-])\s*(\d+)(?:\s*([a-z]+))?/iy;
const zonePart = /\s*(?:@\s*(.*))?$/isy;

function execAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** The zone of an IANA name, `UTC`, or an offset such as `+02:00`; undefined if invalid. */
export function zoneOf(name: string): Zone | undefined {
  if (/^(?:utc|z)$/i.test(name)) return FixedOffsetZone.utcInstance;
  const offset = /^(?:UTC)?([+-])(\d{1,2})(?::?(\d{2}))?$/i.exec(name);
  if (offset) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3] ?? 0);
    return minutes <= 18 * 60 ? FixedOffsetZone.instance(offset[1] === '-' ? -minutes : minutes) : undefined;
  }
  return isZoneName(name) ? IANAZone.create(name) : undefined;
}

const isUnit = (text: string): text is Unit => Object.hasOwn(units, text);

function readShift([source, sign, digits, unit = '']: RegExpExecArray): Moment['shifts'][number] | string {
  const unitName = unit === 'M' ? unit : unit.toLowerCase();
  if (isUnit(unitName)) return { amount: Number(digits) * (sign === '-' ? -1 : 1), unit: unitName };
  return unit === ''
    ? `${source.trim()} has no unit. Add one of ${unitNames} after it.`
    : `${unit} isn’t a unit of time. Use one of ${unitNames}.`;
}

/** Parses a moment; a returned string is the problem; undefined if the text doesn't have its form. */
export function parseMoment(text: string): Moment | string | undefined {
  const start = execAt(base, text, 0);
  if (!start) return undefined;
  const shifts: (Moment['shifts'][number] | string)[] = [];
  let at = base.lastIndex;
  for (let next = execAt(shift, text, at); next; next = execAt(shift, text, at)) {
    if (shifts.length === maxShifts) return `A time has at most ${maxShifts} shifts. Add them up.`;
    shifts.push(readShift(next));
    at = shift.lastIndex;
  }
  const end = execAt(zonePart, text, at);
  if (!end) return undefined;
  const problem = shifts.find((item) => typeof item === 'string');
  if (problem !== undefined) return problem;
  const zone = end[1]?.trim();
  if (zone !== undefined && !zoneOf(zone))
    return `${zone || 'Nothing after @'} isn’t a time zone. Use one such as America/Chicago, UTC, or +02:00.`;
  return {
    base: start[1]?.toLowerCase() === 'today' ? 'today' : 'now',
    shifts: shifts.filter((item) => typeof item !== 'string'),
    zone: zone ?? null,
  };
}

/** Whether a moment is another one in another zone of the user. */
export const dependsOnZone = ({ base, shifts, zone }: Moment): boolean =>
  zone === null && (base === 'today' || shifts.some(({ unit }) => !['s', 'm', 'h'].includes(unit)));

/** The moment that a text such as `yesterday` or `noww` probably means. */
export function suggestMoment(text: string): string | undefined {
  if (/^yesterday\b/i.test(text)) return 'today-1d';
  if (/^tomorrow\b/i.test(text)) return 'today+1d';
  return nearestWord(text.replace(/[^a-z].*$/is, ''), ['now', 'today']);
}

/**
 * Unix milliseconds of a moment. Hours and smaller units are exact; days and larger ones follow the calendar,
 * so 24 hours and one day differ when clocks change.
 * @param now current time in Unix milliseconds
 * @param personZone the zone if the moment has none
 * @returns undefined beyond the range of dates
 */
export function millisecondsOfMoment(
  { base, shifts, zone }: Moment,
  now: number,
  personZone: string,
): number | undefined {
  const at = DateTime.fromMillis(now, { zone: zoneOf(zone ?? personZone) ?? FixedOffsetZone.utcInstance });
  // Where clocks are set back at midnight, a day has two beginnings.
  let moment = base === 'today' ? (at.startOf('day').getPossibleOffsets()[0] ?? at) : at;
  for (const { amount, unit } of shifts) {
    const change: DurationLikeObject = { [units[unit]]: amount };
    moment = moment.plus(change);
  }
  return moment.isValid ? moment.toMillis() : undefined;
}
