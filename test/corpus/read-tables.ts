import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { conversionFiles } from '../../src/main/core/tables/conversion/converted-table.ts';
import { convert } from '../../src/main/core/tables/conversion/convert-file.ts';
import { detectFile } from '../../src/main/core/tables/conversion/detect.ts';
import type { Layout } from '../../src/main/core/tables/reading/layout.ts';
import { RowReader } from '../../src/main/core/tables/reading/rows.ts';
import { scan } from '../../src/main/core/tables/reading/scan.ts';
import { hashFile, openSource, type NamedFile } from '../../src/main/core/tables/reading/source.ts';
import { isDirectFormat } from '../../src/shared/upload/formats.ts';

/** A table as it is read without any choice of a person. */
export interface CorpusTable {
  readonly name: string;
  /** Empty: the table has no header. */
  readonly names: readonly string[];
  readonly units: readonly (string | null)[];
  /** All rows, also those that an upload would reject, such as rows with too few cells; texts as they are stored. */
  readonly rows: readonly (readonly string[])[];
}

function rowsOf(file: NamedFile, layout: Layout): string[][] {
  const source = openSource(file.path, file.fileName, file.places);
  try {
    const reader = new RowReader(source, layout, {
      byte: layout.dataStart,
      line: layout.dataLine,
    });
    const rows: string[][] = [];
    for (let row = reader.next(); row; row = reader.next()) rows.push(row.texts().map((cell) => cell.trim()));
    return rows;
  } finally {
    source.close();
  }
}

function tableOf(name: string, file: NamedFile, layout: Layout | null, isNamed: boolean): CorpusTable {
  const { layout: used, rows: count } = scan({
    ...file,
    layout,
    reading: layout ? { footerRows: 0 } : {},
    nulls: [],
    distinct: [],
  });
  return {
    name,
    names: isNamed && used.headerLine > 0 ? used.columns.map((column) => column.name) : [],
    units: used.columns.map(({ unit }) => unit),
    rows: rowsOf(file, used).slice(0, count),
  };
}

/**
 * All tables of a file, as the application reads them.
 * @param isChosen whether the first one is named, too; otherwise, the most likely one is in its place
 * @throws AppError for a file without a table
 */
export async function readTables(path: string, isChosen = false): Promise<CorpusTable[]> {
  const file = { path, fileName: basename(path) };
  const detected = await detectFile(file);
  if (isDirectFormat(detected.format) && detected.compression === null) {
    const { hasTables } = scan({ ...file, reading: {}, nulls: [], distinct: [] });
    if (!hasTables) return [tableOf(file.fileName, file, null, true)];
  }
  const context = { signal: new AbortController().signal, onRead: () => undefined };
  const tables: CorpusTable[] = [];
  for (let number = 1, count = 1; number <= count; number++) {
    const folder = mkdtempSync(join(tmpdir(), 'wellbench-corpus-'));
    try {
      const { facts, layout } = await convert(
        {
          ...file,
          detected: { ...detected, hasTables: detected.format === 'csv' },
          choice: number === 1 && !isChosen ? {} : { table: String(number) },
          folder,
          original: hashFile(file),
        },
        context,
      );
      count = facts.tables.length;
      const converted = {
        path: join(folder, conversionFiles.table),
        fileName: file.fileName,
        ...(layout ? { places: join(folder, conversionFiles.places) } : {}),
      };
      tables.push(tableOf(facts.table, converted, layout, (layout?.headerLine ?? 1) > 0));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return tables;
}
