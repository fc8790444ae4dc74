import { createStore } from 'zustand/vanilla';
import type { CellReason, FixedRows, RejectedRow, RejectedRows } from '../../../../shared/contract/upload.ts';
import type { AppError } from '../../../../shared/errors/errors.ts';
import type { Api } from '../../../api/api.ts';
import { createLatestTask } from '../../../state/latest-task.ts';
import { idle, load, loading, type Loadable } from '../../../state/loadable.ts';

export interface RejectedRowsState {
  readonly rejected: Loadable<RejectedRows>;
  /** The changed cells of rows, by line and column. */
  readonly edits: ReadonlyMap<number, ReadonlyMap<number, string>>;
  /** Why rows were still wrong when they were last sent, by line. */
  readonly wrong: ReadonlyMap<number, readonly CellReason[]>;
  readonly isSending: boolean;
  readonly error: AppError | null;
  /** How many rows were sent last; null: none. */
  readonly sentCount: number | null;
}

/** The cells of a row as they are now; empty for a row that can't be edited. */
const cellsNow = ({ line, cells }: RejectedRow, edits: RejectedRowsState['edits']): string[] =>
  (cells ?? []).map((cell, column) => edits.get(line)?.get(column) ?? cell);

/** The rows that can be sent, with their cells: those with a changed cell, and the others of their records. */
export function rowsToSend({
  rejected,
  edits,
}: Pick<RejectedRowsState, 'rejected' | 'edits'>): FixedRows['rows'] {
  if (rejected.status !== 'loaded') return [];
  const { rows } = rejected.value;
  const records = new Set(rows.filter(({ line }) => edits.has(line)).map(({ record }) => record));
  return rows
    .filter(({ record, cells }) => records.has(record) && cells !== null)
    .map((row) => ({ line: row.line, cells: cellsNow(row, edits) }));
}

const without = <T>(byLine: ReadonlyMap<number, T>, rows: FixedRows['rows']): ReadonlyMap<number, T> => {
  const lines = new Set(rows.map(({ line }) => line));
  return new Map([...byLine].filter(([line]) => !lines.has(line)));
};

/** The rejected rows of an upload, which are fixed and sent as an upload that follows it. @param job its id */
export function createRejectedRows(
  api: { readonly upload: Pick<Api['upload'], 'rejected' | 'sendFixed'> },
  job: string,
) {
  const store = createStore<RejectedRowsState>()(() => ({
    rejected: idle,
    edits: new Map(),
    wrong: new Map(),
    isSending: false,
    error: null,
    sentCount: null,
  }));
  const [loadTask, sendTask] = [createLatestTask(), createLatestTask()];

  const request = (signal: AbortSignal) => api.upload.rejected({ job }, { signal });
  const loadRows = () => load(loadTask, request, (rejected) => store.setState({ rejected }));

  return {
    store,
    actions: {
      /** Loads the rows; those that are shown stay until then. */
      async load(): Promise<void> {
        if (store.getState().rejected.status !== 'loaded') store.setState({ rejected: loading });
        await loadRows();
      },
      edit(row: RejectedRow, column: number, text: string): void {
        store.setState(({ edits, wrong }) => {
          const cells = new Map(edits.get(row.line));
          if (text === row.cells?.[column]) cells.delete(column);
          else cells.set(column, text);
          const next = new Map(edits).set(row.line, cells);
          if (cells.size === 0) next.delete(row.line);
          // What was wrong with the cell is no longer known; other cells of the row still are.
          const otherReasons = wrong.get(row.line)?.filter((reason) => reason.column !== column) ?? [];
          const nowWrong = new Map(wrong).set(row.line, otherReasons);
          return { edits: next, wrong: nowWrong, sentCount: null, error: null };
        });
      },
      /** Sends the fixed rows; nothing while they are being sent. */
      async send(): Promise<void> {
        const rows = rowsToSend(store.getState());
        if (rows.length === 0 || store.getState().isSending) return;
        store.setState({ isSending: true, error: null, sentCount: null });
        await sendTask.run((signal) => api.upload.sendFixed({ job, rows }, { signal }), {
          onDone(result) {
            if (result.status === 'wrong')
              return store.setState({
                isSending: false,
                wrong: new Map(result.rows.map(({ line, reasons }) => [line, reasons])),
              });
            // Other rows may have been edited meanwhile.
            store.setState(({ edits, wrong }) => ({
              isSending: false,
              sentCount: rows.length,
              edits: without(edits, rows),
              wrong: without(wrong, rows),
            }));
            void loadRows();
          },
          onFailed: (error) => store.setState({ isSending: false, error }),
          onCanceled: () => store.setState({ isSending: false }),
        });
      },
      /** Ends all requests; a follow-up that started continues. */
      close: (): void => [loadTask, sendTask].forEach((task) => task.drop()),
    },
  };
}

export type RejectedRowsModel = ReturnType<typeof createRejectedRows>;

/** The rejected rows of the job of a tab: they stay while its view is gone, so that edits aren't lost. */
export function createFixes(api: Parameters<typeof createRejectedRows>[0]) {
  let current: { readonly job: string; readonly model: RejectedRowsModel } | null = null;
  const close = (): void => current?.model.actions.close();
  return {
    forJob(job: string): RejectedRowsModel {
      if (current?.job === job) return current.model;
      close();
      const model = createRejectedRows(api, job);
      current = { job, model };
      return model;
    },
    /** Whether cells were edited that aren't sent. */
    hasEdits: (): boolean => current !== null && current.model.store.getState().edits.size > 0,
    close,
  };
}
