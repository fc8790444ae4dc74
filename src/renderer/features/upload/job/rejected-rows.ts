import { createStore } from 'zustand/vanilla';
import type { AppError } from '../../../../shared/errors/errors.ts';
import type { CellReason, FixedRows, RejectedRow, RejectedRows } from '../../../../shared/upload/fixes.ts';
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

export type RejectedRowsModel = ReturnType<typeof createRejectedRows>;

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

  async function loadRows(): Promise<void> {
    await load(
      loadTask,
      (signal) => api.upload.rejected({ job }, { signal }),
      (rejected) => store.setState({ rejected }),
    );
  }

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
          const next = new Map(edits);
          if (cells.size === 0) next.delete(row.line);
          else next.set(row.line, cells);
          // What was wrong with the cell is no longer known; other cells of the row still are.
          const otherReasons = wrong.get(row.line)?.filter((reason) => reason.column !== column) ?? [];
          return {
            edits: next,
            wrong: new Map(wrong).set(row.line, otherReasons),
            sentCount: null,
            error: null,
          };
        });
      },
      /** Sends the fixed rows; nothing while they are being sent. */
      async send(): Promise<void> {
        const rows = rowsToSend(store.getState());
        if (rows.length === 0 || store.getState().isSending) return;
        store.setState({ isSending: true, error: null, sentCount: null });
        await sendTask.run((signal) => api.upload.sendFixed({ job, rows }, { signal }), {
          onDone(result) {
            if (result.status === 'wrong') {
              const wrong = new Map(result.rows.map(({ line, reasons }) => [line, reasons]));
              store.setState({ isSending: false, wrong });
              return;
            }
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
      close(): void {
        loadTask.drop();
        sendTask.drop();
      },
    },
  };
}

/** Why a row is rejected now: as it was sent last, or else as it was rejected first. Changed cells have no reason. */
export function reasonsNow(
  row: RejectedRow,
  { edits, wrong }: Pick<RejectedRowsState, 'edits' | 'wrong'>,
): readonly CellReason[] {
  const again = wrong.get(row.line);
  const changed = edits.get(row.line);
  const first = row.reasons.filter(({ column }) => (column === null ? !changed : !changed?.has(column)));
  return again && again.length > 0 ? again : first;
}
