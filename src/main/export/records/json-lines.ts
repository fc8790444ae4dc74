import type { Lines } from './lines.ts';
import { endOf, recordText, startOf, type ScannedPage } from './scan.ts';
import { endOfValue, isSpace, onOneLine } from './tokens.ts';
import { timeFields, type ZoneWriter } from './zone.ts';

/** How records are written as JSON. */
export interface JsonShape {
  /** Top-level fields that were asked for only so that pages could be cut: taken out again. */
  readonly without: ReadonlySet<string>;
  readonly zone: ZoneWriter | null;
}

interface Member {
  readonly key: string;
  /** From the key to behind the value. */
  readonly text: string;
  readonly value: string;
}

/** Adds the JSON text of a record on one line: as it came, unless something of it must be changed. */
export function addJson(lines: Lines, page: ScannedPage, record: number, shape: JsonShape): void {
  if (shape.zone === null && shape.without.size === 0 && !page.hasLineEnds)
    lines.range(page.bytes, startOf(page, record), endOf(page, record));
  else lines.text(changed(onOneLine(recordText(page, record)), shape));
}

/** What a record is when nothing of it is to be changed. */
export const asItCame: JsonShape = { without: new Set(), zone: null };

function changed(line: string, { without, zone }: JsonShape): string {
  if (zone === null && without.size === 0) return line;
  const members = membersOf(line)
    .filter(({ key }) => !without.has(key))
    .map(({ key, text, value }) => {
      const time = zone !== null && timeFields.has(key) ? zone.write(value) : null;
      return time === null ? text : `${JSON.stringify(key)}:${JSON.stringify(time)}`;
    });
  return `{${members.join(',')}}`;
}

/** The members of the object that a line holds. The line was scanned before, so it is known to be one. */
function membersOf(line: string): Member[] {
  const bytes = Buffer.from(line);
  const text = (start: number, end: number): string => bytes.toString('utf8', start, end);
  const members: Member[] = [];
  let at = behindSpace(bytes, 1);
  while (bytes[at] === 34) {
    const start = at;
    const keyEnd = endOfValue(bytes, start);
    const value = behindSpace(bytes, behindSpace(bytes, keyEnd) + 1);
    const end = endOfValue(bytes, value);
    const key = String(JSON.parse(text(start, keyEnd)));
    members.push({ key, text: text(start, end), value: text(value, end) });
    at = behindSpace(bytes, behindSpace(bytes, end) + 1);
  }
  return members;
}

function behindSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isSpace(bytes[at])) at += 1;
  return at;
}
