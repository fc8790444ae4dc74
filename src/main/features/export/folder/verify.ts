import { join } from 'node:path';
import type { DatasetAddress } from '../../../../shared/datasets/datasets.ts';
import type { DataService } from '../../../core/wire/services/services.ts';
import {
  type CensusScope,
  differencesByCount,
  type Difference,
  type Reread,
  differencesFrom,
  rereadsFor,
  type ServiceCensus,
  readServiceCensus,
} from '../../../core/write/census/comparison.ts';
import { partitionAt, partitionMatcher } from '../../../core/write/census/partition.ts';
import type { Census } from '../../../core/write/census/tally.ts';
import { statsOfPart, type TableState, type FolderTarget } from '../../../core/write/folder/table-state.ts';
import { type ExportEvent, type ExportRun, progressEvent } from '../write-records.ts';
import { AppError } from '../../../../shared/errors/errors.ts';
import { stringifyJson } from '../../../../shared/json.ts';
import { countInWords } from '../../../../shared/lists.ts';
import { writeError } from '../../../core/files/file-errors.ts';
import { createFolder } from '../../../core/files/flush.ts';
import { canBeWindowed } from '../../../core/requests.ts';
import { type Survey, readAll } from '../../../core/reading/reading.ts';
import { RecordWriter, type Finished } from '../../../core/write/record-writer.ts';
import { createSpec, partialName } from '../plan.ts';
import type { WrittenRecords } from '../../../core/write/spec.ts';
import { rm } from '../../../world/files.ts';

/** Maximum number of comparisons: records can change while differences are read. */
const maxRounds = 3;

/** The result of comparing a folder with the service. */
export interface VerifiedFolder {
  /** Whether the folder has the records of the service. */
  readonly isVerified: boolean;
  /** The table at the end. */
  readonly table: TableState;
  /** Its files, with all that is known of their records. */
  readonly parts: TableState['parts'];
  readonly warnings: readonly string[];
}

export interface VerifyOptions {
  readonly data: Pick<DataService, 'pipeline' | 'count'>;
  readonly address: DatasetAddress;
  readonly scope: CensusScope;
  readonly signal: AbortSignal;
  /** Reads some partitions again, and replaces them. @returns the table after it */
  readonly readAgain: (reread: Reread, table: TableState) => AsyncGenerator<ExportEvent, TableState>;
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
  { data, address, scope, signal }: VerifyOptions,
  held: Census,
): Promise<{ readonly differences: readonly Difference[]; readonly census: ServiceCensus | null } | null> {
  const census = await readServiceCensus(data, address, scope, signal);
  if (census) return { differences: differencesFrom(held, census), census };
  const count = (query: CensusScope['query']) => data.count(address, query, { signal, maxTries: 3 });
  const differences = await differencesByCount(count, scope, held);
  return differences && { differences, census: null };
}

const unverifiable =
  'The service allows neither an aggregation nor enough counts for this dataset, so the mirror could not be compared with it. Records that came late or were deleted can be missing or left over.';
const unstable = (count: number): string =>
  `${countInWords(count, 'partition of the mirror still differs', 'partitions of the mirror still differ')} from the service, which changed meanwhile or has times that can’t be read. The next update compares ${count === 1 ? 'it' : 'them'} again.`;

/**
 * Compares a folder with the service, and reads again what differs, until both have the same records.
 * @throws AppError of the data service and of the writer; `cancelled`
 */
export async function* verifyFolder(
  start: TableState,
  options: VerifyOptions,
): AsyncGenerator<ExportEvent, VerifiedFolder> {
  let table = start;
  for (let round = 1; ; round += 1) {
    const compared = await compare(options, heldCensus(table));
    if (!compared) return { isVerified: false, table, parts: table.parts, warnings: [unverifiable] };
    const { census, differences } = compared;
    for (const part of rereadsFor(differences, options.scope)) table = yield* options.readAgain(part, table);
    const left = unsettled(differences, heldCensus(table));
    if (left.length === 0) return { isVerified: true, table, parts: withIds(table, census), warnings: [] };
    if (round === maxRounds)
      return { isVerified: false, table, parts: table.parts, warnings: [unstable(left.length)] };
  }
}

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

/**
 * Reads partitions as a whole, and replaces what a table has of them.
 * @returns the table after it, and what was written
 * @throws AppError of the data service and of the writer; `cancelled`
 */
export async function* readAgain(
  { queries, partitions }: Reread,
  { job, services, signal, startTables }: ExportRun,
  target: Omit<FolderTarget, 'replaced'>,
): AsyncGenerator<ExportEvent, Finished & { readonly table: TableState }> {
  const { plan } = job;
  const { windows, format, columnNames: names } = plan;
  const folder = join(job.folder, 'reread');
  await rm(folder, { recursive: true, force: true });
  await createFolder(folder).catch((error: unknown) => {
    throw writeError(error, plan.fileName, 0);
  });
  const folderTarget = { ...target, replaced: partitions };
  const specOf = (rule: Survey['rule']) =>
    createSpec({ plan, folder, folderTarget }, join(folder, partialName), { rule, started: null });
  const writer = new RecordWriter({ format, startTables, signal });
  /** The records of the queries so far. */
  let marks: WrittenRecords | null = null;
  try {
    if (queries.length === 0) await writer.open(specOf(null), null);
    for (const query of queries) {
      const earlier: WrittenRecords | null = marks && { ...marks, ids: 0 };
      const request = {
        ...plan,
        query: stringifyJson(query),
        windows: windows && canBeWindowed(query, windows.field) ? windows : null,
      };
      const events = readAll({
        data: services.data,
        request,
        signal,
        read: writer.read,
        endsAtCount: true,
      });
      for await (const event of events) {
        if (event.kind === 'start') await writer.open(specOf(event.rule), earlier);
        if (event.kind !== 'page') continue;
        marks = await writer.write();
        yield progressEvent({ rows: marks.rows });
      }
    }
    const finished = await writer.finish({ names, folder: folderTarget }, { marks });
    const { table } = finished;
    if (!table) throw new AppError('internal', { problem: 'a mirror is a table' });
    return { ...finished, table };
  } finally {
    await writer.close();
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
