import type { ExportJob, Job, JobArtifact, UploadJob } from '../../../shared/jobs/jobs.ts';
import type { Files } from '../../files/files.ts';

/**
 * What an export says of itself. `sha256`, `file` and `manifest` are null until it is done; `rows` and `bytes` are those of
 * what it has kept so far, which a resume goes on from.
 */
export interface ExportSummary {
  readonly job: string;
  readonly state: Job['state'];
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string | null;
  readonly file: string | null;
  readonly manifest: string | null;
  readonly warnings: readonly string[];
}

/** What an upload says of itself: every row of the file is accepted, rejected, unknown or pending. */
export interface UploadSummary {
  readonly job: string;
  readonly state: Job['state'];
  readonly rows: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly unknown: number;
  readonly pending: number;
  readonly skipped: number;
  /** Rows at the end of the file that were left out. */
  readonly footerRows: number;
  readonly rejectsFile: string | null;
  readonly problems: readonly object[];
  /** For the upload of a rejects file: the job that made it. */
  readonly parent?: string;
}
export type JobSummary = ExportSummary | UploadSummary;

/** The path of a file that a job made. */
function pathOf({ artifacts }: Job, kind: JobArtifact['kind'], files: Files): string | null {
  const artifact = artifacts.find((made) => made.kind === kind);
  return artifact ? files.source(artifact.token).path : null;
}

function exportSummary(job: ExportJob, files: Files): ExportSummary {
  const { id, state, result, progress } = job;
  return {
    job: id,
    state,
    rows: result?.rows ?? progress.rows,
    bytes: result?.bytes ?? progress.bytes,
    sha256: result?.sha256 ?? null,
    file: pathOf(job, 'result', files),
    manifest: pathOf(job, 'manifest', files),
    warnings: result?.warnings ?? [],
  };
}

function uploadSummary(job: UploadJob, files: Files): UploadSummary {
  const { id, state, result, progress, parent } = job;
  // A job that was stopped before it had a ledger has sent nothing: all its rows, as far as they are known, wait.
  const rows = progress.totalRows ?? 0;
  const nothing = { rows, accepted: 0, rejected: 0, unknown: 0, pending: rows, skipped: 0 };
  return {
    job: id,
    state,
    ...(result?.ledger ?? nothing),
    footerRows: result?.footerRows ?? 0,
    rejectsFile: pathOf(job, 'rejects', files),
    problems: result?.problems ?? [],
    ...(parent ? { parent: parent.job } : {}),
  };
}

/** The summary of a job, with the paths of the files that it made. */
export function summaryOf(job: Job, files: Files): JobSummary {
  return job.kind === 'export' ? exportSummary(job, files) : uploadSummary(job, files);
}
