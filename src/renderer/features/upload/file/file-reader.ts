import { toAppError, type AppError } from '../../../../shared/errors/errors.ts';
import type { GrantedFile } from '../../../../shared/files/files.ts';
import type { FilePreview } from '../../../../shared/upload/preview.ts';
import { createLatestTask } from '../../../state/latest-task.ts';
import { load, loading, type Loadable } from '../../../state/loadable.ts';
import { withFile } from '../upload-changes.ts';
import { isConverted, type UploadFile, type UploadDependencies, type UploadStore } from '../upload-state.ts';

/** Lines shown before the requested one. */
const linesBefore = 5;

/** Adds a file, and shows lines of it. */
export function createFileReader(store: UploadStore, { api, transferFile }: UploadDependencies) {
  const transferTask = createLatestTask();
  const lineTask = createLatestTask();

  const setFile = (file: UploadFile) => store.setState((now) => withFile(now, file));
  const hasFile = () => 'file' in store.getState().file;
  // The current file stays with its mapping until another one is there.
  const failFile = (name: string, error: AppError) =>
    hasFile()
      ? store.setState({ nextFile: { status: 'failed', error } })
      : setFile({ status: 'failed', name, error });

  async function orFail<T>(call: () => Promise<T>, failed: T): Promise<T> {
    try {
      return await call();
    } catch (error) {
      failFile('', toAppError(error));
      return failed;
    }
  }

  return {
    /** Transfers a file of the page to main; null: the transfer failed or was canceled. */
    async transfer(file: File): Promise<GrantedFile | null> {
      const nextFile = { status: 'transferring', name: file.name, bytes: file.size } as const;
      // A queue could send the current file after this one was selected.
      if (hasFile()) store.setState({ nextFile, isQueued: false, queuedAfter: null });
      else setFile(nextFile);
      let granted: GrantedFile | null = null;
      await transferTask.run((signal) => transferFile(file, signal), {
        onDone: (result) => (granted = result),
        onFailed: (error) => failFile(file.name, error),
        onCanceled: () => (hasFile() ? store.setState({ nextFile: null }) : setFile({ status: 'none' })),
      });
      return granted;
    },
    /** The sample file; null: it isn't available, which the state says. */
    takeSample: () => orFail<GrantedFile | null>(() => api.files.sample({}), null),
    openDialog: () => orFail<readonly GrantedFile[]>(() => api.files.chooseSources({}), []),
    /** Shows a line of the file, and marks a column of it if there is one. */
    async showLine(line: number, column: string | null): Promise<void> {
      const { file, reading, inspection, preview: start, viewedLine } = store.getState();
      if (file.status !== 'ready') return;
      const show = (rows: Loadable<FilePreview>) =>
        store.setState({ viewedLine: rows.status === 'idle' ? null : { line, column, rows } });
      const hasLine = (rows: Loadable<FilePreview> | undefined) =>
        rows?.status === 'loaded' && rows.value.rows.some((row) => row.line === line);
      lineTask.drop();
      const shown = [viewedLine?.rows, start].find(hasLine);
      if (shown) return show(shown);
      show(loading);
      // The encoding may come from the inspection of the whole file.
      const isText = inspection.status === 'loaded' && !isConverted(inspection.value);
      const encoding = isText ? { encoding: inspection.value.encoding } : {};
      const { token: source } = file.file;
      const from = Math.max(line - linesBefore, 1);
      await load(
        lineTask,
        (signal) => api.upload.preview({ source, ...encoding, ...reading, from }, { signal }),
        show,
      );
    },
    /** Shows the first rows again. */
    leaveLine() {
      lineTask.drop();
      store.setState({ viewedLine: null });
    },
    /** @returns whether the file that is to replace the current one was being transferred */
    cancel(): boolean {
      transferTask.cancel();
      return store.getState().nextFile?.status === 'transferring';
    },
    /** Aborts all tasks without changing the state. */
    drop() {
      for (const task of [transferTask, lineTask]) task.drop();
    },
  };
}
