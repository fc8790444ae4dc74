import {
  lazy,
  Suspense,
  use,
  useMemo,
  useRef,
  type RefObject,
  useId,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { useStore } from 'zustand';
import { Empty, Loading } from '../../ui/view-states.tsx';
import {
  type GridControl,
  type CellSelection,
  type DataColumn,
  type DataColumnGroup,
  DataGrid,
  type GridPlace,
  onlyCell,
  type RowRange,
  type Point,
} from '../../ui/grid/index.ts';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { plotWords } from '../../words/plot.ts';
import { words } from '../../words/words.ts';
import { Notice } from '../../ui/notices.tsx';
import { ResultBar } from './result-bar.tsx';
import { TabContext, useAppState, useSessionState, useTab, useTabState } from '../../contexts.ts';
import { unitChanges } from '../records/unit-changes.ts';
import { listedWells } from '../wells/wells-state.ts';
import type { Result } from './results.ts';
import { resolveZone } from './times/time-view.ts';
import { emptyReason, useCalculatedHeads } from './use-calculated-heads.ts';
import { useResultZones } from './use-result-zones.ts';
import { datasetName } from '../../../shared/datasets/datasets.ts';
import { useWidthStep } from '../../ui/use-width.ts';
import { GridWithPanel } from './grid-with-panel.tsx';
import { gridColumns, pinnedColumns } from './grid-columns.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { assetPathOf } from '../records/well-names.ts';
import { GridContextMenu, type CalculatedFormPlace } from './grid-context-menu.tsx';
import { plotField } from './plot/plot-field.ts';
import { useSynonyms } from '../settings/use-synonyms.ts';
import { SelectionStatus } from './selection-status.tsx';
import { parseSort, typedSort } from './sorts.ts';
import { UnitForm } from '../datasets/unit-form.tsx';
import { useCopy } from './use-copy.ts';
import { useColumns, useShape } from './use-shape.ts';
import { useViewRequest } from './use-view-request.ts';
import { Button } from '../../ui/button.tsx';
import type { VisibleRows } from './visible-rows.ts';

// Loaded when first opened.
const CalculatedForm = lazy(() =>
  import('./calculated-form.tsx').then((module) => ({ default: module.CalculatedForm })),
);
const RecordOfRow = lazy(() =>
  import('./record-of-row.tsx').then((module) => ({ default: module.RecordOfRow })),
);
const SummaryPanel = lazy(() =>
  import('./summary-panel.tsx').then((module) => ({ default: module.SummaryPanel })),
);

interface RecordGridProps {
  readonly result: Result;
  readonly control: RefObject<GridControl | null>;
}

/** The records as rows, with a panel for the selected record or a column's summary. */
export function RecordGrid({ result, control }: RecordGridProps) {
  const selected = useTabState('results', (state) => state.selected);
  const summaryColumn = useTabState('results', (state) => state.summaryColumn);
  const beside = summaryColumn ? (
    <SummaryPanel key={pathId(summaryColumn)} result={result} path={summaryColumn} />
  ) : selected === null ? null : (
    <RecordOfRow />
  );
  return (
    <GridWithPanel panel={beside}>
      <Grid result={result} control={control} />
    </GridWithPanel>
  );
}

/** In a narrower table, in pixels, no column is pinned by default. */
const roomForPins = [640];

/** Whether the event is on a plot or its button. */
const isPlotAt = ({ x, y }: Point): boolean =>
  document.elementFromPoint(x, y)?.closest('.plot-view, .answer-views') != null;

const idsOf = (column: DataColumn | DataColumnGroup): string[] =>
  'children' in column ? column.children.flatMap(idsOf) : [column.id];

function Grid({ result, control }: RecordGridProps) {
  const results = useTab('results');
  const { actions, dataset, rows, tableLink } = results;
  const synonyms = useSynonyms();
  const pointedRow = useMemo(
    () => ({ row: () => tableLink.getState().plotRow, subscribe: tableLink.subscribe }),
    [tableLink],
  );
  const goTo = useStore(tableLink, (state) => state.goTo);
  const source = useMemo(
    () => ({
      ...rows,
      setVisible(inView: RowRange) {
        rows.setVisible(inView);
        tableLink.setState({ inView });
      },
    }),
    [rows, tableLink],
  );
  const view = useTabState('results', (state) => state.grid);
  const zone = useTab('zone');
  const units = useTabState('results', (state) => state.units);
  const changes = useTab('changes');
  const hasSystem = useAppState('settings', (state) => state.values.units !== 'stored');
  const isComputed = result.asked.kind !== 'find';
  const shape = useShape(result.held);
  const isRecordShown = useTabState('results', (state) => state.selected !== null);
  const heads = useColumns(result.held);
  const wellNames = useTab('wellNames');
  const sortText = typedSort(result.asked);
  const copy = useCopy(result);
  useEffect(() => {
    // Its row can be clicked again.
    if (!isRecordShown) control.current?.select(null);
  }, [isRecordShown, control]);
  const [menu, setMenu] = useState<{
    of: Result;
    place: GridPlace;
    selected: CellSelection | null;
  } | null>(null);
  const [unitPath, setUnitPath] = useState<string | null>(null);
  const [calculatedForm, setCalculatedForm] = useState<CalculatedFormPlace | null>(null);
  useViewRequest((request) => {
    if (request === 'calculate') setCalculatedForm({ of: null, start: '' });
    return request === 'calculate';
  });
  const calculated = useCalculatedHeads();
  const place = useRef<HTMLDivElement>(null);
  const top = useRef<HTMLDivElement>(null);
  const isWide = useWidthStep(place, roomForPins) > 0;
  const [picked, setPicked] = useState<{ of: Result; cells: CellSelection | null } | null>(null);
  const { onSort } = useTab('links');
  const canSort = onSort !== undefined && result.asked.kind === 'find';
  const sorts = useMemo(() => parseSort(sortText), [sortText]);
  const pinned = useMemo(
    () => pinnedColumns(heads, view, isWide && !isComputed),
    [heads, view, isWide, isComputed],
  );
  const columns = useMemo(
    () =>
      gridColumns({
        heads,
        rows,
        view,
        pinned,
        zone,
        units,
        changes,
        hasSystem,
        isComputed,
        computed: result.computed,
        calculated,
        sorts,
        wellNames,
        words: words.results,
      }),
    [
      heads,
      rows,
      view,
      pinned,
      zone,
      units,
      changes,
      hasSystem,
      isComputed,
      result,
      calculated,
      sorts,
      wellNames,
    ],
  );
  const shownOrder = useMemo(() => columns.flatMap(idsOf), [columns]);
  return (
    <div ref={place} className="answer-grid">
      <div ref={top} />
      <ProblemRows rows={rows} />
      <Suspense fallback={<Loading what={words.results.loadingGrid} />}>
        <DataGrid
          ref={control}
          label={words.results.grid(datasetName(dataset))}
          of={result}
          columns={columns}
          rows={shape.rows}
          isNumbered
          source={source}
          pointedRow={pointedRow}
          goTo={goTo}
          onArrive={() => tableLink.setState({ goTo: null })}
          onPointRow={(tableRow) => tableLink.setState({ tableRow })}
          onSelect={(row) => void actions.select(row)}
          onLayout={({ order, pinned: nextPinned, widths }) =>
            actions.arrange(
              {
                ...(order.join('\n') === shownOrder.join('\n') ? {} : { order: [...order] }),
                widths: { ...view.widths, ...widths },
                ...(nextPinned ? { pinned: [...nextPinned] } : {}),
              },
              { order: shownOrder, pinned: [...pinned] },
            )
          }
          onMenu={(place) => setMenu({ of: result, place, selected: control.current?.selected() ?? null })}
          onDropHead={(column, at) => {
            if (isPlotAt(at)) plotField(results, heads, column, synonyms);
          }}
          onCopy={(chosen) => {
            const only = onlyCell(chosen);
            const head = only && heads.find(({ path }) => pathId(path) === only.column);
            if (head) void copy.cell(only.row, head);
            // Cells alone are pasted into a table that has its own header.
            else void copy.rows(chosen, 'tsv', chosen.columns === null);
          }}
          followsFocus={isRecordShown}
          onSelectCells={(cells) => setPicked({ of: result, cells })}
          onHead={
            canSort
              ? (column) => {
                  const head = heads.find(({ path }) => pathId(path) === column);
                  if (!head) return;
                  // Names of wells are sorted by their asset ids.
                  const path = assetPathOf(head).join('.');
                  onSort(path, sorts.get(path) === 'ascending' ? 'descending' : 'ascending');
                }
              : undefined
          }
        />
      </Suspense>
      {picked?.of === result && picked.cells && <SelectionStatus result={result} cells={picked.cells} />}
      {menu?.of === result && (
        <GridContextMenu
          place={menu.place}
          selected={menu.selected}
          result={result}
          rows={rows}
          pinned={pinned}
          onSetUnit={setUnitPath}
          onCalculate={setCalculatedForm}
          onClose={() => setMenu(null)}
        />
      )}
      {calculatedForm && (
        <Suspense>
          <CalculatedForm
            key={calculatedForm.of}
            {...calculatedForm}
            result={result}
            at={top}
            onClose={() => setCalculatedForm(null)}
          />
        </Suspense>
      )}
      {unitPath !== null && (
        <UnitForm
          key={unitPath}
          dataset={dataset}
          path={unitPath}
          current={units.get(unitPath)}
          at={place}
          onClose={() => setUnitPath(null)}
        />
      )}
    </div>
  );
}

/** Why visible rows couldn't be loaded, with a retry button. */
function ProblemRows({ rows }: { rows: VisibleRows }) {
  const problem = useSyncExternalStore(rows.onLoaded, rows.problem);
  if (!problem) return null;
  return (
    <Notice
      tone="error"
      actions={
        <Button variant="quiet" onPress={rows.retry}>
          {words.tryAgain}
        </Button>
      }
    >
      {words.results.failedRows} {problem.message}
    </Notice>
  );
}

// Loaded with the first plot.
const ResultsPlot = lazy(() => import('./plot/results-plot.tsx'));

// Loaded with the first check.
const ResultQuality = lazy(() => import('./result-quality.tsx'));

/** A loaded result. The next one reuses its grid or plot. */
export function LoadedResult({ result }: { result: Result }) {
  const control = useRef<GridControl>(null);
  const times = useTabState('results', (state) => state.zone);
  const wells = useResultZones(useTab('results'), result);
  const zone = resolveZone(times, wells);
  const wellNames = useSessionState('wells', listedWells).names;
  const units = useTabState('results', (state) => state.units);
  const ownUnits = useTabState('results', (state) => state.grid.units);
  const system = useAppState('settings', (state) => state.values.units);
  const changes = useMemo(() => unitChanges(units, system, ownUnits), [units, system, ownUnits]);
  const tab = use(TabContext);
  const { renderEmpty } = useTab('links');
  return (
    <TabContext
      value={useMemo(() => ({ ...tab, zone, wellNames, changes }), [tab, zone, wellNames, changes])}
    >
      <KeepFocus className="answer-full" focusKey={result}>
        <ResultBar result={result} control={control} wells={wells} />
        <CalculatedNotices />
        {result.records === 0 ? (
          (renderEmpty?.(result.asked) ?? <Empty>{words.results.none}</Empty>)
        ) : (
          <Records result={result} control={control} />
        )}
      </KeepFocus>
    </TabContext>
  );
}

/** Why calculated columns have no values. */
function CalculatedNotices() {
  const { calculated } = useTab('results');
  const facts = useStore(calculated.store, (state) => state.facts);
  return [...facts].map(([id, fact]) => {
    const reason = emptyReason(fact);
    return (
      reason !== null && (
        <Notice key={id} tone="warning">
          {words.results.calculatedEmpty(fact.name, reason)}
        </Notice>
      )
    );
  });
}

function Records({ result, control }: { result: Result; control: RefObject<GridControl | null> }) {
  const tableId = useId();
  const plotId = useId();
  const view = useTabState('results', (state) => state.view);
  const table = <RecordGrid result={result} control={control} />;
  const plot = (
    <Suspense fallback={<Loading what={plotWords.loading} />}>
      <ResultsPlot result={result} control={view === 'both' ? control : null} />
    </Suspense>
  );
  if (view === 'table') return table;
  if (view === 'plot') return plot;
  if (view === 'quality')
    return (
      <Suspense fallback={<Loading what={words.quality.loading} />}>
        <ResultQuality result={result} />
      </Suspense>
    );
  return (
    <Group orientation="horizontal" className="answer-body">
      <Panel id={tableId} minSize="200px">
        {table}
      </Panel>
      <Separator className="divider divider-column" />
      <Panel id={plotId} minSize="240px">
        {plot}
      </Panel>
    </Group>
  );
}
