import { basename, join } from 'node:path';
import * as z from 'zod';
import { AppError, invalidInput } from '../../../../shared/errors/errors.ts';
import { columnNamesStyles } from '../../../../shared/export/export.ts';
import { isMissing, readFailureReason } from '../../files/file-errors.ts';
import type { About } from '../../records/about.ts';
import { partitionPlan, partitionValues } from '../census/partition.ts';
import { statsSum, tally, type PartStats } from '../census/tally.ts';
import {
  encodedPath,
  ownProtocol,
  isOwnWriter,
  writerOf,
  type Action,
  type AddFile,
  type MetaData,
  unwrittenFeatures,
} from '../delta/actions.ts';
import { commitChange, readSnapshot, type ReadCheckpoint, type Snapshot } from '../delta/snapshot.ts';
import type { DeltaColumn, DeltaType } from '../delta/schema.ts';
import { tableColumn, type GrownColumns } from './table-columns.ts';
import { stat } from '../../../world/files.ts';
import { wallMs } from '../../../world/time.ts';
import { randomUUID } from '../../../world/random.ts';
import type { Column } from '../../records/columns.ts';

const partPath = z.string().regex(/^(?:[A-Za-z0-9_]+=[A-Za-z0-9_.%-]+\/)*part-[0-9a-f]+\.parquet$/);

/** A file of the folder. */
const part = z.object({
  path: partPath,
  bytes: z.int(),
  sha256: z.string(),
  /** The time of its last record, in milliseconds; null: none has a time. */
  last: z.number().nullable(),
  ...tally.shape,
  /** Of its records, those that were compared with the service; absent: all. */
  early: tally.optional(),
  /** The records that the last update read, from a time on in milliseconds; absent: it read none, or all. */
  tail: z.object({ fromMs: z.number(), digest: z.string() }).optional(),
});
export type FolderFile = z.infer<typeof part>;

/** What is known of the records of a file. */
export const statsOfPart = ({ rows, last, id, times, early }: FolderFile): PartStats => {
  const stats = { rows, id, times };
  return { ...stats, last, early: early ?? stats };
};

/** A file of the folder, with what is known of its records. */
export const partOf = (
  { path, bytes, sha256 }: Pick<FolderFile, 'path' | 'bytes' | 'sha256'>,
  { early, ...stats }: PartStats,
): FolderFile => ({ path, bytes, sha256, ...stats, ...(early.rows === stats.rows ? {} : { early }) });

/** The rows and bytes of files together. */
export const sizeOfParts = (parts: readonly FolderFile[]): Pick<FolderFile, 'rows' | 'bytes'> => ({
  rows: parts.reduce((sum, { rows }) => sum + rows, 0),
  bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
});

/** What a table is of, in the configuration of its metadata. */
const about = z.object({
  service: z.string(),
  dataset: z.string(),
  /** Query and fields as JSON; an update has the same. */
  request: z.string(),
  partition: partitionPlan,
  columnNames: z.enum(columnNamesStyles),
  columns: z.array(tableColumn),
});
export type TableAbout = z.infer<typeof about>;

/** A folder that is a table of Delta, at one version. */
export interface TableState extends TableAbout {
  readonly snapshot: Snapshot;
  /** Increases with each change. */
  readonly generation: number;
  readonly parts: readonly FolderFile[];
}

const aboutKey = 'wellbench.table';

/** The tag of a file, with what is known of its records. */
const tagName = 'wellbench';
const partTag = part.omit({ path: true, bytes: true });

const jsonOf = (text: string | null | undefined): unknown => (text ? JSON.parse(text) : undefined);

const tagOf = (of: FolderFile): string => JSON.stringify(partTag.parse(of));

/** A table from its log; null: Wellbench didn't write it. Files that other programs wrote are left out. */
function stateOf(snapshot: Snapshot): TableState | null {
  const aboutTable = about.safeParse(jsonOf(snapshot.metaData.configuration?.[aboutKey])).data;
  if (!aboutTable) return null;
  const parts = [...snapshot.files].flatMap(([path, { size, tags }]) => {
    const tag = partTag.safeParse(jsonOf(tags?.[tagName])).data;
    const partFacts = tag && part.safeParse({ ...tag, path, bytes: size }).data;
    return partFacts ?? [];
  });
  const inOrder = parts.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return { ...aboutTable, generation: snapshot.version + 1, snapshot, parts: inOrder };
}

/**
 * Reads the table in a folder, to change it.
 * @param path its folder
 * @returns null if it has none
 * @throws AppError `file_exists` for a table that Wellbench didn't write, `table_unsupported`, `file_unreadable`
 */
