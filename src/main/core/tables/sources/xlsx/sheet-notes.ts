import type { SourceWarning } from '../source.ts';

const messages = {
  missing: [
    'error_cells',
    (count, place) =>
      `Formulas without a stored result are read as null: ${count}, the first in row ${place}. Open and save the workbook in a spreadsheet program.`,
  ],
  hidden: [
    'hidden_rows',
    (count, place) =>
      `Hidden rows, for example those of a filter, are read too: ${count}, the first is row ${place}.`,
  ],
  merged: [
    'merged_cells',
    (count, place) =>
      `Merged cells have their value in the first cell; the others are blank: ${count}, the first in row ${place}. Unmerge and fill them in a spreadsheet program.`,
  ],
} as const satisfies Record<
  string,
  readonly [code: SourceWarning['code'], message: (count: number, place: number) => string]
>;
type Note = keyof typeof messages;
const notes: readonly Note[] = ['missing', 'hidden', 'merged'];

/** What a worksheet has that its rows don't show: how often, and where first. */
export class SheetNotes {
  readonly #found = new Map<Note, { count: number; readonly place: number }>();
  readonly #lastHeaderPlace: number;

  /** @param lastHeaderPlace the last row before the data */
  constructor(lastHeaderPlace: number) {
    this.#lastHeaderPlace = lastHeaderPlace;
  }

  /** @param place the row, from 1 */
  add(note: Note, place: number): void {
    if (place <= this.#lastHeaderPlace) return;
    const entry = this.#found.get(note);
    if (entry) entry.count++;
    else this.#found.set(note, { count: 1, place });
  }

  /** @param text the XML behind the rows, which lists the merged cells */
  addMerged(text: string): void {
    const ranges = text.matchAll(/<(?:[\w.-]+:)?mergeCell\b[^<>]*\bref="[A-Z]+(\d+):[A-Z]+\d+"/g);
    const places = [...ranges].map(([, row]) => Number(row));
    for (const place of places.toSorted((a, b) => a - b)) this.add('merged', place);
  }

  warnings(table: number): SourceWarning[] {
    return notes.flatMap((note) => {
      const entry = this.#found.get(note);
      if (!entry) return [];
      const [code, message] = messages[note];
      const { count, place } = entry;
      return [{ code, message: message(count, place), place, table, count }];
    });
  }
}
