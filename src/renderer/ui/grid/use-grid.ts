import {
  CellStyleModule,
  ColumnApiModule,
  ColumnAutoSizeModule,
  createGrid,
  InfiniteRowModelModule,
  ModuleRegistry,
  RenderApiModule,
  RowApiModule,
  RowSelectionModule,
  ScrollApiModule,
  themeQuartz,
  TooltipModule,
  type GridApi,
  type GridOptions,
  type IDatasource,
  type ManagedGridOptionKey,
  type ManagedGridOptions,
} from 'ag-grid-community';
import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import './grid.css';

export interface GridSetup<Row> extends GridOptions<Row> {
  readonly columnDefs: NonNullable<GridOptions<Row>['columnDefs']>;
  readonly datasource: IDatasource;
}

/**
 * The grid library without its React wrapper, which renders a component for each cell, row, and header.
 * @param start the initial options, read once; callbacks are effect events. Later changes go through
 *   `useOption`
 * @returns null until the grid has its columns and first rows
 */
export function useGrid<Row>(
  place: RefObject<HTMLElement | null>,
  start: () => GridSetup<Row>,
): GridApi<Row> | null {
  const [api, setApi] = useState<GridApi<Row> | null>(null);
  const options = useEffectEvent(start);
  useEffect(() => {
    if (!place.current) return undefined;
    const ended = new AbortController();
    build(place.current, () => options(), ended.signal).then(setApi, (error: unknown) =>
      // Errors are shown by the view's error boundary.
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
 * Builds a grid in three tasks, because the first grid of a window would block input too long: the grid with
 * its theme, its columns, its rows.
 */
async function build<Row>(
  place: HTMLElement,
  start: () => GridSetup<Row>,
  signal: AbortSignal,
): Promise<GridApi<Row> | null> {
  await scheduler.yield();
  if (signal.aborted) return null;
  const { columnDefs, datasource, ...otherOptions } = start();
  const grid = createGrid<Row>(place, otherOptions);
  signal.addEventListener('abort', () => grid.destroy());
  for (const piece of [{ columnDefs }, { datasource }]) {
    await scheduler.yield();
    if (signal.aborted) return null;
    grid.updateGridOptions(piece);
  }
  return grid;
}

/** The caller keeps the value stable. */
export function useOption<Row, Key extends ManagedGridOptionKey>(
  api: GridApi<Row> | null,
  key: Key,
  value: ManagedGridOptions<Row>[Key],
): void {
  useEffect(() => {
    // Setting the initial value again would rebuild columns or rows.
    if (api && api.getGridOption(key) !== value) api.setGridOption(key, value);
  }, [api, key, value]);
}

const theme = themeQuartz.withParams({
  accentColor: 'var(--accent)',
  backgroundColor: 'var(--surface)',
  foregroundColor: 'var(--text)',
  chromeBackgroundColor: 'var(--surface-quiet)',
  borderColor: 'var(--line)',
  browserColorScheme: 'inherit',
  fontFamily: 'inherit',
  fontSize: 'var(--font-size)',
  headerFontSize: 'var(--font-size-small)',
  headerFontWeight: 500,
  headerTextColor: 'var(--text-quiet)',
  headerBackgroundColor: 'var(--surface-quiet)',
  headerColumnBorder: false,
  headerColumnResizeHandleColor: 'transparent',
  columnBorder: false,
  pinnedColumnBorder: { color: 'var(--line)' },
  rowBorder: { color: 'var(--line-faint)' },
  rowHoverColor: 'var(--hover)',
  selectedRowBackgroundColor: 'var(--selected)',
  rowHeight: 26,
  headerHeight: 28,
  cellHorizontalPadding: 8,
  iconSize: 14,
  spacing: 4,
  wrapperBorder: false,
  wrapperBorderRadius: 0,
  tooltipBackgroundColor: 'var(--surface-raised)',
  tooltipTextColor: 'var(--text)',
  tooltipBorder: { color: 'var(--line)' },
});

ModuleRegistry.registerModules([
  CellStyleModule,
  ColumnApiModule,
  ColumnAutoSizeModule,
  InfiniteRowModelModule,
  RenderApiModule,
  RowApiModule,
  RowSelectionModule,
  ScrollApiModule,
  TooltipModule,
]);

// Arrow keys move inside a grid; Tab leaves it.
const leaveGrid = () => false;

export const commonOptions = {
  theme,
  rowModelType: 'infinite',
  suppressDragLeaveHidesColumns: true,
  animateRows: false,
  tooltipShowDelay: 500,
  tabToNextCell: leaveGrid,
  tabToNextHeader: leaveGrid,
} as const satisfies GridOptions;
