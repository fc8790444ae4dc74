import { expect, it } from 'vitest';
import { job as jobSchema, type Job, type JobState } from '../../../../src/shared/jobs/jobs.ts';
import { createJobs, type JobsApi } from '../../../../src/renderer/features/jobs/jobs.ts';

const upload = (id: string, state: JobState, dryRun = false) =>
  jobSchema.parse({
    id,
    kind: 'upload',
    state,
    address: { provider: 'demo', dataset: 'wits' },
    connection: 'Ridge',
    file: 'a.csv',
    started: '2026-11-21T00:00:00Z',
    updated: '2026-11-21T00:00:00Z',
    progress: { rows: 1, totalRows: 1, bytes: 0, rate: 0, secondsLeft: null, nextTryMs: null },
    error: null,
    artifacts: [],
    result: {
      ledger: { rows: 1, accepted: 1, rejected: 0, unknown: 0, pending: 0, skipped: 0 },
      dryRun,
      problems: [],
      warnings: [],
      footerRows: 0,
    },
  });

it('an upload is reported when it stops: not before, not again, and not a dry run', async () => {
  const events: Job[] = [
    { ...upload('of-old-days', 'done'), started: '2026-11-20T00:00:00Z' },
    ...(['running', 'waiting', 'cancelled', 'cancelled'] as const).map((state) =>
      upload('upload-one', state),
    ),
    ...(['running', 'done'] as const).map((state) => upload('trial-one', state, true)),
    ...(['running', 'done'] as const).map((state) => upload('upload-two', state)),
    // So short that it has ended when it is first listed.
    upload('upload-short', 'done'),
    upload('trial-short', 'done', true),
  ];
  const ended = new AbortController();
  const api = {
    jobs: { list: async () => ({ jobs: [], older: 0 }) },
    events: {
      jobs: async () =>
        (async function* stream() {
          yield* events;
          ended.abort();
        })(),
    },
  } as unknown as JobsApi;
  const stopped: string[] = [];
  const jobs = createJobs(
    api,
    () => undefined,
    ({ id, state }) => stopped.push(`${id} ${state}`),
    Date.parse('2026-11-21T00:00:00Z'),
  );
  await jobs.actions.follow(ended.signal);
  expect(stopped).toEqual(['upload-one cancelled', 'upload-two done', 'upload-short done']);
});
