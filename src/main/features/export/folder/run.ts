import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, invalidInput } from '../../../../shared/errors/errors.ts';
import type { ExportResult } from '../../../../shared/export/export.ts';
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
import { removeSpools } from '../../../core/write/record-writer.ts';
import { compareCounts } from '../report.ts';
import {
  entryEvent,
  progressEvent,
  writeRecords,
  type ExportEvent,
  type ExportRun,
} from '../write-records.ts';
import { stagePartitions } from './read-again.ts';
import { lostWarnings, removalWarnings, rowChanges, verifiedWarnings } from './report.ts';
import { verifyFolder, writeFolderManifest } from './verify.ts';

/**
 * Writes a folder of Parquet files, or what is new in one, and compares a mirror with the service. The records are spooled
 * in the job's folder, so that a resumed run continues there; its files become those of the folder at the end.
 * @throws AppError of the services and of the writer; `invalid_input`, `file_unreadable`, `file_too_new`, `file_unwritable`
 */
export async function* runFolder(
  run: ExportRun,
  folder: FolderPlan,
): AsyncGenerator<ExportEvent, ExportResult> {
  const { job, earlier, services, signal } = run;
  const { plan } = job;
  const { target, fileName } = plan;
  if (target.place !== 'path') throw new AppError('internal', { problem: 'a folder needs a path' });
  const { path } = target;
  const partial = join(job.folder, manifestName);
  const lock = await lockFolder(path);
  try {
    if (earlier.partial === null) yield entryEvent({ kind: 'began', at: earlier.startedAt, partial }, false);
    await completeCommit(path);
    const manifest = await readFolderManifest(path);
    if (manifest?.job !== job.id && (manifest?.generation ?? 0) !== folder.generation)
      throw invalidInput(`Another run updated ${fileName} meanwhile. Discard this job and start again.`);
    const { base, lost } = await presentParts(path, manifest);
    const { partition, cutMs, maxTimeMs, belowMs, request, tableFormat } = folder;
    const shared = { path, partition, maxTimeMs, belowMs, job: job.id, request, tableFormat };
    const folderTarget = {
      ...shared,
      cutMs,
      // Of files that are all replaced, the columns don't matter.
      base: base && folder.replaces ? { ...base, columns: [] } : base,
      replaced: null,
    };
    const written = yield* writeRecords(run, { partial, folder: folderTarget });
    const comparison = await compareCounts(services.data, plan, written, signal);
    const changed = new Set<string>();
    async function commit(before: FolderManifest | null): Promise<FolderManifest> {
      addChanges(changed, await commitStaging(path, before));
      const committed = await readFolderManifest(path);
      if (committed) return committed;
      throw new AppError('file_unreadable', { file: fileName, reason: 'its manifest is missing' });
    }
    let current = await commit(manifest);
    const verified = folder.verifies
      ? yield* verifyFolder(current, {
          data: services.data,
          address: plan.address,
          scope: { query: userQuery(request), partition, maxTimeMs, belowMs },
          signal,
          async *readAgain(reread) {
            yield* stagePartitions(reread, run, { ...shared, cutMs: null, base: current });
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
    yield { kind: 'artifact', artifact: { kind: 'manifest', path: join(path, manifestName) } };
    await removeSpools(job.folder);
    await rm(partial, { force: true }).catch(() => undefined);
    const { rows, bytes, parts } = current;
    yield progressEvent({ rows, bytes });
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
