import { expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { job as jobSchema, type JobState } from '../../../src/shared/jobs/jobs.ts';
import { notifyUploads } from '../../../src/renderer/app/sessions.ts';
import type { JobsState } from '../../../src/renderer/features/jobs/jobs.ts';

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

it('an upload is reported when it stops: not before, not again, and not a dry run', () => {
  const store = createStore<JobsState>()(() => ({ jobs: [], isOpen: false, stopped: null, error: null }));
  const messages: string[] = [];
  notifyUploads(store, ({ id }) => messages.push(id));
  const show = (one: JobState, trial: JobState) =>
    store.setState({ jobs: [upload('upload-one', one), upload('trial-one', trial, true)] });
  show('running', 'running');
  show('waiting', 'running');
  expect(messages).toEqual([]);
  show('cancelled', 'done');
  show('cancelled', 'done');
  expect(messages).toEqual(['upload-one']);
  store.setState({ jobs: [upload('of-old-days', 'done')] });
  expect(messages).toEqual(['upload-one']);
});