export async function readTable(path: string, readCheckpoint: ReadCheckpoint): Promise<TableState | null> {
  const snapshot = await readSnapshot(path, readCheckpoint);
  if (!snapshot) return null;
  const file = basename(path);
  let state: TableState | null;
  try {
    state = stateOf(snapshot);
  } catch (error) {
    throw new AppError('file_unreadable', { file, reason: 'its log is damaged' }, { cause: error });
  }
  if (!state) throw new AppError('file_exists', { file });
  const features = unwrittenFeatures(snapshot.protocol, snapshot.metaData);
  if (features.length > 0) throw new AppError('table_unsupported', { table: file, use: 'update', features });
  return state;
}

/**
 * Those of a folder's files that were removed from it, or that another program changed.
 * @throws AppError `file_unreadable` if the drive doesn't say
 */
export async function lostParts(folder: string, parts: readonly FolderFile[]): Promise<FolderFile[]> {
  const lost: FolderFile[] = [];
  for (const part of parts) {
    const size = await stat(join(folder, part.path)).then(
      (file) => file.size,
      (error: unknown) => {
        if (isMissing(error)) return null;
        // All records would be read again for a drive that fails for a moment.
        throw new AppError('file_unreadable', { file: part.path, reason: readFailureReason(error) });
      },
    );
    if (size !== part.bytes) lost.push(part);
  }
  return lost;
}

const isInteger = /^(?:0|-?[1-9]\d{0,17})$/;
const isDay = /^\d{4}-\d\d-\d\d$/;

/** The columns of partitions, from the folders of files. */
export function partitionColumns(keys: readonly string[], paths: readonly string[]): DeltaColumn[] {
  const all = paths.map(partitionValues);
  return keys.map((name) => {
    const [type, pattern]: [DeltaType, RegExp] | [DeltaType, null] =
      name === 'day' ? ['date', isDay] : name === 'asset_id' ? ['long', isInteger] : ['string', null];
    const fits = (value: string | null | undefined): boolean => !value || pattern?.test(value) === true;
    return { name, type: all.every((values) => fits(values.get(name))) ? type : 'string' };
  });
}

/** The metadata of a table. */
export const metaDataOf = (
  before: MetaData | null,
  of: TableAbout,
  { schema, partitionNames }: Pick<GrownColumns, 'schema' | 'partitionNames'>,
): MetaData => ({
  id: before?.id ?? randomUUID(),
  name: of.dataset,
  description: before?.description,
  format: { provider: 'parquet', options: {} },
  schemaString: schema,
  partitionColumns: [...partitionNames],
  configuration: {
    // Settings that a person gave the table stay.
    ...before?.configuration,
    'wellbench.service': of.service,
    'wellbench.request': of.request,
    [aboutKey]: JSON.stringify(of),
  },
  createdTime: before?.createdTime ?? wallMs(),
});

export interface TableChange {
  readonly path: string;
  readonly job: string;
  readonly version: About['version'];
  readonly metaData: MetaData;
  /** All files that it has then. */
  readonly parts: readonly FolderFile[];
  /** The statistics of new files, by path. */
  readonly stats: ReadonlyMap<string, string>;
  readonly verified: boolean;
  readonly warnings: readonly string[];
}

/** The files that a change adds, removes, or describes again. */
function fileActions(
  before: Snapshot | null,
  { metaData, parts, stats }: TableChange,
  now: number,
): Exclude<Action, { commitInfo: unknown }>[] {
  const present = new Set(parts.map(({ path }) => path));
  const removed = [...(before?.files ?? [])].flatMap(([path, { partitionValues: values, size }]) =>
    present.has(path)
      ? []
      : {
          remove: {
            path: encodedPath(path),
            deletionTimestamp: now,
            dataChange: true,
            extendedFileMetadata: true,
            partitionValues: values,
            size,
          },
        },
  );
  const added = parts.flatMap((file): { add: AddFile }[] => {
    const tags = { [tagName]: tagOf(file) };
    const fileBefore = before?.files.get(file.path);
    if (fileBefore?.tags?.[tagName] === tags[tagName]) return [];
    // What is known of its records has changed, but not the file.
    if (fileBefore) return [{ add: { ...fileBefore, dataChange: false, tags } }];
    const values = [...partitionValues(file.path).values()];
    return [
      {
        add: {
          path: encodedPath(file.path),
          partitionValues: Object.fromEntries(
            metaData.partitionColumns.map((name, at) => [name, values[at] ?? null]),
          ),
          size: file.bytes,
          modificationTime: now,
          dataChange: true,
          stats: stats.get(file.path),
          tags,
        },
      },
    ];
  });
  return [...removed, ...added];
}

const isSameMetaData = (a: MetaData, b: MetaData): boolean =>
  a.schemaString === b.schemaString &&
  a.partitionColumns.join() === b.partitionColumns.join() &&
  a.configuration?.[aboutKey] === b.configuration?.[aboutKey];

