import type { UploadRequest } from '../../../../shared/upload/upload.ts';
import { createLatestTask } from '../../../state/latest-task.ts';
import { jobOf, noRun, type Run, type UploadDependencies, type UploadStore } from '../upload-state.ts';
import { uploadSource } from '../upload-plan.ts';

/** The jobs of an upload: the check of all rows, and the job that sends them. */
export function createUploadRuns(
  store: UploadStore,
  {
    api,
    connection,
    removeJob,
    resumeJob,
  }: Pick<UploadDependencies, 'api' | 'connection' | 'removeJob' | 'resumeJob'>,
) {
  // Separate tasks: starting to send must not drop a check that is starting.
  const startTasks = { check: createLatestTask(), send: createLatestTask() };
  // A finished check has no further use and would stay in the list of jobs.
  store.subscribe((now, before) => {
    const formerJob = jobOf(before.check);
    if (formerJob !== null && formerJob !== jobOf(now.check)) void removeJob(formerJob);
    // A check that started with earlier choices is aborted.
    if (before.check.status === 'starting' && now.check.status === 'none') startTasks.check.drop();
  });

  /** The plan of the choices; null: the file or the dataset is missing. */
  function requestOf() {
    const source = uploadSource(store.getState());
    return source && { connection, ...source, existing: store.getState().existing };
  }

  async function send(how: Partial<Pick<UploadRequest, 'checked' | 'again'>> = {}): Promise<void> {
    const request = requestOf();
    if (!request) return;
    const set = (run: Run) => store.setState({ send: run });
    set({ status: 'starting' });
    await startTasks.send.run((signal) => api.upload.start({ ...request, ...how }, { signal }), {
      onDone: ({ job }) => store.setState({ send: { status: 'started', job }, check: noRun }),
      onFailed(error) {
        set({ status: 'failed', error });
        // What was checked is no longer what would be sent.
        if (error.is('upload_changed')) store.setState({ check: noRun });
      },
      onCanceled: () => set(noRun),
    });
  }

  return {
    async check(): Promise<void> {
      const request = requestOf();
      if (!request) return;
      const set = (check: Run) => store.setState({ check });
      set({ status: 'starting' });
      await startTasks.check.run((signal) => api.upload.start({ ...request, dryRun: true }, { signal }), {
        onDone: ({ job }) => set({ status: 'started', job }),
        onFailed: (error) => set({ status: 'failed', error }),
        onCanceled: () => set(noRun),
      });
    },
    /**
     * Sends what was checked, once; nothing without a check.
     * @param again whether to send it although an earlier upload of the file can be resumed
     */
    async send(again = false): Promise<void> {
      const { check, send: run } = store.getState();
      if (check.status === 'started' && run.status !== 'starting') await send({ checked: check.job, again });
    },
    /** Resumes the earlier upload because of which this one was refused, and shows it in this tab. */
    async resumeEarlier(): Promise<void> {
      const { send: run } = store.getState();
      if (run.status !== 'failed' || !run.error.is('upload_repeated')) return;
      const { job, isRunning } = run.error.details;
      if (!isRunning) await resumeJob(job);
      store.setState({ send: { status: 'started', job }, check: noRun });
    },
    /** Sends a file of a queue, which is matched with the mapping of a checked one. */
    sendQueued: () => send(),
    /** Cancels a job before it starts. */
    cancelStart() {
      for (const task of Object.values(startTasks)) task.cancel();
    },
    drop() {
      for (const task of Object.values(startTasks)) task.drop();
    },
  };
}
