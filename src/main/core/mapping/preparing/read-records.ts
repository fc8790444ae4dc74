import { readGroups } from '../groups.ts';
import type { RowProblem } from '../../records/targets.ts';
import type { Source } from '../../tables/tables.ts';
import { createRecordWriter } from '../record-writer.ts';
import type { Preparation } from '../preparation.ts';

interface CellsOfRow {
  readonly line: number;
  readonly cells: readonly string[];
  /** Whether a damaged row may have its cells elsewhere. */
  readonly isAmbiguous: boolean;
}

/** The rows of a record, and why it can't be sent. */
export interface RecordRows {
  readonly rows: readonly CellsOfRow[];
  readonly problems: readonly RowProblem[];
}

/**
 * Reads the first records of a file with their problems. Blocks: for worker threads.
 * @param source the file
 * @param preparation how its rows are read and converted
 * @param maxRows the maximum number of rows; a record is never cut
 * @returns the records, and whether there are further ones
 * @throws AppError file_unsuitable
 */
export function readRecords(
  source: Source,
  { fileName, layout, rules }: Preparation,
  maxRows: number,
): { readonly records: readonly RecordRows[]; readonly isCut: boolean } {
  const groups = readGroups(fileName, source, layout, rules.fold, {
    byte: layout.dataStart,
    line: layout.dataLine,
  });
  const write = createRecordWriter(rules, layout.columns.length);
  const records: RecordRows[] = [];
  let rowCount = 0;
  for (let rows = groups.next(); rows; rows = groups.next()) {
    rowCount += rows.length;
    if (rowCount > maxRows) return { records, isCut: true };
    const written = write(rows);
    records.push({
      rows: rows.map((row) => ({
        line: row.record.line,
        cells: [...row.texts()],
        isAmbiguous: row.problem !== null,
      })),
      problems: 'problems' in written ? [...written.problems] : [],
    });
  }
  return { records, isCut: false };
}