/**
 * Commits a change of a table.
 * @param before null: it is new
 * @param isNeeded whether it is a commit even if it changes nothing
 * @returns the table after it
 * @throws AppError `invalid_input` if another writer has changed the table meanwhile; `disk_full`, `file_unwritable`
 */
export async function changeTable(
  before: TableState | null,
  change: TableChange,
  isNeeded: boolean,
): Promise<TableState> {
  const { path, job, version, metaData, parts, verified, warnings } = change;
  const now = wallMs();
  const snapshot = before?.snapshot ?? null;
  const files = fileActions(snapshot, change, now);
  const isSame = snapshot !== null && isSameMetaData(snapshot.metaData, metaData);
  if (before && files.length === 0 && isSame && !isNeeded) return before;
  if (metaData.configuration?.['delta.appendOnly'] === 'true' && files.some((file) => 'remove' in file))
    throw invalidInput(
      `${basename(path)} has the setting delta.appendOnly, so its files can’t be replaced. Remove the setting.`,
    );
  const last = statsSum(parts.map(statsOfPart)).last;
  const mode = snapshot ? 'Append' : 'Overwrite';
  const actions: Action[] = [
    {
      commitInfo: {
        timestamp: now,
        operation: 'WRITE',
        operationParameters: { mode, partitionBy: JSON.stringify(metaData.partitionColumns) },
        engineInfo: `Wellbench/${version}`,
        wellbench: {
          ...sizeOfParts(parts),
          files: parts.length,
          last,
          verified,
          warnings: [...warnings],
        },
      },
    },
    ...(snapshot ? [] : [{ protocol: ownProtocol }]),
    ...(isSame ? [] : [{ metaData }]),
    // The version in which the job changed the table, so that it knows its own change when it is resumed.
    { txn: { appId: writerOf(job), version: (snapshot?.version ?? -1) + 1, lastUpdated: now } },
    ...files,
  ];
  const committed = await commitChange(path, snapshot, actions);
  if (!committed) throw otherRun(basename(path));
  const after = stateOf(committed);
  if (!after) throw new AppError('internal', { problem: 'a table has no description' });
  return after;
}

/** The refusal of a run whose folder was changed since it was planned. */
export const otherRun = (name: string) =>
  invalidInput(`Another run updated ${name} at the same time. Discard this job and start again.`);

/** Whether another program changed a table after its last update, or its files are still in it. */
export const isChangedByOthers = ({ snapshot, parts }: TableState): boolean => {
  const { version, files, transactions } = snapshot;
  const isOwn = [...transactions].some(([writer, last]) => isOwnWriter(writer) && last.version === version);
  return !isOwn || files.size > parts.length;
};

/** Whether the last change of a table is of a job. */
export const isOwnVersion = ({ snapshot }: TableState, job: string): boolean =>
  snapshot.transactions.get(writerOf(job))?.version === snapshot.version;

export const defaultSliceBytes = 2 ** 30;

/** The part of an export's plan about its folder. */
export const folderPlan = z.object({
  partition: partitionPlan,
  /**
   * The run reads records from this time on, in milliseconds; earlier ones stay as they are. Null: it reads all
   * records.
   */
  cutMs: z.number().nullable(),
  /** Times from here on, in milliseconds, are wrong: the service's clock at the start, and some tolerance. */
  maxTimeMs: z.number(),
  /**
   * The run compares records before this time, in milliseconds, with the service; later ones can still come while it
   * reads. Null: all.
   */
  belowMs: z.number().nullable(),
  /** Whether the run compares the folder with the service at its end. */
  verifies: z.boolean(),
  /** How often the folder had been changed before the run; 0: it is new. */
  generation: z.int(),
  /** The run replaces all that the folder has. */
  replaces: z.boolean(),
  /** Query and fields as JSON, without the limit of an update. */
  request: z.string(),
  /** Records of this many bytes as JSON are a slice, so that a run needs no space for all of them at once. */
  sliceBytes: z.int().min(1),
});
export type FolderPlan = z.infer<typeof folderPlan>;

/** A folder, and what a run of a job does to it. */
export interface Folder extends FolderPlan {
  readonly path: string;
  readonly job: string;
}

export interface FolderTarget extends Folder {
  /** The table that is changed, with the files that it still has; null: there is none yet. */
  readonly table: TableState | null;
  /** The run replaces these partitions as a whole, and no other; null: it adds what is new. */
  readonly replaced: readonly string[] | null;
}

/** The fields that a folder has before a run, with the kinds of their values. */
export const columnsBefore = ({ table, replaces }: FolderTarget): Column[] =>
  table === null || replaces ? [] : table.columns.map(({ path, kinds }) => ({ path, kinds }));
