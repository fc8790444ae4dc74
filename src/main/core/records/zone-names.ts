import { bracketedEnd } from '../../../shared/channels/units.ts';
import { isZoneName } from '../../../shared/instants.ts';

const offsetPattern = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?$/i;

/** Minutes east of UTC of an offset such as `+03:00` or `UTC-5`; null if it isn't an offset. */
export function offsetMinutes(text: string): number | null {
  if (/^(?:UTC|GMT|Z)$/i.test(text)) return 0;
  const match = offsetPattern.exec(text);
  if (!match) return null;
  const hours = Number(match[2]);
  const minutes = Number(match[3] ?? 0);
  if (hours > 18 || minutes > 59) return null;
  return (match[1] === '-' ? -1 : 1) * (hours * 60 + minutes);
}

/** Whether a text is a zone: an IANA name, an offset, or UTC. */
export const isZone = (text: string): boolean => offsetMinutes(text) !== null || isZoneName(text);

/** Zones with daylight saving time in the tz database, which loggers also write for one offset all year. */
const seasonalNames = /^(?:CET|EET|MET|WET)$/i;

/** Whether a text in the header of a file is beyond doubt a time zone. */
const isZoneOfFile = (text: string): boolean => isZone(text) && !seasonalNames.test(text);

/** `Time UTC`, `time_utc`, `DateTimeUTC`; not a part of a word. */
const utcInName = /(?:(?<![A-Za-z])(?:UTC|GMT|Utc|Gmt|utc|gmt)|(?<=[a-z])(?:UTC|GMT))(?![A-Za-z])/;
/** What is behind UTC in `UTC-6`, `UTC +05:30`, `UTC+5.5`, `UTC-6h`. */
const offsetInName =
  /^ ?([+-]\d{1,2})(?:(:?\d\d)|[.,](25|50?|75))? ?(?:h|hrs?|hours?)?(?![A-Za-z\d]|[.,:]\d)/i;
/** An offset anywhere in a name, and a number behind UTC; that in `time_utc_2` counts names. */
const strayOffset = /(?:(?<!\w)|UTC|GMT)[+±-] ?\d|(?<![a-z])(?:plus|minus|offset|ahead|behind|etc\/)/i;
const strayNumber = /^[^A-Za-z\d_)\],;]*\d/;

/** A name whose signs before digits are those of offsets: `UTC−6`, `UTC minus 6`, and `UTC ±0` have others. */
const withPlainSigns = (name: string): string =>
  name
    .normalize('NFKC')
    .replaceAll(/(?:[\p{Pd}−]|minus)\s?(?=\d)/giu, '-')
    .replaceAll(/(?:\+|plus|(?:±|\+\/-)\s?(?=[0:]+(?![\d.,:])))\s?(?=\d)/gi, '+');

/**
 * The time zone in the name of a column, in brackets or as UTC or GMT with an offset; null: none, or an offset that
 * can't be read.
 */
export function zoneInName(name: string): string | null {
  const text = withPlainSigns(name);
  const inside = bracketedEnd(text)?.inside;
  if (inside !== undefined && isZoneOfFile(inside)) return inside;
  const utc = utcInName.exec(text);
  if (!utc) return null;
  const behind = text.slice(utc.index + utc[0].length);
  const [offset = '', hours = '', minutes = '', share] = offsetInName.exec(behind) ?? [];
  const rest = `${text.slice(0, utc.index)} ${behind.slice(offset.length)}`;
  if (strayOffset.test(rest) || (offset === '' && strayNumber.test(behind))) return null;
  const part = share === undefined ? minutes : `:${Number(`.${share}`) * 60}`;
  const zone = `${utc[0].toUpperCase()}${hours}${part}`;
  return isZone(zone) ? zone : null;
}

interface NamedColumn {
  readonly name: string;
  readonly unit: string | null;
}

/** The field that a column is named after, and its unit: exports for Excel have `data.rop (ft/h)`. */
export function namedField({ name, unit }: NamedColumn): {
  readonly field: string;
  readonly unit: string | null;
} {
  const { field, inName } = /^(?<field>\S+) \((?<inName>[^()]+)\)$/.exec(name)?.groups ?? {};
  return field === undefined || inName === undefined
    ? { field: name, unit }
    : { field, unit: unit ?? inName };
}

/**
 * The time zone that a file names for a column of times or those joined to it, as the unit or in the name; undefined:
 * none.
 */
export function zoneOfColumns(columns: readonly (NamedColumn | undefined)[]): string | undefined {
  const zones = columns.flatMap((column) => {
    if (!column) return [];
    const { unit } = namedField(column);
    const ofUnit = unit === null || isZoneOfFile(unit) ? unit : zoneInName(unit);
    return ofUnit ?? zoneInName(column.name) ?? [];
  });
  return zones[0];
}
