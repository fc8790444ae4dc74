import type { Layout } from './layout.ts';
import type { FileRow } from './rows.ts';
import { TableFinder, type CellRow, type FoundTables } from './table-finder.ts';

const cellRow = (row: FileRow): CellRow => ({
  cells: row.texts().map((cell) => cell.trim()),
  line: row.record.line,
});

/** Watches the rows of a delimited file, from its first one on, for further tables and repeated headers. */
export class TableWatch {
  readonly #layout: Layout;
  readonly #above: CellRow[] = [];
  #header: CellRow | null = null;
  #units: CellRow | null = null;
  #finder: TableFinder | null = null;

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  add(row: FileRow): void {
    if (row.record.start >= this.#layout.dataStart) {
      const finder = this.#openFinder();
      if (row.problem === null) finder.add(row.texts(), row.record.line);
      else finder.addUnreadable(row.record.line);
    } else if (row.record.line === this.#layout.headerLine) this.#header = cellRow(row);
    else if (row.record.line === this.#layout.unitLine) this.#units = cellRow(row);
    else this.#above.push(cellRow(row));
  }

  #openFinder(): TableFinder {
    return (this.#finder ??= new TableFinder({ header: this.#header, units: this.#units }, this.#above));
  }

  /** The rows above the header. */
  get above(): readonly CellRow[] {
    return this.#above;
  }

  /** All tables, after the last row. */
  end(): FoundTables {
    return this.#openFinder().end();
  }
}
