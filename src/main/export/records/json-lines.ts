import { recordText, type ScannedPage } from './scan.ts';
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

/** The JSON text of a record on one line: as it came, unless something of it must be changed. */
export function jsonLine(page: ScannedPage, record: number, { without, zone }: JsonShape): string {
  const line = onOneLine(recordText(page, record));
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
  const members: Member[] = [];
  let at = behindSpace(line, 1);
  while (line.charCodeAt(at) === 34) {
    const start = at;
    const keyEnd = endOfValue(line, start);
    const value = behindSpace(line, behindSpace(line, keyEnd) + 1);
    const end = endOfValue(line, value);
    const key = String(JSON.parse(line.slice(start, keyEnd)));
    members.push({ key, text: line.slice(start, end), value: line.slice(value, end) });
    at = behindSpace(line, behindSpace(line, end) + 1);
  }
  return members;
}

function behindSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}
