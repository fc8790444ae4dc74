import type { TextBuffer } from './text-buffer.ts';
import { endOfValue, skipSpace } from './json-text.ts';
import { onOneLine, endOf, recordText, startOf, type ScannedPage } from './scan.ts';
import type { ZoneWriter } from './zone.ts';

export interface JsonShape {
  /** Top-level fields that were requested only for paging, and are omitted. */
  readonly omittedFields: ReadonlySet<string>;
  readonly zone: ZoneWriter | null;
}

interface Member {
  readonly key: string;
  /** From the key to the end of the value. */
  readonly text: string;
  readonly value: string;
}

/** Adds a record as one line of JSON, unchanged if possible. @throws AppError `bad_answer` for a line break inside a text */
export function addJson(lines: TextBuffer, page: ScannedPage, record: number, shape: JsonShape): void {
  if (shape.zone === null && shape.omittedFields.size === 0 && !page.hasLineEnds)
    lines.range(page.bytes, startOf(page, record), endOf(page, record));
  else lines.text(rewriteLine(onOneLine(recordText(page, record)), shape));
}

export const verbatim: JsonShape = { omittedFields: new Set(), zone: null };

function rewriteLine(line: string, { omittedFields, zone }: JsonShape): string {
  if (zone === null && omittedFields.size === 0) return line;
  const members = membersOf(line)
    .filter(({ key }) => !omittedFields.has(key))
    .map(({ key, text, value }) => {
      const time = zone?.write(key, value) ?? null;
      return time === null ? text : `${JSON.stringify(key)}:${JSON.stringify(time)}`;
    });
  return `{${members.join(',')}}`;
}

/** The members of the object in a line. The line was scanned before, so it is valid. */
function membersOf(line: string): Member[] {
  const bytes = Buffer.from(line);
  const text = (start: number, end: number): string => bytes.toString('utf8', start, end);
  const members: Member[] = [];
  let at = skipSpace(bytes, 1);
  while (bytes[at] === 34) {
    const start = at;
    const keyEnd = endOfValue(bytes, start);
    const value = skipSpace(bytes, skipSpace(bytes, keyEnd) + 1);
    const end = endOfValue(bytes, value);
    const key = String(JSON.parse(text(start, keyEnd)));
    members.push({ key, text: text(start, end), value: text(value, end) });
    at = skipSpace(bytes, skipSpace(bytes, end) + 1);
  }
  return members;
}
