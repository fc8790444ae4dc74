import { join } from 'node:path';
import type { DatasetAddress } from '../../../../shared/datasets/datasets.ts';
import { AppError, invalidInput } from '../../../../shared/errors/errors.ts';
import type { ExportResult } from '../../../../shared/export/export.ts';
import { isObject, type JsonObject } from '../../../../shared/json.ts';
import { clockToleranceMs } from '../../../../shared/instants.ts';
import { countInWords, firstInWords } from '../../../../shared/lists.ts';
import type { DataService } from '../../wire/services/services.ts';
import { withWriteErrors } from '../../files/file-errors.ts';
import { flushFolder } from '../../files/disk.ts';
import { checkNoLinks } from '../../files/links.ts';
import { isSameUnit } from '../../../../shared/channels/units.ts';
import type { UnitChanges } from '../../records/unit-changes.ts';
import type { About } from '../../records/about.ts';
import { parseObject } from '../../requests.ts';
import {
  differencesByCount,
  differencesFrom,
  partitionsOf,
  readServiceCensus,
  rereadsFor,
  type CensusScope,
  type Difference,
  type Reread,
  type ServiceCensus,
} from '../census/comparison.ts';
import { partitionAt, partitionMatcher, partitionScope } from '../census/partition.ts';
import type { Census } from '../census/tally.ts';
import { checkpointReader, tidyTable, type CheckpointPlace } from '../delta/checkpoint.ts';
import { commitName, logName } from '../delta/snapshot.ts';
import { unitsIn } from '../delta/schema.ts';
import { removeOldFiles } from '../delta/vacuum.ts';
import {
  changeTable,
  isOwnVersion,
  lostParts,
  otherRun,
  readTable,
  sizeOfParts,
  statsOfPart,
  type Folder,
  type FolderFile,
  type TableState,
} from './table-state.ts';
import { warningOf } from '../parquet/write-table.ts';
import { contentOf, type UpdatedTable } from './update-table.ts';
import { mkdir } from '../../../world/files.ts';
import { wallMs } from '../../../world/time.ts';

/** Maximum number of comparisons: records can change while differences are read. */
const maxRounds = 3;

/** @template E what reading again yields */
interface VerifyOptions<E> {
  readonly data: Pick<DataService, 'pipeline' | 'count' | 'now'>;
  readonly address: DatasetAddress;
  readonly signal: AbortSignal;
  readonly readAgain: ReadAgain<E>;
}

/** The records of a folder that are compared with the service. */
const heldCensus = ({ parts }: Pick<TableState, 'parts'>): Census =>
  new Map(
    parts.flatMap((part) => {
      const { early } = statsOfPart(part);
      return early.rows === 0 ? [] : [[partitionAt(part.path), early]];
    }),
  );

/** The differences between a folder and the service, each time the service is asked; null: it can't tell. */
async function compare(
  { data, address, signal }: Omit<VerifyOptions<never>, 'readAgain'>,
  scope: CensusScope,
  held: Census,
): Promise<{ readonly differences: readonly Difference[]; readonly census: ServiceCensus | null } | null> {
  const census = await readServiceCensus(data, address, scope, signal);
  if (census) return { differences: differencesFrom(held, census), census };
  const count = (query: CensusScope['query']) => data.count(address, query, { signal, maxTries: 3 });
  const differences = await differencesByCount(count, scope, held);
  return differences && { differences, census: null };
}

const unverifiable =
  'The service allows neither an aggregation nor enough counts for this dataset, so the mirror could not be compared with it. Records that arrived late may be missing, and deleted ones may remain.';
const unstable = (count: number): string =>
  `${countInWords(count, 'partition of the mirror still differs', 'partitions of the mirror still differ')} from the service, which changed during the update or has times that can’t be read. The next update compares ${count === 1 ? 'it' : 'them'} again.`;

/** The differences that remain after they were read. A partition can have gained records since it was compared. */
const unsettled = (differences: readonly Difference[], held: Census): Difference[] =>
  differences.filter(({ partition, rows }) => {
    const matches = partitionMatcher([partition]);
    let heldRows = 0;
    for (const [heldPartition, { rows: count }] of held) if (matches(heldPartition)) heldRows += count;
    return heldRows < rows;
  });

/** Files with the highest ids of those that have none, by those of equally many records of the service. */
const withIds = ({ parts }: TableState, census: ServiceCensus | null): TableState['parts'] =>
  parts.map((part) => {
    const { early } = statsOfPart(part);
    const id = census?.tallies.get(partitionAt(part.path))?.id ?? null;
    return part.id === null && early.rows === part.rows ? { ...part, id } : part;
  });

