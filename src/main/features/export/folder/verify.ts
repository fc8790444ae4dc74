import { dirname, join } from 'node:path';
import { writeWhole } from '../../../core/files/disk.ts';
import { writeError } from '../../../core/files/file-errors.ts';
import type { DatasetAddress } from '../../../../shared/datasets/datasets.ts';
import type { DataService } from '../../../core/wire/services/services.ts';
import type { CensusScope } from '../../../core/write/census/census-scope.ts';
import { differencesByCount } from '../../../core/write/census/count-census.ts';
import {
  type Difference,
  differencesFrom,
  partitionMatcher,
  type Reread,
  rereadsFor,
} from '../../../core/write/census/differences.ts';
import { readServiceCensus, type ServiceCensus } from '../../../core/write/census/service-census.ts';
import type { Census } from '../../../core/write/census/tally.ts';
import {
  type FolderManifest,
  manifestName,
  manifestText,
  statsOfPart,
} from '../../../core/write/folder/manifest.ts';
import type { ExportEvent } from '../write-records.ts';

/** Maximum number of comparisons: records can change while differences are read. */
const maxRounds = 3;

/** The result of comparing a folder with the service. */
export interface VerifiedFolder {
  /** Whether the folder has the records of the service. */
  readonly isVerified: boolean;
  /** The folder's content at the end. */
  readonly manifest: FolderManifest;
  /** The partitions that were read again. */
  readonly reread: ReadonlySet<string>;
  readonly warnings: readonly string[];
}

export interface VerifyOptions {
  readonly data: Pick<DataService, 'pipeline' | 'count'>;
  readonly address: DatasetAddress;
  readonly scope: CensusScope;
  readonly signal: AbortSignal;
  /**
   * Reads some partitions again, and makes them the content of the folder.
   * @returns the folder's manifest
   */
  readonly readAgain: (reread: Reread) => AsyncGenerator<ExportEvent, FolderManifest>;
}

/** The records of a folder that are compared with the service. */
const heldCensus = ({ parts }: FolderManifest): Census =>
  new Map(
    parts.flatMap((part) => {
      const { early } = statsOfPart(part);
      const folder = dirname(part.path);
      return early.rows === 0 ? [] : [[folder === '.' ? '' : folder, early]];
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
  `${count} partitions of the mirror still differ from the service, which changed meanwhile or has times that can’t be read. The next update compares them again.`;

/**
 * Compares a folder with the service, and reads again what differs, until both have the same records.
 * @throws AppError of the data service and of the writer; `cancelled`
 */
export async function* verifyFolder(
  start: FolderManifest,
  options: VerifyOptions,
): AsyncGenerator<ExportEvent, VerifiedFolder> {
  let manifest = start;
  const reread = new Set<string>();
  for (let round = 1; ; round += 1) {
    const compared = await compare(options, heldCensus(manifest));
    if (!compared) return { isVerified: false, manifest, reread, warnings: [unverifiable] };
    const { census, differences } = compared;
    for (const each of rereadsFor(differences, options.scope)) {
      manifest = yield* options.readAgain(each);
      for (const partition of each.partitions) reread.add(partition);
    }
    const left = unsettled(differences, heldCensus(manifest));
    if (left.length === 0)
      return { isVerified: true, manifest: withIds(manifest, census), reread, warnings: [] };
    if (round === maxRounds)
      return { isVerified: false, manifest, reread, warnings: [unstable(left.length)] };
  }
}

/** The differences that remain after they were read. A partition can have gained records since it was compared. */
const unsettled = (differences: readonly Difference[], held: Census): Difference[] =>
  differences.filter(({ partition, rows }) => {
    const matches = partitionMatcher([partition]);
    let heldRows = 0;
    for (const [each, { rows: count }] of held) if (matches(each)) heldRows += count;
    return heldRows < rows;
  });

/** The manifest with the highest ids of files that have none, by those of equally many records of the service. */
function withIds(manifest: FolderManifest, census: ServiceCensus | null): FolderManifest {
  const parts = manifest.parts.map((part) => {
    const { early } = statsOfPart(part);
    const id = census?.tallies.get(dirname(part.path))?.id ?? null;
    return part.id === null && early.rows === part.rows ? { ...part, id } : part;
  });
  return { ...manifest, parts };
}

/**
 * Writes the manifest of a folder that was compared with the service.
 * @throws AppError `disk_full`, `file_unwritable`
 */
export async function writeFolderManifest(folder: string, manifest: FolderManifest): Promise<void> {
  await writeWhole(join(folder, manifestName), manifestText(manifest)).catch((error: unknown) => {
    throw writeError(error, manifestName, 0);
  });
}
