import type { StoreApi } from 'zustand/vanilla';
import type { Mapping } from '../../../../shared/upload/upload.ts';
import type { Api } from '../../../api/api.ts';
import { latest } from '../../../state/latest.ts';
import { jobOf, noRun, type Run, type UploadTabState } from '../upload-state.ts';

/** The jobs of an upload: the trial over all rows, and the one that sends them. */
export interface UploadRuns {
  readonly start: (which: 'check' | 'send') => Promise<void>;
  /** Gives up a job that has not begun. */
  readonly cancelStart: () => void;
  readonly drop: () => void;
}

export interface UploadRunsNeeds {
  readonly store: StoreApi<UploadTabState>;
  readonly api: Pick<Api['upload'], 'start'>;
  readonly connection: string;
  readonly mapping: () => Mapping;
  /** Stops a job and removes it; never rejects. */
  readonly dropJob: (job: string) => Promise<void>;
}

export function createUploadRuns({ store, api, connection, mapping, dropJob }: UploadRunsNeeds): UploadRuns {
  // Each has its own: sending must not leave a check behind that never ends.
  const starting = { check: latest(), send: latest() };
  // A trial is of use while it is looked at; what it leaves behind would only stand in the way of the uploads.
  store.subscribe((now, before) => {
    const gone = jobOf(before.check);
    if (gone !== null && gone !== jobOf(now.check)) void dropJob(gone);
    // The choices are others now: what began with those before is given up.
    if (before.check.face === 'starting' && now.check.face === 'none') starting.check.drop();
  });

  return {
    async start(which) {
      const { file, dataset, reading, existing } = store.getState();
      if (file.face !== 'granted' || !dataset) return;
      const set = (run: Run) => store.setState({ [which]: run });
      const request = {
        connection,
        provider: dataset.provider,
        dataset: dataset.dataset,
        source: file.file.token,
        reading,
        mapping: mapping(),
        existing,
        dryRun: which === 'check',
      };
      set({ face: 'starting' });
      await starting[which].run((signal) => api.start(request, { signal }), {
        done({ job }) {
          set({ face: 'started', job });
          if (which === 'send') store.setState({ check: noRun });
        },
        failed: (error) => set({ face: 'failed', error }),
        cancelled: () => set(noRun),
      });
    },
    cancelStart() {
      for (const task of Object.values(starting)) task.cancel();
    },
    drop() {
      for (const task of Object.values(starting)) task.drop();
    },
  };
}
