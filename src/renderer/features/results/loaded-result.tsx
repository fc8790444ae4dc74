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
  useCallback,
  useSyncExternalStore,
} from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { useStore } from 'zustand';
import { shallow } from 'zustand/shallow';
import { Loading } from '../../ui/view-states.tsx';
import {
  type GridControl,
  type CellSelection,
  type DataColumnOrGroup,
  DataGrid,
  type GridPlace,
  onlyCell,
  type Point,
  countRows,
  isSelected,
} from '../../ui/grid/index.ts';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { plotWords } from '../../words/plot.ts';
import { recipeWords } from '../../words/recipes.ts';
import { words } from '../../words/words.ts';
import { Notice } from '../../ui/notices.tsx';
import { ResultBar } from './result-bar.tsx';
import { TabContext, useAppState, useSessionState, useTab, useTabState } from '../../contexts.ts';
import { hasNumbers, idsWithoutNumbers, unitChanges, assetPathOf } from '../records/shown-cells.ts';
import { listedWells } from '../wells/wells-state.ts';
import { emptyReason, emptyTexts } from './calculated-columns.ts';
import { hasTextRange, isSummary, type Result, parseSort, typedSort, type Results } from './results.ts';
import { resolveZone } from '../../format/time-view.ts';
import { useResultZones } from './times/use-well-zones.ts';
import { datasetName, depthPath, isMeasured } from '../../../shared/datasets/datasets.ts';
import { useWidthStep } from '../../ui/use-width.ts';
import { GridWithPanel } from './view-parts.tsx';
import {
  arrangedColumns,
  columnContents,
  pinnedColumns,
  rowsOfResult,
  type CalculatedHead,
  type CellBlock,
  selectedPaths,
} from './grid-columns.ts';
import { pathId, pathNames } from '../../../shared/column-paths.ts';
import { useSynonyms } from '../settings/use-synonyms.ts';
import { useFieldNames } from '../datasets/use-field-names.ts';
import { logGroups, useLogNames, useLogs } from '../datasets/logs.ts';
import { FieldForm } from '../datasets/field-form.tsx';
import { useCopy } from './use-copy.ts';
import { isCompleteResult } from './load-all.ts';
import { useDistributions } from './distributions.ts';
import { useColumns, useGridHeads, useOfLoadedRows, useShape } from './use-records.ts';
import { useViewCall } from '../../state/view-call.ts';
import type { Icon } from '../../ui/button.tsx';
import type { AppError } from '../../../shared/errors/errors.ts';
import {
  ArrowDownNarrowWide,
  ArrowUpNarrowWide,
  Calculator,
  ChartLine,
  Copy,
  EyeOff,
  Filter,
  ListTree,
  Pin,
  PinOff,
  PencilLine,
  SquareFunction,
  Ruler,
  Sigma,
  Trash2,
} from 'lucide-react';
import { shownUnits } from '../../../shared/channels/unit-systems.ts';
import { shownUnit } from '../../../shared/channels/units.ts';
import type { JsonValue } from '../../../shared/json.ts';
import { ContextMenu } from '../../ui/context-menu.tsx';
import type { MenuChoice, MenuChoices } from '../../ui/menu-button.tsx';
import { copyFormats } from '../records/row-writer.ts';
import { isNested, type ColumnHead, type ColumnKind } from '../records/table.ts';
import { formatCalculated } from '../../format/numbers.ts';
import { delay } from '../../state/follow-stream.ts';
import { valueOr } from '../../state/loadable.ts';
import { useLoaded } from '../../state/resource.ts';
import { useStable } from '../../state/use-stable.ts';
import { Status } from '../../ui/status.tsx';
import type { Synonyms } from '../../../shared/channels/channels.ts';
import { maxPlotFields } from '../../../shared/tabs/plot.ts';
import { choiceFor } from '../plot/first-choice.ts';
import { isNumeric, plotFieldOf } from '../plot/source.ts';

