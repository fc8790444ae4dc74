import { toAppError, type AppError } from '../../../../shared/errors/errors.ts';
import type { GrantedFile } from '../../../../shared/files/files.ts';
import type { FilePreview } from '../../../../shared/upload/preview.ts';
import { createLatestTask } from '../../../state/latest-task.ts';
import { idle, load, loading, type Loadable } from '../../../state/loadable.ts';
import { nullTokens, valueChoices } from '../columns/mapping-choices.ts';
import { withFile, type PickedFile, type UploadNeeds, type UploadStore } from '../upload-state.ts';
import type { ReadingChoices } from './reading-choices.ts';

/** So many lines before the one that is gone to are shown too. */
const linesBefore = 5;

/** Brings a file to hand and reads it; what a call gives says how it went. */
export function createFileReading(store: UploadStore, { api, handOver }: UploadNeeds) {
  const handing = createLatestTask();
  const previewing = createLatestTask();
  const inspecting = createLatestTask();
  const lines = createLatestTask();
  /** The choices for values that the file was read with last. */
  let readWith = '';

  const begin = (file: PickedFile) => store.setState((now) => withFile(now, file));
  const refuse = (name: string, error: AppError) => begin({ status: 'failed', name, error });

  const preview = (source: string, reading: ReadingChoices) =>
    load(
      previewing,
      (signal) => api.upload.preview({ source, ...reading }, { signal }),
      (part) => store.setState({ preview: part, ...(part.status === 'failed' ? { inspection: idle } : {}) }),
    );

  async function inspect(): Promise<boolean> {
    const { file, reading, choices } = store.getState();
    if (file.status !== 'granted') return false;
    const { token: source } = file.file;
    const values = valueChoices(choices);
    readWith = JSON.stringify(values);
    const { keepAsText, exceptionShare } = values;
    const request = {
      source,
      ...reading,
      nulls: nullTokens(values.nulls),
      ...(keepAsText ? { keepAsText: [...keepAsText] } : {}),
      exceptionShare,
    };
    const inspection = await load(
      inspecting,
      (signal) => api.upload.inspect(request, { signal }),
      (part) => store.setState({ inspection: part }),
    );
    if (!inspection) return false;
    const { preview: shown } = store.getState();
    const { encoding, footerRows } = inspection;
    // Only the whole file shows that it is not in the encoding that its start let suppose.
    if (shown.status === 'loaded' && shown.value.encoding !== encoding)
      void preview(source, { ...reading, encoding, footerRows });
    void reread();
    return true;
  }

  /** Reads the file again where other values are null now; what is known of it stays until then. */
  async function reread(): Promise<void> {
    const { inspection, choices } = store.getState();
    const isSame = JSON.stringify(valueChoices(choices)) === readWith;
    if (inspection.status === 'loaded' && !isSame) await inspect();
  }

  return {
    begin,
    reread,
    /** Takes a file of the page's own; null: it could not be taken, or was given up. */
    async take(file: File): Promise<GrantedFile | null> {
      let granted: GrantedFile | null = null;
      begin({ status: 'handing', name: file.name, bytes: file.size });
      await handing.run((signal) => handOver(file, signal), {
        onDone: (taken) => (granted = taken),
        onFailed: (error) => refuse(file.name, error),
        onCanceled: () => begin({ status: 'none' }),
      });
      return granted;
    },
    /** Asks by the system's dialog. */
    async choose(): Promise<readonly GrantedFile[]> {
      try {
        return await api.files.chooseSources({});
      } catch (error) {
        refuse('', toAppError(error));
        return [];
      }
    },
    /** Shows how the file begins, then reads all of it; whether that was done. */
    async read(): Promise<boolean> {
      const { file, reading } = store.getState();
      if (file.status !== 'granted') return false;
      inspecting.drop();
      store.setState({ preview: loading, lookedAt: null, inspection: idle });
      if (!(await preview(file.file.token, reading))) return false;
      store.setState({ inspection: loading });
      return inspect();
    },
    /** Shows a line of the file; a column of it is marked where one is meant. */
    async showLine(line: number, column: string | null): Promise<void> {
      const { file, reading, inspection, preview: start, lookedAt } = store.getState();
      if (file.status !== 'granted') return;
      const show = (rows: Loadable<FilePreview>) =>
        store.setState({ lookedAt: rows.status === 'idle' ? null : { line, column, rows } });
      const holds = (rows: Loadable<FilePreview> | undefined) =>
        rows?.status === 'loaded' && rows.value.rows.some((row) => row.line === line);
      lines.drop();
      const shown = [lookedAt?.rows, start].find(holds);
      if (shown) return show(shown);
      show(loading);
      // The encoding may be known from the whole file alone.
      const encoding = inspection.status === 'loaded' ? { encoding: inspection.value.encoding } : {};
      const { token: source } = file.file;
      const from = Math.max(line - linesBefore, 1);
      await load(
        lines,
        (signal) => api.upload.preview({ source, ...encoding, ...reading, from }, { signal }),
        show,
      );
    },
    /** Back to the first rows. */
    leaveLine() {
      lines.drop();
      store.setState({ lookedAt: null });
    },
    /** Gives up what is under way. */
    cancel() {
      for (const task of [handing, previewing, inspecting]) task.cancel();
    },
    /** Ends what is under way, and says nothing of it. */
    drop() {
      for (const task of [handing, previewing, inspecting, lines]) task.drop();
    },
  };
}