type Parts = Pick<TableState, 'parts'>;

/** The groups of a folder's files that lost records: how many, and how many are left. */
function lossesBy<T>(groupOf: (path: string) => T, before: Parts | null, after: Parts) {
  const rowsOf = ({ parts }: Parts) =>
    [...Map.groupBy(parts, ({ path }) => groupOf(path))].map(
      ([group, files]) => [group, sizeOfParts(files).rows] as const,
    );
  const later = new Map(rowsOf(after));
  return rowsOf(before ?? { parts: [] }).flatMap(([group, rows]) => {
    const left = later.get(group) ?? 0;
    return left < rows ? [{ group, left, lost: rows - left }] : [];
  });
}

const sumOf = (losses: readonly { readonly lost: number }[]): number =>
  losses.reduce((sum, { lost }) => sum + lost, 0);

/** The well of a file as it is in the name of its folder, escaped; null: the folder is not divided by wells. */
const wellOf = (path: string): string | null =>
  /^asset_id=(?<well>[^/]*)\//.exec(path)?.groups?.['well'] ?? null;

/** The wells of some losses in words; empty if the folder is not divided by wells. */
function inWords(losses: readonly { readonly group: string | null }[]): string {
  const names = losses.flatMap(({ group }) => group ?? []);
  if (names.length === 0) return '';
  return ` of ${names.length === 1 ? 'well' : 'wells'} ${firstInWords(names)}`;
}

const advice =
  'The service no longer returns them. If nobody deleted them, check that your key can read these wells: once it can, the next update adds their records again.';

/**
 * Warnings about an update that removed all records of a well, or more than half of all records: a service that takes away
 * a key's access to a well returns the same as one whose records were deleted.
 * @param before the folder's content before the update; null: it had none
 * @param after the content that the update wrote
 */
export function removalWarnings(before: Parts | null, after: Parts): string[] {
  const losses = lossesBy(wellOf, before, after);
  const emptied = losses.filter(({ left }) => left === 0);
  const total = sizeOfParts(before?.parts ?? []).rows;
  const removed = sumOf(losses);
  return [
    ...(emptied.length === 0 ? [] : [`This update removed all records${inWords(emptied)}. ${advice}`]),
    ...(removed * 2 <= total
      ? []
      : [
          `This update removed ${removed} of ${countInWords(total, 'record', 'records')}${inWords(losses)}. ${advice}`,
        ]),
  ];
}

/** A warning about files that another program removed or changed; null: there are none. */
export const lostWarning = (lost: number): string | null =>
  lost === 0
    ? null
    : `${countInWords(lost, 'file of the folder was', 'files of the folder were')} missing or changed by another program. ${lost === 1 ? 'Its' : 'Their'} records are read again.`;

const heldWarning = (held: number): string | null =>
  held === 0
    ? null
    : `${countInWords(held, 'file of an earlier export stays', 'files of an earlier export stay')}, because ${held === 1 ? 'it' : 'they'} can’t be removed: another program may have ${held === 1 ? 'it' : 'them'} open, or the folder may be read-only. Export again when ${held === 1 ? 'it' : 'they'} can be removed; until then, programs that don’t read the folder’s log have records of both exports.`;

/** A warning about texts that a column of numbers, or of booleans, has. @param counts by field */
const textWarnings = (counts: ReadonlyMap<string, number>, of: 'numbers' | 'booleans'): string[] =>
  warningOf(
    `Texts that are written like ${of} became ${of}`,
    Array.from(counts, ([path, count]) => `${count} of ${path}`),
  );

/** A warning about records without a plausible time; null: there are none. */
function timeWarning({ parts }: Parts): string | null {
  const { rows } = sizeOfParts(parts.filter(({ path }) => partitionScope(partitionAt(path)).period === null));
  return rows === 0
    ? null
    : `${countInWords(rows, 'record has', 'records have')} no time, or one before 1950 or after the service’s clock. ${rows === 1 ? 'It is' : 'They are'} in the partition __HIVE_DEFAULT_PARTITION__.`;
}

function changedPartitions(before: Parts | null, after: Parts): string[] {
  const earlier = new Set(before?.parts.map(({ path }) => path));
  const later = new Set(after.parts.map(({ path }) => path));
  return [...earlier.symmetricDifference(later)].map(partitionAt);
}

/** Reads some partitions again, and replaces them. */
type ReadAgain<E> = (reread: Reread, table: TableState) => AsyncGenerator<E, UpdatedTable>;

