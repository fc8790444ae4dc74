import {
  createGrid,
  type GridApi,
  type GridOptions,
  type IDatasource,
  type ManagedGridOptionKey,
  type ManagedGridOptions,
} from 'ag-grid-community';
import { type RefObject, useEffect, useEffectEvent, useState } from 'react';

/** What a grid is made with. */
export interface GridStart<Row> extends GridOptions<Row> {
  readonly columnDefs: NonNullable<GridOptions<Row>['columnDefs']>;
  readonly datasource: IDatasource;
}

/**
 * The library's grid in a place of the page, for as long as that is there. The library draws it by itself: its layer
 * for React makes a component of every cell, row and head.
 * @param start what the grid is made with, asked once; what is called later is effect events. What changes afterwards
 *   is told by `useOption`
 * @returns null until the grid stands, with its columns and first rows
 */
export function useGrid<Row>(
  place: RefObject<HTMLElement | null>,
  start: () => GridStart<Row>,
): GridApi<Row> | null {
  const [api, setApi] = useState<GridApi<Row> | null>(null);
  const options = useEffectEvent(start);
  useEffect(() => {
    if (!place.current) return undefined;
    const ended = new AbortController();
    build(place.current, () => options(), ended.signal).then(setApi, (error: unknown) =>
      // What goes wrong is told where the view's other faults are.
      setApi(() => {
        throw error;
      }),
    );
    return () => {
      setApi(null);
      ended.abort();
    };
  }, [place]);
  return api;
}

/**
 * Makes a grid in pieces, each a task of its own, for the first grid of a window holds it up for longer than a person
 * should wait for a key: first itself with its theme, then its columns, then its rows.
 */
async function build<Row>(
  place: HTMLElement,
  start: () => GridStart<Row>,
  signal: AbortSignal,
): Promise<GridApi<Row> | null> {
  await scheduler.yield();
  if (signal.aborted) return null;
  const { columnDefs, datasource, ...others } = start();
  const grid = createGrid<Row>(place, others);
  signal.addEventListener('abort', () => grid.destroy());
  for (const piece of [{ columnDefs }, { datasource }]) {
    await scheduler.yield();
    if (signal.aborted) return null;
    grid.updateGridOptions(piece);
  }
  return grid;
}

/** Tells a grid that stands of another value; whoever renders keeps it the same while it says the same. */
export function useOption<Row, Key extends ManagedGridOptionKey>(
  api: GridApi<Row> | null,
  key: Key,
  value: ManagedGridOptions<Row>[Key],
): void {
  useEffect(() => {
    // What it was made with it has; told of it again it would make its columns, or rows, anew.
    if (api && api.getGridOption(key) !== value) api.setGridOption(key, value);
  }, [api, key, value]);
}