/** By path id. */
function useCalculatedHeads(): ReadonlyMap<string, CalculatedHead> {
  const { calculated } = useTab('results');
  const { columns, facts, merged } = useStore(calculated.store);
  return useMemo(
    () =>
      new Map(
        columns.map(({ name, expression }) => {
          const id = pathId([name]);
          const fact = facts.get(id);
          const other = fact?.needsRowsBefore && merged ? words.results.merged[merged] : null;
          return [id, { expression, note: (fact && emptyReason(fact)) ?? other }];
        }),
      ),
    [columns, facts, merged],
  );
}

const debounceMs = 120;

const statusLine = 'selection-status flex-none faint-above small end ellipsis pad-x-3 numbers quiet';

function SelectionStatus({ result, cells }: { result: Result; cells: CellSelection }) {
  const { held } = result;
  const columns = useColumns(held);
  const view = useTabState('results', (state) => state.grid);
  const { changes } = useTab('shown');
  const counted = useLoaded(
    useCallback(
      async (signal) => {
        await delay(debounceMs, signal);
        signal.throwIfAborted();
        return held.figures({ rows: cells.rows, paths: selectedPaths(columns, view, cells), changes });
      },
      [held, view, cells, columns, changes],
    ),
  );
  const w = words.results.selection;
  const rows = countRows(cells.rows);
  // It fails when the result was released.
  const figures = valueOr(counted, null);
  const numbers = figures?.numbers;
  return (
    <Status className={statusLine}>
      {[
        w.cells(rows, cells.columns?.length ?? null),
        ...(figures && figures.rows < rows ? [w.loaded(figures.rows)] : []),
        ...(figures ? [w.values(figures.values)] : []),
        ...(numbers
          ? [
              ...(numbers.count < figures.values ? [w.numbers(numbers.count)] : []),
              w.sum(formatCalculated(numbers.sum)),
              w.mean(formatCalculated(numbers.sum / numbers.count)),
              w.min(formatCalculated(numbers.min)),
              w.max(formatCalculated(numbers.max)),
            ]
          : []),
      ].join(' · ')}
    </Status>
  );
}

/** `of` null: a new column. */
interface CalculatedFormPlace {
  readonly of: string | null;
  readonly start: string;
}

interface GridContextMenuProps {
  readonly place: GridPlace<CellBlock>;
  readonly result: Result;
  /** By id. */
  readonly pinned: readonly string[];
  /** The selected cells; null: at most one. */
  readonly selected: CellSelection | null;
  /** Opens the form for the stored unit of a field, by its dotted path. */
  readonly onSetField: (path: string) => void;
  /** Opens the form of a calculated column, or of a new one that begins with a column. */
  readonly onCalculate: (form: CalculatedFormPlace) => void;
  readonly onClose: () => void;
}

/** The units to select for a column. @param shown the current one, if it isn't the stored one */
function unitChoices(field: string, stored: string | undefined, shown: string | undefined) {
  const [currentUnit, ...otherUnits] = stored === undefined ? [] : shownUnits(stored, field);
  if (!currentUnit) return [];
  return [currentUnit, ...otherUnits]
    .filter(({ symbol }) => symbol !== (shown ?? currentUnit.symbol))
    .map((unit) => ({
      symbol: unit.symbol,
      text: words.results.menu.showIn(shownUnit(unit), unit === currentUnit),
    }));
}

/** Columns whose values repeat. */
const countedKinds: ReadonlySet<ColumnKind> = new Set(['text', 'boolean', 'integer', 'well']);

/** The text that a new expression begins with: the column, if it has numbers. */
function startOf({ path, kind }: ColumnHead): string {
  const name = path.at(-1) ?? '';
  if (kind !== 'number' && kind !== 'integer') return '';
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : `"${pathId(path)}"`;
}

