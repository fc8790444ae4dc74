import { createStore } from 'zustand/vanilla';
import { AppError } from '../../../shared/errors/errors.ts';
import type { SavedQuery } from '../../../shared/saved/saved.ts';
import { sameScope, type ScopedWell } from '../../../shared/wells/wells.ts';
import { compareNames } from '../../format/order.ts';
import { createLatestTask, type LatestTask } from '../../state/latest-task.ts';
import { sharedMaxAgeMs } from '../../state/resource.ts';
import { idle, load, loaded, loading, type Loadable } from '../../state/loadable.ts';
import type { PartContent } from './read-part.ts';

export interface ReportPart {
  readonly query: SavedQuery;
  /** Idle: it waits for others. */
  readonly content: Loadable<PartContent>;
  /** The number of records that were read so far, where that takes several requests. */
  readonly rows: number;
}

export interface ReportState {
  readonly note: string;
  /** Those that the parts are read for. */
  readonly wells: readonly ScopedWell[];
  readonly parts: Loadable<readonly ReportPart[]>;
  /** When the parts were requested, in Unix milliseconds. */
  readonly askedAt: number;
}

export interface PartRequest {
  readonly query: SavedQuery;
  readonly wells: readonly ScopedWell[];
  /** The time of the service, which all parts have as their current one. */
  readonly now: number;
  readonly signal: AbortSignal;
  readonly onRows: (rows: number) => void;
}

interface ReportDependencies {
  readonly listQueries: (signal: AbortSignal) => Promise<readonly SavedQuery[]>;
  /** @throws AppError */
  readonly readPart: (request: PartRequest) => Promise<PartContent>;
  /** The time of the service, in Unix milliseconds. */
  readonly timeAt: (query: SavedQuery) => Promise<number>;
  /** The wells of the tab. */
  readonly wells: () => readonly ScopedWell[];
}

/** More would make each of them late on a slow link. */
const readers = 2;
/** Wells are selected one after another: only the final selection is read. */
const settleMs = 400;

export type ReportTab = ReturnType<typeof createReportTab>;

/** The queries of a folder, read two at a time for the wells of the tab. */
export function createReportTab(
  { listQueries, readPart, timeAt, wells }: ReportDependencies,
  { folder, note }: { readonly folder: string; readonly note: string },
) {
  const store = createStore<ReportState>()(() => ({ note, wells: [], parts: idle, askedAt: 0 }));
  const { getState, setState } = store;
  /** Those of the current reading: the list, and its parts. What is dropped is never shown. */
  let tasks: LatestTask[] = [];
  /** The time of the service for the current reading. */
  let now = 0;
  let reading: Promise<unknown> = Promise.resolve();
  let settling: ReturnType<typeof setTimeout> | undefined;

  function stop(): void {
    clearTimeout(settling);
    tasks.forEach(({ drop }) => drop());
    tasks = [];
  }
  function startTask(): LatestTask {
    const task = createLatestTask();
    tasks.push(task);
    return task;
  }
  const change = (id: string, part: Partial<ReportPart>): void =>
    setState(({ parts }) =>
      parts.status === 'loaded'
        ? {
            parts: loaded(
              parts.value.map((other) => (other.query.id === id ? { ...other, ...part } : other)),
            ),
          }
        : {},
    );

  async function readOne(query: SavedQuery): Promise<void> {
    const { wells: readWells } = getState();
    change(query.id, { content: loading, rows: 0 });
    const read = (signal: AbortSignal) =>
      readPart({
        query,
        wells: readWells,
        now,
        signal,
        onRows(rows) {
          if (!signal.aborted) change(query.id, { rows });
        },
      });
    await load(startTask(), read, (content) => change(query.id, { content }));
  }

  /** The queries of the folder, and the time for all of them. */
  async function listParts(signal: AbortSignal): Promise<readonly ReportPart[]> {
    const all = await listQueries(signal);
    const queries = all
      .filter((query) => query.folder === folder)
      .toSorted((a, b) => compareNames(a.name, b.name));
    const [first] = queries;
    const time = first ? await timeAt(first) : 0;
    // Ranges are shown in whole seconds.
    if (!signal.aborted) now = time - (time % 1000);
    return queries.map((query) => ({ query, content: idle, rows: 0 }));
  }

  async function readAll(): Promise<void> {
    const parts = await load(startTask(), listParts, (next) => setState({ parts: next }));
    const current = tasks;
    const queue = [...(parts ?? [])];
    const readNext = async (): Promise<void> => {
      const part = current === tasks ? queue.shift() : undefined;
      if (!part) return;
      await readOne(part.query);
      await readNext();
    };
    await Promise.all(Array.from({ length: readers }, readNext));
  }

  const actions = {
    type: (text: string): void => setState({ note: text }),
    /** Reads all parts, in place of what an earlier reading shows or waits for. */
    async read(): Promise<void> {
      stop();
      setState({ wells: wells(), parts: loading, askedAt: Date.now() });
      reading = readAll();
      await reading;
    },
    async retry(query: SavedQuery): Promise<void> {
      reading = Promise.all([reading, readOne(query)]);
      await reading;
    },
    /** The tab is in view or hidden, or its wells may have changed. */
    setVisible(isVisible: boolean): void {
      const { parts, wells: shown } = getState();
      if (!isVisible || (parts.status !== 'idle' && sameScope(shown, wells()))) return;
      if (parts.status === 'idle') return void actions.read();
      stop();
      setState({ wells: wells(), parts: loading });
      settling = setTimeout(() => void actions.read(), settleMs);
    },
    /**
     * Waits until all parts are read, and reads them again if they are old, before they are handed on.
     * @throws AppError `cancelled` if they are read again meanwhile, as for other wells, or the tab is closed
     */
    async refreshOld(): Promise<void> {
      if (Date.now() - getState().askedAt > sharedMaxAgeMs) void actions.read();
      const current = tasks;
      await reading;
      if (current !== tasks) throw new AppError('cancelled', {});
    },
    /** Aborts all requests. */
    close: stop,
  };
  return { store, actions, folder };
}
