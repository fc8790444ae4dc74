import { isZone, localZone, offsetAt, offsetText, zoneNames } from './zoned.ts';

export interface FoundZone {
  readonly zone: string;
  /** Its other name: `Central Standard Time, −06:00`; absent for an empty search. */
  readonly note?: string;
}

/** Zones of oil and gas regions: they come first among several matches. */
const usualZones = [
  'America/Chicago',
  'America/Denver',
  'America/New_York',
  'America/Los_Angeles',
  'America/Anchorage',
  'America/Edmonton',
  'America/Mexico_City',
  'America/Argentina/Buenos_Aires',
  'Europe/London',
  'Europe/Oslo',
  'Asia/Riyadh',
  'Asia/Dubai',
  'Australia/Perth',
];

/** Places of the industry that the time zone database doesn't name. */
const places: Readonly<Record<string, readonly string[]>> = {
  'America/Chicago': [
    'Houston',
    'Dallas',
    'Fort Worth',
    'Midland',
    'Odessa',
    'San Antonio',
    'Austin',
    'Corpus Christi',
    'Oklahoma City',
    'Tulsa',
    'New Orleans',
    'Lafayette',
    'Williston',
    'Bismarck',
    'Texas',
    'Oklahoma',
    'Louisiana',
  ],
  'America/Denver': [
    'Farmington',
    'Casper',
    'Carlsbad',
    'Salt Lake City',
    'Colorado',
    'Wyoming',
    'New Mexico',
  ],
  'America/New_York': ['Pittsburgh', 'Pennsylvania', 'Ohio', 'West Virginia'],
  'America/Los_Angeles': ['Bakersfield', 'California'],
  'America/Anchorage': ['Alaska', 'Prudhoe Bay'],
  'America/Edmonton': ['Calgary', 'Alberta'],
  'America/St_Johns': ['Newfoundland'],
  'America/Mexico_City': ['Villahermosa'],
  'America/Argentina/Salta': ['Neuquén', 'Vaca Muerta'],
  'America/Sao_Paulo': ['Rio de Janeiro', 'Macaé'],
  'Europe/London': ['Aberdeen'],
  'Europe/Oslo': ['Stavanger', 'Bergen'],
  'Asia/Dubai': ['Abu Dhabi', 'Muscat'],
  'Asia/Riyadh': ['Dhahran', 'Dammam'],
  'Asia/Baghdad': ['Basra'],
  'Africa/Lagos': ['Port Harcourt'],
};

const orderedZones = (): string[] => [...new Set(['UTC', localZone(), ...usualZones, ...zoneNames()])];

interface SearchableZone {
  readonly zone: string;
  readonly note: string;
  /** Standard time and summer time, in milliseconds ahead of UTC. */
  readonly offsets: ReadonlySet<number>;
  /** Names and abbreviations, in lowercase. */
  readonly names: readonly string[];
}

const plain = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('_', ' ').toLowerCase();

/** `Central Standard Time`: CST and CT; `Central European Standard Time`: also CET. */
function namesOf(name: string): string[] {
  const initials = (text: string) => text.replaceAll(/(\p{L})\p{L}*\s*/gu, '$1');
  const short = name.replace(/(?:Standard|Daylight) /, '');
  return [name, short, short.replace(/ Time$/, ''), initials(name), initials(short)];
}

let cachedZones: readonly SearchableZone[] | null = null;

/** All zones with their names; created on the first search, because it takes a tenth of a second. */
function searchableZones(): readonly SearchableZone[] {
  if (cachedZones) return cachedZones;
  const year = new Date().getUTCFullYear();
  const days = [Date.UTC(year, 0, 15), Date.UTC(year, 6, 15)];
  cachedZones = orderedZones().map((zone): SearchableZone => {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'long' });
    const names = days.map(
      (day) => format.formatToParts(day).find(({ type }) => type === 'timeZoneName')?.value ?? '',
    );
    const offsets = days.map((day) => offsetAt(day, zone));
    // Standard time has the smaller offset of both seasons.
    const standard = (offsets[0] ?? 0) <= (offsets[1] ?? 0) ? 0 : 1;
    const cities = places[zone] ?? [];
    return {
      zone,
      note: `${names[standard] ?? ''}, ${offsetText(offsets[standard] ?? 0)}`,
      offsets: new Set(offsets),
      names: [zone, ...names.flatMap(namesOf), ...cities].map(plain),
    };
  });
  return cachedZones;
}

const offsetPattern = /^(?:utc|gmt)?\s*([+\-−])\s*(\d{1,2})(?::?(\d{2}))?$/i;

/** A typed offset, in milliseconds ahead of UTC; null: not an offset. */
function typedOffset(text: string): number | null {
  const [, sign, hours = '', minutes = '0'] = offsetPattern.exec(text) ?? [];
  if (sign === undefined || Number(hours) > 14 || Number(minutes) > 59) return null;
  return (sign === '+' ? 1 : -1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** How well a text matches a zone: 0 is best; null: no match. */
function fit({ names }: SearchableZone, wanted: string): number | null {
  if (names.includes(wanted)) return 0;
  if (names.some((name) => name.startsWith(wanted) || name.includes(`/${wanted}`))) return 1;
  return names.some((name) => name.includes(wanted)) ? 2 : null;
}

/**
 * The zones that match a text: by name, a place in the zone, the name of its time, an abbreviation, or an offset such
 * as `-06:00`. All zones for an empty text.
 */
export function findZones(typed: string): readonly FoundZone[] {
  const wanted = plain(typed.trim());
  if (wanted === '') return orderedZones().map((zone) => ({ zone }));
  const offset = typedOffset(wanted);
  const ranked = searchableZones().flatMap((zone) => {
    const rank = offset === null ? fit(zone, wanted) : zone.offsets.has(offset) ? 0 : null;
    return rank === null ? [] : [{ zone, rank }];
  });
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ zone: { zone, note } }) => ({ zone, note }));
}

/** The zone for a complete text: an offset or the name of a zone, else the first match. */
export function typedZone(typed: string): string {
  const text = typed.trim();
  const offset = typedOffset(plain(text));
  if (offset !== null) return offsetText(offset).replace('−', '-');
  if (text.length < 2 || (text.includes('/') && isZone(text))) return text;
  return searchableZones().find((zone) => fit(zone, plain(text)) === 0)?.zone ?? text;
}