function GridContextMenu(props: GridContextMenuProps) {
  const { place, result, pinned, selected, onSetField, onCalculate, onClose } = props;
  const results = useTab('results');
  const { actions, calculated } = results;
  const calculatedColumns = useStore(calculated.store, (state) => state.columns);
  const view = useTabState('results', (state) => state.grid);
  const columns = useColumns(result.held);
  const { onSort, onFilter, onSummarize, meanGroups, recipes } = useTab('links');
  const copy = useCopy(result);
  const { names, changes } = useTab('shown');
  const synonyms = useSynonyms();
  const units = useTabState('results', (state) => state.units);
  const { row, column: id } = place;
  const column = columns.find(({ path }) => pathId(path) === id);
  if (!column) return null;
  // The names of wells stand for asset ids in a query.
  const queried = assetPathOf(column);
  const dotted = queried.join('.');
  const ownName = calculatedColumns.find(({ name }) => pathId([name]) === id)?.name;
  const isOfFind = result.request.kind === 'find';
  const canChangeQuery = isOfFind && ownName === undefined;
  const inPipeline = ownName === undefined ? null : calculated.actions.inPipeline(ownName);
  const measured =
    ownName === undefined || inPipeline === null
      ? { path: dotted }
      : { path: ownName, calculated: inPipeline };
  const hasMeasurements = isMeasured(column.path, [column.kind]);
  const canAverage = isOfFind && (ownName === undefined ? hasMeasurements : inPipeline !== null);
  const w = words.results.menu;
  const item = (text: string, icon: Icon, run: () => void): MenuChoice => ({ id: text, text, icon, run });

  const filter = async (value: JsonValue) => {
    if (!(await onFilter(dotted, value))) actions.showNotice(words.results.notFiltered);
  };
  const cellItems = (at: number): MenuChoices => {
    const { data } = place;
    const cell = data?.block.cell(pathId(queried), data.at);
    // The menu of a selected cell applies to the selection.
    const cells =
      selected && isSelected(selected, { row: at, column: id })
        ? selected
        : { rows: [{ from: at, to: at + 1 }], columns: null };
    const [rowCount, columnCount] = [countRows(cells.rows), cells.columns?.length ?? null];
    return [
      item(w.record, ListTree, () => void actions.select(at)),
      item(w.copyCell, Copy, () => void copy.cell(at, column)),
      canChangeQuery &&
        cell !== undefined &&
        !isNested(cell) &&
        item(w.filter, Filter, () => void filter(cell)),
      ...copyFormats.map((format) =>
        item(w.copyRows(rowCount, columnCount, format), Copy, () => void copy.rows(cells, format)),
      ),
    ];
  };
  const arrangePinned = (next: string[]) => actions.arrange({ pinned: next }, { pinned: [...pinned] });
  const columnItems = (): MenuChoices => [
    canChangeQuery && item(w.ascending, ArrowUpNarrowWide, () => onSort(dotted, 'ascending')),
    canChangeQuery && item(w.descending, ArrowDownNarrowWide, () => onSort(dotted, 'descending')),
    item(w.summary, Sigma, () => actions.showSummary(queried)),
    ...(canAverage
      ? meanGroups.map(({ text, groups }) =>
          item(text, Sigma, () => onSummarize({ measures: [{ kind: 'mean', ...measured }], groups })),
        )
      : []),
    canChangeQuery &&
      countedKinds.has(column.kind) &&
      item(words.summary.countByValue, Sigma, () =>
        onSummarize({ measures: [], groups: [{ path: dotted, step: null }] }),
      ),
    isPlottable(column) && item(w.plot, ChartLine, () => plotField(results, columns, id, synonyms)),
    pinned.includes(id)
      ? item(w.unpin, PinOff, () => arrangePinned(pinned.filter((other) => other !== id)))
      : item(w.pin, Pin, () => arrangePinned([...pinned, id])),
    item(w.hide, EyeOff, () => actions.arrange({ hidden: [...view.hidden, id] })),
    ...(hasNumbers(column) ? unitChoices(id, units.get(dotted), changes[id]?.to) : []).map(
      ({ symbol, text }) =>
        item(text, Ruler, () => actions.arrange({ units: { ...view.units, [id]: symbol } })),
    ),
    canChangeQuery && item(hasMeasurements ? w.setField : w.rename, PencilLine, () => onSetField(dotted)),
    ownName !== undefined &&
      item(w.editCalculated, Calculator, () => onCalculate({ of: ownName, start: '' })),
    ownName !== undefined &&
      item(w.removeCalculated, Trash2, () => {
        void calculated.actions.set(calculatedColumns.filter(({ name }) => name !== ownName));
      }),
    item(w.calculate, Calculator, () => onCalculate({ of: null, start: startOf(column) })),
    item(w.copyColumn, Copy, () => void copy.column(column.path)),
    item(w.copyPath, Copy, () => void copy.text(dotted)),
  ];
  const canCalculate = isOfFind && ownName === undefined && hasMeasurements;
  const recipeItems = (): MenuChoices =>
    recipes.ofColumn.map(({ text, start }) => item(text, SquareFunction, () => start(dotted)));
  return (
    <ContextMenu
      label={w.label}
      at={place.at}
      parts={[
        row !== null && { id: 'cell', heading: w.cellHeading, items: cellItems(row) },
        { id: 'column', heading: names(dotted).line, items: columnItems() },
        canCalculate && { id: 'recipes', heading: recipeWords.start, items: recipeItems() },
      ]}
      onClose={onClose}
    />
  );
}

