import { basename } from 'node:path';
import type { calls } from '../../../shared/contract/contract.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import { job, type Job, type JobArtifact, type JobKind } from '../../../shared/jobs/jobs.ts';
import type { Files } from '../files/files.ts';
import type { ModuleHandlers } from '../handlers.ts';
import type { JobRunner } from './runner.ts';
import type { StoredSummary } from './job-files.ts';

/** Jobs as the contract shows them, with tokens instead of paths. */
export function createJobs({ files }: { files: Files }) {
  /** A running job is published several times a second: its drives aren't accessed each time. */
  const grantedArtifacts = new WeakMap<StoredSummary['artifacts'][number], JobArtifact>();

  async function artifactOf(stored: StoredSummary['artifacts'][number]): Promise<JobArtifact | null> {
    const earlier = grantedArtifacts.get(stored);
    if (earlier) return earlier;
    const { kind, path } = stored;
    const name = basename(path);
    const granted = await files.grantSource({ place: 'path', path, name }).catch(() => null);
    if (!granted) return null;
    const artifact = { kind, name, bytes: granted.bytes ?? 0, token: granted.token };
    grantedArtifacts.set(stored, artifact);
    return artifact;
  }

  return {
    async toJob(id: string, kind: JobKind, summary: StoredSummary): Promise<Job> {
      const artifacts = await Promise.all(summary.artifacts.map(artifactOf));
      const fields = { ...summary, id, kind, artifacts: artifacts.filter((artifact) => artifact !== null) };
      const parsed = job.safeParse(fields);
      if (parsed.success) return parsed.data;
      // A damaged result must not hide the job or the rest of the list.
      const file = `summary.json of job ${id}`;
      const error = new AppError('file_unreadable', { file, reason: 'its result is damaged' });
      return job.parse({ ...fields, state: 'unreadable', error: error.toBody(), result: null });
    },

    handlers(runner: JobRunner): ModuleHandlers<(typeof calls)['jobs']> {
      const empty = {};
      return {
        list: () => runner.list(),
        show: ({ job }) => runner.show(job),
        resume: ({ job }) => runner.resume(job).then(() => empty),
        pause: async ({ job }) => {
          runner.pause(job);
          return empty;
        },
        answer: async ({ job, answer }) => {
          runner.answer(job, answer);
          return empty;
        },
        cancel: ({ job }) => runner.cancel(job).then(() => empty),
        discard: ({ job }) => runner.discard(job).then(() => empty),
      };
    },
  };
}