/** The end of a comparison with the service. */
interface Verified {
  /** Why the folder may not have the records of the service; null: it has. */
  readonly warning: string | null;
  /** Its files, with all that is known of their records. */
  readonly parts: TableState['parts'];
}

/** The table at the end of a run, and the report of the run. */
export interface FinishedRun extends Required<Pick<ExportResult, 'rows' | 'bytes' | 'sha256' | 'folder'>> {
  readonly warnings: string[];
  readonly lastCommit: string;
}

/** The query of a folder, without the limits of an update. */
function userQuery(request: string): JsonObject {
  const { query } = parseObject(request);
  return isObject(query) ? query : {};
}

/** A table whose files were lost. @param isRead whether all records are read: then it doesn't name them */
const withoutFiles = (table: TableState, lost: readonly FolderFile[], isRead: boolean): TableState => ({
  ...table,
  // A file with the same content must not be taken for the one that is lost.
  parts: table.parts.flatMap((part) =>
    lost.includes(part) ? (isRead ? [] : { ...part, sha256: '' }) : part,
  ),
});

/** What a run does to the table of a folder, from its opening to its last commit. */
export class TableRun {
  readonly #folder: Folder;
  readonly #place: CheckpointPlace;
  readonly #startMs = wallMs();
  readonly #start: TableState | null;
  readonly #lost: readonly FolderFile[];
  readonly #changed = new Set<string>();
  readonly #reread = new Set<string>();
  readonly #texts = { numbers: new Map<string, number>(), booleans: new Map<string, number>() };
  readonly #typeWarnings = new Set<string>();
  #current: TableState | null;
  #verified: Verified | null = null;

  private constructor(
    folder: Folder,
    place: CheckpointPlace,
    start: TableState | null,
    lost: readonly FolderFile[],
  ) {
    this.#folder = folder;
    this.#place = place;
    this.#start = start;
    this.#lost = lost;
    this.#current = start && withoutFiles(start, lost, folder.cutMs === null);
  }

  /**
   * Opens the table of a folder.
   * @param name of the folder, for errors
   * @throws AppError `invalid_input` if another run has changed the folder since this one was planned; `file_unwritable`
   */
  static async open(folder: Folder, name: string, place: CheckpointPlace): Promise<TableRun> {
    const { path, job, generation } = folder;
    await checkNoLinks(path, [logName]);
    const table = await readTable(path, checkpointReader(place));
    const isOwn = table !== null && isOwnVersion(table, job);
    if (!isOwn && (table?.generation ?? 0) !== generation) throw otherRun(name);
    // A folder that has a log, even an empty one, is known to be ours after a kill, and after a power loss.
    await withWriteErrors(name, async () => {
      await mkdir(join(path, logName), { recursive: true });
      if (table === null) await flushFolder(path);
    });
    return new TableRun(folder, place, table, await lostParts(path, table?.parts ?? []));
  }

  /** The table as it is now; null: there is none yet. */
  get current(): TableState | null {
    return this.#current;
  }

  /**
   * Checks that columns have the units that a run converts their numbers to: those of other rows, or those that readers expect.
   * @param units of the run's columns, by their field
   * @param changes the fields that it converts
   * @throws AppError `invalid_input`; `file_unreadable` for a damaged schema
   */
  checkUnits(units: About['columns'], changes: UnitChanges): void {
    if (!this.#current || this.#folder.replaces) return;
    const isWhole = this.#folder.cutMs === null;
    const before = unitsIn(this.#current.snapshot.metaData.schemaString);
    const changed = this.#current.columns.flatMap(({ path, fields: [first] }) => {
      if (!first || first.type === 'TIMESTAMP') return [];
      const [was, is] = [before.get(first.name), units[path]?.unit];
      const isSame = was === is || (was !== undefined && is !== undefined && isSameUnit(was, is));
      // A unit that is known by now describes the same numbers, unless others are converted to it.
      const isNew = was === undefined && (isWhole || !Object.hasOwn(changes, path));
      return isSame || isNew ? [] : [path];
    });
    if (changed.length === 0) return;
    throw invalidInput(
      `The unit of ${firstInWords(changed)} has changed since the folder was written, or isn’t known now, so ${changed.length === 1 ? 'its' : 'their'} numbers would be in another unit. Set the unit as it was, or use another folder.`,
    );
  }