// Loaded when first opened.
const CalculatedForm = lazy(() => import('./calculated-form.tsx'));
const RecordOfRow = lazy(() =>
  import('./record-detail.tsx').then((module) => ({ default: module.RecordOfRow })),
);
const SummaryPanel = lazy(() => import('./summary-panel.tsx'));

interface RecordGridProps {
  readonly result: Result;
  readonly control: RefObject<GridControl | null>;
}

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

const idsOf = (column: DataColumnOrGroup<CellBlock>): string[] =>
  'children' in column ? column.children.flatMap(idsOf) : [column.id];

function Grid({ result, control }: RecordGridProps) {
  const results = useTab('results');
  const { actions, dataset, tableLink } = results;
  const synonyms = useSynonyms();
  const pointedRow = useMemo(
    () => ({ row: () => tableLink.getState().plotRow, subscribe: tableLink.subscribe }),
    [tableLink],
  );
  const goTo = useStore(tableLink, (state) => state.goTo);
  const source = useMemo(() => rowsOfResult(result.held, result.head), [result]);
  const [problem, setProblem] = useState<AppError | null>(null);
  const view = useTabState('results', (state) => state.grid);
  const shown = useTab('shown');
  const units = useTabState('results', (state) => state.units);
  const hasSystem = useAppState('settings', (state) => state.values.units !== 'stored');
  const isComputed = result.request.kind !== 'find';
  const numbers = useAppState('settings', ({ values }) => values.numbers);
  const shape = useShape(result.held);
  const selected = useTabState('results', (state) => state.selected);
  const heads = useGridHeads(result);
  const sortText = typedSort(result.request);
  const copy = useCopy(result);
  const [menu, setMenu] = useState<{
    of: Result;
    place: GridPlace<CellBlock>;
    selected: CellSelection | null;
  } | null>(null);
  const [fieldPath, setFieldPath] = useState<string | null>(null);
  const [calculatedForm, setCalculatedForm] = useState<CalculatedFormPlace | null>(null);
  useViewCall(results.calls.calculate, () => setCalculatedForm({ of: null, start: '' }));
  const calculated = useCalculatedHeads();
  const facts = useStore(results.calculated.store, (state) => state.facts);
  const shownFacts = useRef(facts);
  useEffect(() => {
    if (shownFacts.current !== facts) control.current?.reload();
    shownFacts.current = facts;
  }, [facts, control]);
  const place = useRef<HTMLDivElement>(null);
  const top = useRef<HTMLDivElement>(null);
  const isWide = useWidthStep(place, roomForPins) > 0;
  const [picked, setPicked] = useState<{ of: Result; cells: CellSelection | null } | null>(null);
  const { onSort } = useTab('links');
  const sorts = useMemo(() => parseSort(sortText), [sortText]);
  const pinned = useMemo(
    () => pinnedColumns(heads, view, isWide && !isComputed),
    [heads, view, isWide, isComputed],
  );
  const distributions = useDistributions(result, heads);
  const { first } = source;
  const { computed } = result;
  const options = { ...shown, heads, first, units, hasSystem, isComputed, computed, calculated };
  const stable = useStable({ ...options, distributions, sorts, numbers }, shallow);
  const contents = useMemo(() => columnContents(stable), [stable]);
  const { names } = shown;
  const columns = useMemo(
    () => arrangedColumns(contents, { view, pinned, names }),
    [contents, view, pinned, names],
  );
  const shownOrder = useMemo(() => columns.flatMap(idsOf), [columns]);
  return (
    <div ref={place} className="answer-grid stack gap-0 full">
      <div ref={top} />
      {problem && (
        <Notice tone="error" action={{ text: words.tryAgain, run: () => control.current?.retry() }}>
          {words.results.failedRows} {problem.message}
        </Notice>
      )}
      <Suspense fallback={<Loading what={words.results.loadingGrid} />}>
        <DataGrid
          ref={control}
          label={words.results.grid(datasetName(dataset))}
          columns={columns}
          rows={shape.rows}
          isNumbered
          source={source}
          pointedRow={pointedRow}
          goTo={goTo}
          onArrive={() => tableLink.setState({ goTo: null })}
          onPointRow={(tableRow) => tableLink.setState({ tableRow })}
          selected={selected}
          onSelect={(row) => void actions.select(row)}
          onDrawn={(inView, blocks) => {
            tableLink.setState({ inView });
            setProblem(blocks.find(({ error }) => error)?.error ?? null);
          }}
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
          onSelectCells={(cells) => setPicked({ of: result, cells })}
          onHead={
            result.request.kind === 'find'
              ? (column) => {
                  const head = heads.find(({ path }) => pathId(path) === column);
                  if (!head) return;
                  // Names of wells are sorted by their asset ids.
                  onSort(assetPathOf(head).join('.'), 'other');
                }
              : undefined
          }
        />
      </Suspense>
      {picked?.of === result && picked.cells ? (
        <SelectionStatus result={result} cells={picked.cells} />
      ) : (
        distributions && (
          <Status className={statusLine}>
            {words.results.distribution.covered(shape.held, isCompleteResult(result, shape.held))}
          </Status>
        )
      )}
      {menu?.of === result && (
        <GridContextMenu
          place={menu.place}
          selected={menu.selected}
          result={result}
          pinned={pinned}
          onSetField={setFieldPath}
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
      {fieldPath !== null && (
        <FieldForm
          key={fieldPath}
          dataset={dataset}
          path={fieldPath}
          unit={isMeasured(pathNames(fieldPath), ['number']) ? units.get(fieldPath) : null}
          at={place}
          onClose={() => setFieldPath(null)}
        />
      )}
    </div>
  );
}

// Loaded with the first plot.
const ResultsPlot = lazy(() => import('./plot/results-plot.tsx'));

// Loaded with the first check.
const ResultQuality = lazy(() => import('./result-quality.tsx'));

/** Reads the logs of the loaded rows, and draws nothing. */
function LogsOfRows({ held }: Pick<Result, 'held'>) {
  const groups = useOfLoadedRows(
    held,
    useCallback(() => logGroups(held), [held]),
  );
  useLogs(useTab('results').dataset, valueOr(groups, undefined));
  return null;
}

/** The next result reuses its grid or plot. */
export default function LoadedResult({ result }: { result: Result }) {
  const control = useRef<GridControl>(null);
  const times = useTabState('results', (state) => state.zone);
  const wells = useResultZones(useTab('results'), result);
  const zone = resolveZone(times, wells);
  const wellNames = useSessionState('wells', listedWells).labels;
  const { dataset } = useTab('results');
  const names = useFieldNames(result.request.kind === 'find' ? dataset : null);
  const units = useTabState('results', (state) => state.units);
  const ownUnits = useTabState('results', (state) => state.grid.units);
  const system = useAppState('settings', (state) => state.values.units);
  const { held } = result;
  // As text, which is the same while more rows of the same kinds arrive.
  const kept = useSyncExternalStore(held.onGrow, () => idsWithoutNumbers(held.shape().columns).join('\n'));
  const changes = useMemo(
    () => unitChanges(units, system, ownUnits, kept.split('\n')),
    [units, system, ownUnits, kept],
  );
  const logNames = useLogNames(dataset, { unit: units.get(depthPath), changes });
  const tab = use(TabContext);
  const { renderEmpty, range } = useTab('links');
  const isTextRange = useMemo(() => hasTextRange(result, range?.field ?? null), [result, range]);
  return (
    <TabContext
      value={useMemo(
        () => ({ ...tab, shown: { zone, names, wellNames, logNames, changes } }),
        [tab, zone, names, wellNames, logNames, changes],
      )}
    >
      <KeepFocus className="stack gap-0 full surface" focusKey={result}>
        <LogsOfRows held={result.held} />
        <ResultBar result={result} control={control} wells={wells} />
        {!isSummary(result) && <CalculatedNotices />}
        {isTextRange && <Notice tone="warning">{words.results.textRange}</Notice>}
        {result.records === 0 ? renderEmpty(result.request) : <Records result={result} control={control} />}
      </KeepFocus>
    </TabContext>
  );
}

function CalculatedNotices() {
  const { calculated } = useTab('results');
  return emptyTexts(useStore(calculated.store)).map((text) => (
    <Notice key={text} tone="warning">
      {text}
    </Notice>
  ));
}

/** The table, and beside it or alone the plot or the check. A table that was shown keeps its grid and its place behind them. */
function Records({ result, control }: { result: Result; control: RefObject<GridControl | null> }) {
  const tableId = useId();
  const otherId = useId();
  const view = useTabState('results', (state) => state.view);
  const isTableShown = view === 'table' || view === 'both';
  const isQuality = view === 'quality';
  const [hasTable, setHasTable] = useState(isTableShown);
  if (isTableShown && !hasTable) setHasTable(true);
  return (
    <Group orientation="horizontal" className="relative fill full">
      {hasTable && (
        <Panel id={tableId} minSize="200px">
          <div className="answer-table stack gap-0 full" hidden={!isTableShown}>
            <RecordGrid result={result} control={control} />
          </div>
        </Panel>
      )}
      {view === 'both' && <Separator className="divider divider-column" />}
      {view !== 'table' && (
        <Panel id={otherId} minSize="240px">
          <Suspense fallback={<Loading what={isQuality ? words.quality.loading : plotWords.loading} />}>
            {isQuality ? (
              <ResultQuality result={result} />
            ) : (
              <ResultsPlot result={result} control={view === 'both' ? control : null} />
            )}
          </Suspense>
        </Panel>
      )}
    </Group>
  );
}

export const isPlottable = (head: ColumnHead): boolean => isNumeric(plotFieldOf(head));

/** Adds a column to the plot and shows it, or says why it can't. */
export function plotField(
  { store, actions, plot, dataset }: Results,
  columns: readonly ColumnHead[],
  id: string,
  synonyms: Synonyms,
) {
  const fields = columns.map(plotFieldOf);
  const field = fields.find((field) => field.id === id);
  const shown = choiceFor(plot.store.getState().choice, dataset.type, fields, synonyms);
  if (!field || !shown || !isNumeric(field)) return actions.showNotice(plotWords.noNumbers(id));
  if (!shown.y.includes(id) && shown.y.length >= maxPlotFields)
    return actions.showNotice(plotWords.full(maxPlotFields));
  plot.actions.add(shown, id);
  if (store.getState().view === 'table') actions.setView('plot');
  return undefined;
}
