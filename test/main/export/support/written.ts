import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExportWriter } from '../../../../src/main/export/writing/export-writer.ts';
import type { FinishedFile, WriterSpec } from '../../../../src/main/export/writing/spec.ts';
import { firstRun } from '../../../../src/main/paging/cursor.ts';
import { plainSpec } from './spec.ts';

interface WrittenFile {
  readonly bytes: Buffer;
  readonly finished: FinishedFile;
}

/** Writes pages of records, each the text of a JSON array, to a file of a format. */
export async function writePages(
  folder: string,
  pages: readonly string[],
  given: Partial<WriterSpec> & Pick<WriterSpec, 'format'>,
): Promise<WrittenFile> {
  const name = `out.${given.format}`;
  const partial = join(folder, name);
  const writer = new ExportWriter({ ...plainSpec, folder, partial, name, ...given }, null);
  for (const page of pages)
    writer.write({ ...firstRun('all', 0), seen: 1 }, page, { overlaps: false, endsBelow: 0 });
  let step = await writer.finishStep();
  while (!('sha256' in step)) step = await writer.finishStep();
  writer.close();
  return { bytes: readFileSync(partial), finished: step };
}
