import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, invalidInput } from '../../../../shared/errors/errors.ts';
import type { ExportResult } from '../../../../shared/export/export.ts';
import type { StartTableEngine } from '../../../core/duckdb/table-engine.ts';
import type { EngineContext, OpenJob } from '../../../core/jobs/engine.ts';
import type { CountComparison } from '../../../core/read/counts.ts';
import { type ExportCounts, type ExportFile, writeExportFile } from '../../../core/read/make-file.ts';
import { removeSpools } from '../../../core/write/places.ts';
import type { ExportEntry, ExportPlan, ExportProgress } from '../../../core/write/plan.ts';
import { isObject, type JsonObject } from '../../../../shared/json.ts';
import { parseObject } from '../../../core/read/read-records.ts';
import {
  commitStaging,
  completeCommit,
  type FolderChanges,
  lockFolder,
  stagingName,
} from '../../../core/write/folder/commit.ts';
import type { FolderPlan } from '../../../core/write/folder/folder-target.ts';
import {
  type FolderManifest,
  manifestName,
  readFolderManifest,
} from '../../../core/write/folder/manifest.ts';
import { stagePartitions } from './read-again.ts';
import { removalWarnings, rowChanges } from './row-changes.ts';
import { type VerifiedFolder, verifyFolder, writeFolderManifest } from './verify-folder.ts';

/** A run of a folder's job. */
export interface FolderRun {
  readonly job: OpenJob<ExportPlan, ExportEntry>;
  readonly context: EngineContext<ExportResult>;
  readonly signal: AbortSignal;
  readonly startTables: StartTableEngine;
}

interface RunCounts extends ExportCounts {
  compare(file: ExportFile): Promise<CountComparison>;
}

/**
 * Writes a folder of Parquet files, or what is new in one, and compares a mirror with the service. The records are spooled
 * in the job's folder, so that a resumed run continues there; its files become those of the folder at the end.
 * @throws AppError of the services and of the writer; `invalid_input`, `file_unreadable`, `file_too_new`, `file_unwritable`
 */
export async function runFolder(
  { job, context, signal, startTables }: FolderRun,
  earlier: ExportProgress & { readonly startedAt: string },
  folder: FolderPlan,
  counts: RunCounts,
): Promise<ExportResult> {
  const { plan } = job;
  const { target, fileName } = plan;
  if (target.place !== 'path') throw new AppError('internal', { problem: 'a folder needs a path' });
  const { path } = target;
  const { data } = context.services;
  const { report } = context;
  const lock = await lockFolder(path);
  try {
    if (earlier.partial === null)
      await job.journal.append({
        kind: 'began',
        at: earlier.startedAt,
        partial: join(job.folder, manifestName),
      });
    await completeCommit(path);
    const manifest = await readFolderManifest(path);
    if (manifest?.job !== job.id && (manifest?.generation ?? 0) !== folder.generation)
      throw invalidInput(`Another run updated ${fileName} meanwhile. Discard this job and start again.`);
    const { base, lost } = await presentParts(path, manifest);
    const { partition, cutMs, maxTimeMs, belowMs, request } = folder;
    const shared = { path, partition, maxTimeMs, belowMs, job: job.id, request };
    const options = {
      job,
      data,
      report,
      signal,
      counts,
      startTables,
      partial: async () => join(job.folder, manifestName),
      // Of files that are all replaced, the columns don't matter.
      folderTarget: {
        ...shared,
        cutMs,
        base: base && folder.replaces ? { ...base, columns: [] } : base,
        replaced: null,
      },
    };
    const written = await writeExportFile(options, earlier);
    const comparison = await counts.compare(written);
    const changed = new Set<string>();
    const commit = async (before: FolderManifest | null): Promise<FolderManifest> => {
      addChanges(changed, await commitStaging(path, before));
      const committed = await readFolderManifest(path);
      if (committed) return committed;
      throw new AppError('file_unreadable', { file: fileName, reason: 'its manifest is missing' });
    };
    let current = await commit(manifest);
    const verified = folder.verifies
      ? await verifyFolder(current, {
          data,
          address: plan.address,
          scope: { query: userQuery(request), partition, maxTimeMs, belowMs },
          signal,
          async readAgain(reread) {
            const rereadTarget = { ...shared, cutMs: null, base: current };
            await stagePartitions(reread, { job, data, signal, report, startTables, target: rereadTarget });
            current = await commit(current);
            return current;
          },
        })
      : null;
    const warnings = [
      ...lostWarnings(lost),
      ...(folder.replaces ? [] : removalWarnings(manifest, current)),
      ...comparison.warnings,
      ...verifiedWarnings(verified, current),
    ];
    if (verified) {
      const { manifest: compared, isVerified } = verified;
      await writeFolderManifest(path, { ...compared, verified: isVerified, warnings });
    }
    await context.addArtifact('manifest', join(path, manifestName));
    await removeSpools(job.folder);
    await rm(join(job.folder, manifestName), { force: true }).catch(() => undefined);
    const { rows, bytes, parts } = current;
    report({ rows, bytes });
    const missingRows = comparison.expected === null ? null : comparison.expected - written.rows;
    return {
      rows,
      bytes,
      sha256: written.file.sha256,
      expected: missingRows === null ? null : rows + missingRows,
      warnings,
      folder: {
        partitions: parts.length,
        ...rowChanges(manifest, current),
        rewritten: changed.size,
        ...(verified && { reread: verified.reread.size, verified: verified.isVerified }),
      },
    };
  } catch (error) {
    // A resumed run stages its files again.
    await rm(join(path, stagingName), { recursive: true, force: true }).catch(() => undefined);
    throw error;
  } finally {
    lock.release();
  }
}

/** The query of a folder, without the limits of an update. */
function userQuery(request: string): JsonObject {
  const { query } = parseObject(request);
  return isObject(query) ? query : {};
}

function addChanges(changed: Set<string>, { moved, removed }: FolderChanges): void {
  for (const path of [...moved, ...removed]) changed.add(path);
}

/** A manifest without the files that were removed from the folder, or changed. */
async function presentParts(
  folder: string,
  manifest: FolderManifest | null,
): Promise<{ readonly base: FolderManifest | null; readonly lost: number }> {
  if (!manifest) return { base: null, lost: 0 };
  const parts: FolderManifest['parts'] = [];
  for (const part of manifest.parts) {
    const size = await stat(join(folder, part.path)).then(
      (file) => file.size,
      () => null,
    );
    if (size === part.bytes) parts.push(part);
  }
  return { base: { ...manifest, parts }, lost: manifest.parts.length - parts.length };
}

const lostWarnings = (lost: number): string[] =>
  lost === 0
    ? []
    : [
        `${lost} files of the folder were missing or changed by another program. Their records are read again.`,
      ];

function verifiedWarnings(verified: VerifiedFolder | null, { parts }: FolderManifest): string[] {
  if (!verified) return [];
  const wrongTimes = parts
    .filter(({ path }) => /\/(?:day|month)=__HIVE_DEFAULT_PARTITION__\//.test(`/${path}`))
    .reduce((sum, { rows }) => sum + rows, 0);
  return [
    ...verified.warnings,
    ...(wrongTimes === 0
      ? []
      : [
          `${wrongTimes} records have no time, or one before 1950 or after the service’s clock. They are in the partition __HIVE_DEFAULT_PARTITION__.`,
        ]),
  ];
}
