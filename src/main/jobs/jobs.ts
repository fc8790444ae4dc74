import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { calls } from '../../shared/contract/contract.ts';
import { AppError } from '../../shared/errors/errors.ts';
import { job, type Job, type JobArtifact, type JobKind } from '../../shared/jobs/jobs.ts';
import type { Files } from '../files/files.ts';
import type { RoomHandlers } from '../handlers.ts';
import type { JobRunner } from './runner.ts';
import type { StoredSummary } from './store.ts';

/** Jobs as the contract shows them: paths become tokens on the way out. */
export function createJobs({ files }: { files: Files }) {
  async function artifactOf({ kind, path }: StoredSummary['artifacts'][number]): Promise<JobArtifact | null> {
    const bytes = await stat(path).then(
      (found) => (found.isFile() ? found.size : null),
      () => null,
    );
    if (bytes === null) return null;
    const name = basename(path);
    const { token } = await files.grantSource({ place: 'path', path, name });
    return { kind, name, bytes, token };
  }

  return {
    async toJob(id: string, kind: JobKind, summary: StoredSummary): Promise<Job> {
      const artifacts = await Promise.all(summary.artifacts.map(artifactOf));
      const facts = { ...summary, id, kind, artifacts: artifacts.filter((artifact) => artifact !== null) };
      const whole = job.safeParse(facts);
      if (whole.success) return whole.data;
      // A damaged result must hide neither the job nor the others of the list.
      const file = `summary.json of job ${id}`;
      const error = new AppError('file_unreadable', { file, reason: 'its result is damaged' });
      return job.parse({ ...facts, state: 'unreadable', error: error.toBody(), result: null });
    },

    handlers(runner: JobRunner): RoomHandlers<(typeof calls)['jobs']> {
      const done = {};
      return {
        list: () => runner.list(),
        show: ({ job }) => runner.show(job),
        resume: ({ job }) => runner.resume(job).then(() => done),
        pause: async ({ job }) => {
          runner.pause(job);
          return done;
        },
        answer: async ({ job, answer }) => {
          runner.answer(job, answer);
          return done;
        },
        cancel: ({ job }) => runner.cancel(job).then(() => done),
        discard: ({ job }) => runner.discard(job).then(() => done),
      };
    },
  };
}
