import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { ResultShape } from '../records/result.ts';
import type { Records } from '../records/records.ts';
import { sameHeads } from '../records/columns.ts';
import { namedHeads } from '../records/shown-cells.ts';
import { useAppState, useTab } from '../../contexts.ts';
import type { ColumnHead } from '../records/table.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import { failed, loaded, loading, type Loadable } from '../../state/loadable.ts';
import type { LoadAll } from './load-all.ts';
import type { Result } from './results.ts';
import { useStable } from '../../state/use-stable.ts';

export const useShape = (records: Records): ResultShape =>
  useSyncExternalStore(records.onGrow, records.shape);

/** How long no more rows arrive until all of them are drawn, in milliseconds. */
const settleMs = 500;

/**
 * The shape to draw: a plot reads all rows. While more arrive, as by scrolling, it is updated each time that their number
 * doubles, and once when no more arrive.
 * @param isLoading whether all rows load, without a pause until they have
 */
export function useDrawnShape(records: Records, isLoading: boolean): ResultShape {
  const shape = useShape(records);
  const [drawn, setDrawn] = useState({ records, shape });
  const isGrowing =
    drawn.records === records &&
    sameHeads(drawn.shape.columns, shape.columns) &&
    shape.held > drawn.shape.held &&
    shape.held < 2 * drawn.shape.held;
  useEffect(() => {
    if (!isGrowing || isLoading) return undefined;
    const timer = setTimeout(() => setDrawn({ records, shape }), settleMs);
    return () => clearTimeout(timer);
  }, [records, shape, isGrowing, isLoading]);
  if (drawn.shape === shape) return shape;
  if (isGrowing) return drawn.shape;
  setDrawn({ records, shape });
  return shape;
}

/** The columns of a result, with the names of wells if there are any. @param hidesIds whether these stand for asset ids */
export function useColumns(records: Records, hidesIds = false): readonly ColumnHead[] {
  const { columns } = useShape(records);
  const hasNames = useTab('shown').wellNames.size > 0;
  return useStableColumns(
    useMemo(() => namedHeads(columns, hasNames, hidesIds), [columns, hasNames, hidesIds]),
  );
}

/** The columns of the grid: names of wells stand for their asset ids, unless fields have the dataset's own names. */
export function useGridHeads({ held, request }: Pick<Result, 'held' | 'request'>): readonly ColumnHead[] {
  const isPlain = useAppState('settings', ({ values }) => values.names === 'plain');
  return useColumns(held, isPlain && request.kind === 'find');
}

/** The same array while columns are unchanged, so that the grid keeps its own. */
export const useStableColumns = (columns: readonly ColumnHead[]): readonly ColumnHead[] =>
  useStable(columns, sameHeads);

/**
 * Reads the loaded rows now and whenever there are more: one pass at a time, and none while all rows
 * load, because each pass reads every row.
 * @returns a function that stops
 */
export function watchGrowth<Value>(
  records: Pick<Records, 'onGrow'>,
  { store }: Pick<LoadAll, 'store'>,
  read: (signal: AbortSignal) => Promise<Value>,
  show: (value: Loadable<Value>) => void,
): () => void {
  let isUpdating = false;
  let hasGrown = false;
  const task = createLatestTask();
  async function updateOnce(): Promise<void> {
    hasGrown = true;
    while (hasGrown && !isUpdating && store.getState().status !== 'running') {
      hasGrown = false;
      isUpdating = true;
      await task.run(read, {
        onDone: (value) => show(loaded(value)),
        onFailed: (error) => show(failed(error)),
        onCanceled: () => undefined,
      });
      isUpdating = false;
    }
  }
  void updateOnce();
  const stops = [
    records.onGrow(() => void updateOnce()),
    store.subscribe((now, before) => {
      if (before.status === 'running' && now.status !== 'running') void updateOnce();
    }),
  ];
  return () => {
    hasGrown = false;
    task.drop();
    for (const stop of stops) stop();
  };
}

/**
 * What is computed of the loaded rows of a result, and again whenever there are more.
 * @param read a new function for something else to compute
 */
export function useOfLoadedRows<Value>(records: Records, read: () => Promise<Value>): Loadable<Value> {
  const { loadAll } = useTab('results');
  const [value, setValue] = useState<Loadable<Value>>(loading);
  useEffect(() => watchGrowth(records, loadAll, read, setValue), [records, loadAll, read]);
  return value;
}
