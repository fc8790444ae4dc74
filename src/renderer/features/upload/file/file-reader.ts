import { toAppError, type AppError } from '../../../../shared/errors/errors.ts';
import type { GrantedFile } from '../../../../shared/files/files.ts';
import type { FilePreview } from '../../../../shared/upload/preview.ts';
import { createLatestTask } from '../../../state/latest-task.ts';
import { idle, load, loading, type Loadable } from '../../../state/loadable.ts';
import { valueChoices, withNullText } from '../columns/mapping-choices.ts';
import {
  isConverted,
  withFile,
  type UploadFile,
  type UploadDependencies,
  type UploadStore,
} from '../upload-state.ts';
import type { FormatOptions } from './format-options.ts';

/** Lines shown before the requested one. */
const linesBefore = 5;

/** Adds and reads a file, and keeps the results in the state. */
export function createFileReader(store: UploadStore, { api, transferFile }: UploadDependencies) {
  const transferTask = createLatestTask();
  const previewTask = createLatestTask();
  const inspectTask = createLatestTask();
  const lineTask = createLatestTask();
  /** The value choices of the last inspection, as JSON. */
  let lastValuesKey = '';
  // Once for each file: a person may want them as numbers.
  let offersNulls = false;

  const setFile = (file: UploadFile) => store.setState((now) => withFile(now, file));
  const hasFile = () => 'file' in store.getState().file;
  // The current file stays with its mapping until another one is there.
  const failFile = (name: string, error: AppError) =>
    hasFile()
      ? store.setState({ nextFile: { status: 'failed', error } })
      : setFile({ status: 'failed', name, error });

  const preview = (source: string, reading: FormatOptions) =>
    load(
      previewTask,
      (signal) => api.upload.preview({ source, ...reading }, { signal }),
      (part) => store.setState({ preview: part, ...(part.status === 'failed' ? { inspection: idle } : {}) }),
    );

  async function inspect(): Promise<boolean> {
    const { file, reading, choices } = store.getState();
    if (file.status !== 'ready') return false;
    const { token: source } = file.file;
    const values = valueChoices(choices);
    lastValuesKey = JSON.stringify(values);
    const { keepAsText, exceptionShare } = values;
    const request = {
      source,
      ...reading,
      nulls: [...values.nulls],
      ...(keepAsText ? { keepAsText: [...keepAsText] } : {}),
      exceptionShare,
    };
    const inspection = await load(
      inspectTask,
      (signal) => api.upload.inspect(request, { signal }),
      (part) => store.setState({ inspection: part }),
    );
    if (!inspection) return false;
    const { preview: current } = store.getState();
    const { encoding, footerRows } = inspection;
    // Only the whole file shows whether the encoding guessed from its start is right.
    if (current.status === 'loaded' && current.value.encoding !== encoding)
      void preview(source, { ...reading, encoding, footerRows });
    void inspectAgain();
    return true;
  }

  /** Selects the numbers that mean null in a new file, and inspects it with them. */
  async function offerNulls(): Promise<void> {
    const { inspection, choices } = store.getState();
    if (!offersNulls || inspection.status !== 'loaded') return;
    const proposedNulls = inspection.value.likelyNulls ?? [];
    if (proposedNulls.length === 0) return;
    offersNulls = false;
    store.setState({ proposedNulls, choices: proposedNulls.reduce(withNullText, choices) });
    await inspectAgain();
  }

  /** Inspects the file again if null values changed. The previous results stay until then. */
  async function inspectAgain(): Promise<void> {
    const { inspection, choices } = store.getState();
    const isSame = JSON.stringify(valueChoices(choices)) === lastValuesKey;
    if (inspection.status === 'loaded' && !isSame) await inspect();
  }

  return {
    begin(file: UploadFile) {
      offersNulls = true;
      setFile(file);
    },
    reread: inspectAgain,
    /** Transfers a file of the page to main; null: the transfer failed or was canceled. */
    async transfer(file: File): Promise<GrantedFile | null> {
      let granted: GrantedFile | null = null;
      const nextFile = { status: 'transferring', name: file.name, bytes: file.size } as const;
      // A queue could send the current file after this one was selected.
      if (hasFile()) store.setState({ nextFile, isQueued: false, queuedAfter: null });
      else setFile(nextFile);
      await transferTask.run((signal) => transferFile(file, signal), {
        onDone: (result) => (granted = result),
        onFailed: (error) => failFile(file.name, error),
        onCanceled: () => (hasFile() ? store.setState({ nextFile: null }) : setFile({ status: 'none' })),
      });
      return granted;
    },
    /** The sample file; null: it isn't available, which the state says. */
    async takeSample(): Promise<GrantedFile | null> {
      try {
        return await api.files.sample({});
      } catch (error) {
        failFile('', toAppError(error));
        return null;
      }
    },
    async openDialog(): Promise<readonly GrantedFile[]> {
      try {
        return await api.files.chooseSources({});
      } catch (error) {
        failFile('', toAppError(error));
        return [];
      }
    },
    /**
     * Previews the start of the file, then inspects all of it.
     * @param keepsPreview whether the previous preview stays until the next one is available
     * @returns whether it was inspected
     */
    async read(keepsPreview = false): Promise<boolean> {
      const { file, reading } = store.getState();
      if (file.status !== 'ready') return false;
      inspectTask.drop();
      // A line of the file as it was read before.
      lineTask.drop();
      store.setState({ ...(keepsPreview ? {} : { preview: loading }), viewedLine: null, inspection: idle });
      if (!(await preview(file.file.token, reading))) return false;
      store.setState({ inspection: loading });
      if (!(await inspect())) return false;
      await offerNulls();
      return true;
    },
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
    cancel() {
      // The current file may still be read.
      if (store.getState().nextFile?.status === 'transferring') return transferTask.cancel();
      for (const task of [transferTask, previewTask, inspectTask]) task.cancel();
    },
    /** Aborts all tasks without changing the state. */
    drop() {
      for (const task of [transferTask, previewTask, inspectTask, lineTask]) task.drop();
    },
  };
}
