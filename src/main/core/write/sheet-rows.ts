import type { NullValues } from '../../../shared/export/export.ts';
import type { Columns } from '../records/columns.ts';
import { TextBuffer } from '../records/text-buffer.ts';
import { isNullAt } from '../records/null-values.ts';
import { leafFrom, leafTo, textIn, type ScannedPage } from '../records/scanned-page.ts';
import type { ZoneWriter } from '../records/zone.ts';
import { cellStyles, columnLetters, maxCellLength, textCell } from './workbook.ts';

/** Excel shows no more digits of a number. */
const maxDigits = 15;
const dayMs = 86_400_000;
/** Days from December 30, 1899, to January 1, 1970. */
const epochDays = 25_569;
/** March 1, 1900, before which Excel counts a day that didn't exist; and December 31, 9999. */
const serials = { min: 61, end: 2_958_466 };
const quote = 34;
/** Characters of a day in JSON, which has no time of day. */
const dayLength = '"2026-01-31"'.length;

/** Writes records as rows of a sheet, with fixed columns. */
export class SheetRows {
  readonly #columns: Columns;
  readonly #paths: readonly string[];
  readonly #zone: ZoneWriter;
  readonly #blanksNulls: boolean;
  /** The column in the sheet of each column of the records. */
  readonly #positions: readonly number[];
  readonly #letters: readonly string[];
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  readonly #lines = new TextBuffer();
  #shortened = 0;

  constructor(
    columns: Columns,
    paths: readonly string[],
    { zone, nullValues }: { readonly zone: ZoneWriter; readonly nullValues: NullValues },
  ) {
    this.#blanksNulls = nullValues === 'blank';
    this.#columns = columns;
    this.#paths = paths;
    this.#zone = zone;
    const positions: number[] = [];
    paths.forEach((path, position) => {
      positions[columns.numberOf(path)] = position;
    });
    this.#positions = positions;
    this.#letters = paths.map((_, position) => columnLetters(position));
    this.#starts = new Int32Array(paths.length);
    this.#ends = new Int32Array(paths.length);
  }

  /** Number of texts that were longer than a cell. */
  get shortened(): number {
    return this.#shortened;
  }

  /** The length of the longest value of each column in a page, in bytes. */
  measure(page: ScannedPage): number[] {
    const lengths = this.#paths.map(() => 0);
    for (let record = 0; record < page.count; record += 1) {
      this.#locate(page, record);
      lengths.forEach((longest, at) => {
        const start = this.#starts[at] ?? -1;
        if (start >= 0) lengths[at] = Math.max(longest, (this.#ends[at] ?? 0) - start);
      });
    }
    return lengths;
  }

  /**
   * Adds the row of a record.
   * @param row its number, from 1
   * @param emit receives its bytes, which are valid during the call
   */
  add(row: number, page: ScannedPage, record: number, emit: (bytes: Uint8Array) => void): void {
    const lines = this.#lines;
    this.#locate(page, record);
    lines.text(`<row r="${row}">`);
    for (let at = 0; at < this.#paths.length; at += 1) {
      const start = this.#starts[at] ?? -1;
      if (start >= 0 && page.bytes[start] !== 110)
        this.#addCell(`${this.#letters[at]}${row}`, this.#paths[at] ?? '', page, start, this.#ends[at] ?? 0);
    }
    lines.text('</row>');
    emit(lines.take());
  }

  #addCell(place: string, path: string, page: ScannedPage, start: number, end: number): void {
    const lines = this.#lines;
    const json = textIn(page, start, end);
    const local = this.#zone.local(path, json);
    if (local !== null) {
      const serial = local / dayMs + epochDays;
      const timeStyle = local % 1000 === 0 ? cellStyles.time : cellStyles.timeMs;
      const style = end - start === dayLength ? cellStyles.day : timeStyle;
      if (serial >= serials.min && serial < serials.end)
        lines.text(`<c r="${place}" s="${style}"><v>${serial}</v></c>`);
      else this.#addText(place, this.#zone.write(path, json) ?? String(JSON.parse(json)));
      return;
    }
    switch (page.bytes[start] ?? 0) {
      case quote:
        this.#addText(place, String(JSON.parse(json)));
        return;
      case 116:
      case 102:
        lines.text(`<c r="${place}" t="b"><v>${json === 'true' ? 1 : 0}</v></c>`);
        return;
      case 91:
      case 123:
        this.#addText(place, json);
        return;
      default:
        if (this.#blanksNulls && isNullAt(page, start, end)) return;
        if (isExactInSheet(json)) lines.text(`<c r="${place}"><v>${json}</v></c>`);
        else this.#addText(place, json);
    }
  }

  #addText(place: string, text: string): void {
    if (text.length > maxCellLength) this.#shortened += 1;
    this.#lines.text(textCell(place, text.slice(0, maxCellLength)));
  }

  /** Finds the positions of each column's value in the page. */
  #locate(page: ScannedPage, record: number): void {
    const { leaves } = page;
    this.#starts.fill(-1);
    const to = leafTo(page, record);
    for (let leaf = leafFrom(page, record); leaf < to; leaf += 3) {
      const position = this.#positions[this.#columns.of(leaves[leaf] ?? 0)] ?? -1;
      if (position < 0) continue;
      this.#starts[position] = leaves[leaf + 1] ?? 0;
      this.#ends[position] = leaves[leaf + 2] ?? 0;
    }
  }
}

/** Whether a number is one whose whole part a sheet shows with all its digits; a long integer is an id and becomes a text. */
function isExactInSheet(json: string): boolean {
  const digits = /^-?(\d+)(?:\.\d+)?$/.exec(json)?.[1]?.length ?? 0;
  return digits <= maxDigits && Number.isFinite(Number(json));
}