  /** Reads again what lost files had, unless the run reads all. @throws AppError of `readAgain` */
  async *readLost<E>(readAgain: ReadAgain<E>): AsyncGenerator<E, void> {
    // Until they are read, the log names the lost files: a run that is killed here reads them the next time.
    if (!this.#current || this.#folder.cutMs === null) return;
    yield* this.#replace(rereadsFor(partitionsOf(this.#lost), this.#scope()), readAgain);
  }

  /** Keeps what the records of the run became. */
  wrote({ table, typedTexts, warnings }: UpdatedTable): void {
    for (const name of changedPartitions(this.#current, table)) this.#changed.add(name);
    for (const type of ['numbers', 'booleans'] as const)
      for (const [field, count] of typedTexts[type])
        this.#texts[type].set(field, (this.#texts[type].get(field) ?? 0) + count);
    for (const warning of warnings) this.#typeWarnings.add(warning);
    this.#current = table;
  }

  /**
   * Compares the table with the service, and reads again what differs, until both have the same records.
   * @returns whether they have
   * @throws AppError of the data service and of `readAgain`; `cancelled`
   */
  async *verify<E>({ readAgain, ...options }: VerifyOptions<E>): AsyncGenerator<E, boolean> {
    const planned = this.#scope();
    // Records that arrived since the plan have plausible times, and are left to the next update.
    const maxTimeMs = Math.max(planned.maxTimeMs, options.data.now() + clockToleranceMs);
    const scope = { ...planned, maxTimeMs };
    for (let round = 1; !this.#verified; round += 1) {
      const compared = await compare(options, scope, heldCensus(this.#written()));
      yield* this.#replace(rereadsFor(compared?.differences ?? [], scope), readAgain);
      const table = this.#written();
      const left = unsettled(compared?.differences ?? [], heldCensus(table)).length;
      if (!compared) this.#verified = { warning: unverifiable, parts: table.parts };
      else if (left === 0) this.#verified = { warning: null, parts: withIds(table, compared.census) };
      else if (round === maxRounds) this.#verified = { warning: unstable(left), parts: table.parts };
    }
    return this.#verified.warning === null;
  }

  /**
   * Commits the end of the run, and removes what no reader needs.
   * @param warnings of the count of records
   * @throws AppError `invalid_input` if another writer has changed the table; `disk_full`, `file_unwritable`
   */
  async finish(version: string, warnings: readonly string[]): Promise<FinishedRun> {
    const { path, job, replaces, verifies } = this.#folder;
    const current = this.#written();
    const verified = this.#verified;
    const all = [
      lostWarning(this.#lost.length),
      ...(replaces ? [] : removalWarnings(this.#start, current)),
      ...warnings,
      ...textWarnings(this.#texts.numbers, 'numbers'),
      ...textWarnings(this.#texts.booleans, 'booleans'),
      ...this.#typeWarnings,
      ...(verified ? [verified.warning, timeWarning(current)] : []),
    ].filter((warning) => warning !== null);
    const about = { path, job, version, warnings: all, stats: new Map<string, string>() };
    const { metaData } = current.snapshot;
    const parts = verified?.parts ?? current.parts;
    const isVerified = verified?.warning === null;
    const end =
      verified || all.length > 0
        ? await changeTable(current, { ...about, metaData, parts, verified: isVerified }, true)
        : current;
    await tidyTable(path, end.snapshot, this.#place);
    // Who reads its Parquet files without the log has those of this export only.
    const { held } = verifies
      ? { held: 0 }
      : await removeOldFiles(path, end.snapshot, { unknownMs: this.#startMs, removedMs: Infinity });
    const heldFiles = heldWarning(held);
    const { rows } = sizeOfParts(end.parts);
    const removed = sumOf(lossesBy(partitionAt, this.#start, end));
    return {
      rows,
      ...contentOf(end),
      warnings: heldFiles === null ? all : [...all, heldFiles],
      lastCommit: join(path, logName, commitName(end.snapshot.version)),
      folder: {
        partitions: end.parts.length,
        added: rows - sizeOfParts(this.#start?.parts ?? []).rows + removed,
        removed,
        rewritten: this.#changed.size,
        ...(verified && { reread: this.#reread.size, verified: isVerified }),
      },
    };
  }

  async *#replace<E>(rereads: readonly Reread[], readAgain: ReadAgain<E>): AsyncGenerator<E, void> {
    for (const reread of rereads) {
      this.wrote(yield* readAgain(reread, this.#written()));
      for (const name of reread.partitions) this.#reread.add(name);
    }
  }

  #written(): TableState {
    if (!this.#current) throw new AppError('internal', { problem: 'a folder is a table' });
    return this.#current;
  }

  #scope(): CensusScope {
    const { request, partition, maxTimeMs, belowMs } = this.#folder;
    return { query: userQuery(request), partition, maxTimeMs, belowMs };
  }
}
