import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCalculator } from '../../../../../src/main/core/records/calculator.ts';
import { ExportWriter } from '../../../../../src/main/core/write/export-worker.ts';
import { writeTable } from '../../../../../src/main/core/write/parquet/write-table.ts';
import { noMarks } from '../../../../../src/main/core/write/sink.ts';
import type { FinishedFile, ProgressMarks, WriterSpec } from '../../../../../src/main/core/write/spec.ts';
import type { ColumnNames } from '../../../../../src/shared/export/export.ts';
import { firstRun } from '../../../../../src/main/core/reading/cursor.ts';
import { startTables } from './jobs.ts';
import { plainSpec } from './spec.ts';

/** Options of a writer, and of the names of columns. */
export type GivenSpec = Partial<WriterSpec> & { readonly columnNames?: ColumnNames };

interface WrittenFile {
  readonly bytes: Buffer;
  readonly finished: FinishedFile;
}

/** Writes pages of records, each the text of a JSON array, to a file of a format. */
export async function writePages(
  folder: string,
  pages: readonly (string | Buffer)[],
  given: GivenSpec & Pick<WriterSpec, 'format'>,
): Promise<WrittenFile> {
  const name = `out.${given.format}`;
  const partial = join(folder, name);
  const { columnNames: names = 'dotted', ...options } = given;
  const spec = { ...plainSpec, folder, partial, name, ...options };
  const writer = new ExportWriter(spec, null, createCalculator);
  let spooled: ProgressMarks = { rows: 0, ids: 0, marks: noMarks };
  for (const page of pages) {
    const at = { ...firstRun('all', 0), seen: 1 };
    writer.read({
      at,
      content: new Uint8Array(Buffer.from(page)),
      origin: { overlaps: false, endsBelow: 0 },
    });
    spooled = writer.write();
  }
  if (given.format === 'parquet') {
    writer.close();
    const engine = startTables(undefined);
    try {
      const finished = await writeTable(engine, spec, names, spooled);
      return { bytes: readFileSync(partial), finished };
    } finally {
      await engine.close();
    }
  }
  let finished = writer.finishStep();
  while (!finished) finished = writer.finishStep();
  writer.close();
  return { bytes: readFileSync(partial), finished };
}
