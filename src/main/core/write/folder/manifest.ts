import { basename, join } from 'node:path';
import * as z from 'zod';
import { columnNamesStyles, type ColumnNames } from '../../../../shared/export/export.ts';
import { AppError } from '../../../../shared/errors/errors.ts';
import { readRegularIfExists } from '../../files/regular-file.ts';
import { type PartStats, tally } from '../census/tally.ts';
import { partitionPlan, type PartitionPlan } from '../census/partition.ts';

/** Names that begin with `_` are no data for Spark, Trino, Hive, and Polars. */
export const manifestName = '_manifest.json';
/** Version 1 has neither ids nor what was verified. Files of versions 1 and 2 have times in milliseconds. */
export const manifestVersion = 3;
/** About a million files. */
export const maxManifestBytes = 256_000_000;

export const partPath = z.string().regex(/^(?:[A-Za-z0-9_]+=[A-Za-z0-9_.%-]+\/)*part-[0-9a-f]+\.parquet$/);

/** A file of the folder. */
export const part = z.object({
  path: partPath,
  rows: z.int(),
  bytes: z.int(),
  sha256: z.string(),
  /** The time of its last record, in milliseconds; null: none has a time. */
  last: z.number().nullable(),
  /** The highest `_id` of its records; null: unknown. */
  id: z.string().nullable().default(null),
  /** Of its records, those that were compared with the service; absent: all. */
  early: tally.optional(),
  /** The records that the last update read, from a time on in milliseconds; absent: it read none, or all. */
  tail: z.object({ fromMs: z.number(), digest: z.string() }).optional().catch(undefined),
});
export type Part = z.infer<typeof part>;

/** What a folder is a copy of, and its files. */
export interface FolderContent {
  /** Increases with each change. */
  readonly generation: number;
  readonly service: string;
  readonly dataset: string;
  /** Query and fields as JSON; an update has the same. */
  readonly request: string;
  readonly partition: PartitionPlan;
  readonly columnNames: ColumnNames;
  readonly parts: readonly Part[];
}

/** The content of a folder of files, and of mirrors of earlier versions. */
const folderManifest = z.object({
  wellbenchFolder: z.union([z.literal(1), z.literal(2), z.literal(manifestVersion)]),
  generation: z.int(),
  job: z.string(),
  service: z.string(),
  dataset: z.string(),
  request: z.string(),
  partition: partitionPlan,
  columnNames: z.enum(columnNamesStyles),
  rows: z.int(),
  bytes: z.int(),
  /** The time of the last record, in milliseconds. */
  watermark: z.number().nullable(),
  /** Whether the records equaled those of the service when the last run ended. */
  verified: z.boolean().default(false),
  /** What the last run found to be lacking. */
  warnings: z.array(z.string()).default([]),
  /** The kinds of values by column, which determine the types of all files. */
  columns: z.array(z.object({ path: z.string(), kinds: z.int() })),
  parts: z.array(part),
});
export type FolderManifest = z.infer<typeof folderManifest>;

/** The text of a folder's manifest. */
export const manifestText = (manifest: FolderManifest): string => `${JSON.stringify(manifest, null, 2)}\n`;

/** What is known of the records of a file. */
export const statsOfPart = ({ rows, last, id, early = { rows, id } }: Part): PartStats => ({
  rows,
  last,
  id,
  early,
});

/** A file of the folder, with what is known of its records. */
export const partOf = (
  file: Pick<Part, 'path' | 'bytes' | 'sha256'>,
  { rows, last, id, early }: PartStats,
): Part => ({
  path: file.path,
  rows,
  bytes: file.bytes,
  sha256: file.sha256,
  last,
  id,
  ...(early.rows === rows ? {} : { early }),
});

/** The rows and bytes of files together. */
export const sizeOfParts = (parts: readonly Part[]): Pick<Part, 'rows' | 'bytes'> => ({
  rows: parts.reduce((sum, { rows }) => sum + rows, 0),
  bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
});

/** The manifest of a folder; null if it has none. @throws AppError `file_unreadable`, `file_too_new` */
export async function readFolderManifest(folder: string): Promise<FolderManifest | null> {
  const file = `${basename(folder)}/${manifestName}`;
  const bytes = await readRegularIfExists(join(folder, manifestName), file, maxManifestBytes);
  if (bytes === null) return null;
  try {
    const json: unknown = JSON.parse(bytes.toString('utf8'));
    const { wellbenchFolder } = z.object({ wellbenchFolder: z.int() }).parse(json);
    if (wellbenchFolder > manifestVersion)
      throw new AppError('file_too_new', { file, format: wellbenchFolder });
    return folderManifest.parse(json);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('file_unreadable', { file, reason: 'it is damaged' }, { cause: error });
  }
}
