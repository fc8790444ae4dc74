import type { PathTree } from '../records/paths.ts';
import { csvForm } from '../records/csv-form.ts';
import { createZoneWriter } from '../records/zone.ts';
import { CsvSink } from './csv-sink.ts';
import type { GrowingFile } from './growing-file.ts';
import { JsonSink } from './json-sink.ts';
import { ParquetSink } from './parquet-sink.ts';
import type { Marks, Sink } from './sink.ts';
import type { WriterSpec } from './spec.ts';
import { Spool } from './spool.ts';

export const spoolName = 'spool.ndjson';

interface SinkFiles {
  readonly tree: PathTree;
  readonly file: GrowingFile;
  /** How far the files go. */
  readonly marks: Marks;
  /** Opens a file in the job's folder. */
  readonly inFolder: (name: string, length: number) => GrowingFile;
}

/** The sink for a format. */
export function openSink(
  { format, csv, fields, timeZone, without }: WriterSpec,
  { tree, file, marks, inFolder }: SinkFiles,
): Sink {
  const zone = timeZone === null ? null : createZoneWriter(timeZone);
  if (format === 'ndjson' || format === 'json') {
    return new JsonSink(file, { without: new Set(without), zone }, { array: format === 'json' });
  }
  const spool = new Spool(inFolder(spoolName, marks.spool));
  return format === 'parquet'
    ? new ParquetSink({ file, spool }, { fields, zone })
    : new CsvSink({ file, spool }, { tree, fields, zone, form: csvForm(csv) }, marks.columns);
}
