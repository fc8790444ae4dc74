import { type RefObject, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { isCompleteResult, isLimited, maxLoadedRows } from '../load-all.ts';
import type { Result } from '../results.ts';
import { useDrawnShape, useShape } from '../use-records.ts';
import { conditionsOfRequest } from '../../datasets/conditions.ts';
import { DatasetPlot } from '../../plot/dataset-plot.tsx';
import { useApp, useTab, useTabState } from '../../../contexts.ts';
import { useLoaded } from '../../../state/resource.ts';
import { useStable } from '../../../state/use-stable.ts';
import './results-plot.css';
import { choiceFor } from '../../plot/first-choice.ts';
import { axisOf } from '../../plot/plot.ts';
import type { AppError } from '../../../../shared/errors/errors.ts';
import type { ColumnHead } from '../../records/table.ts';
import {
  coversView,
  detailOf,
  loadDetail,
  loadWhole,
  stepsSource,
  withDetail,
  type Detail,
  type Whole,
  type WholeSpec,
} from '../whole-range.ts';
import type { LinkedTable, QueryRange, TablePlace } from '../../plot/plot-view.tsx';
import type { PlotSource } from '../../plot/source.ts';
import { useSynonyms } from '../../settings/use-synonyms.ts';
import type { GridControl } from '../../../ui/grid/index.ts';
import { boundsOf } from '../../../../shared/language/text/conditions.ts';
import { columnConverter, storedConverter, type UnitChanges } from '../../records/shown-cells.ts';
import { recordsSource, stepTextOf, wholeSpecOf } from './whole-source.ts';
import { firstRowIn, isSamePlace, nearestRow, placeOfTable, rangeOfRows } from './table-link.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Bar } from '../../../ui/bar.tsx';
import { Button } from '../../../ui/button.tsx';
import { Status } from '../../../ui/status.tsx';
import { plotWords } from '../../../words/plot.ts';
import { words } from '../../../words/words.ts';

interface ResultsPlotProps {
  readonly result: Result;
  /** The grid beside the plot; null: none. */
  readonly control: RefObject<GridControl | null> | null;
}

export default function ResultsPlot({ result, control }: ResultsPlotProps) {
  const { dataset, plot } = useTab('results');
  const { held, request } = result;
  const { zone, changes } = useTab('shown');
  const units = useTabState('results', (state) => state.units);
  const { loadAll } = useTab('results');
  const isLoading = useStore(loadAll.store, ({ status }) => status === 'running');
  const drawnShape = useDrawnShape(held, isLoading);
  const rows = useMemo(
    () => recordsSource(held, drawnShape, isCompleteResult(result, drawnShape.held)),
    [result, held, drawnShape],
  );
  const whole = useWholeRange(result, rows, drawnShape.columns);
  const source = whole.source ?? rows;
  return (
    <div className="plot-place stack gap-0 full">
      <DatasetPlot
        coverage={<PlotCoverage result={result} whole={whole} />}
        queryRange={useQueryRange()}
        table={useLinkedTable(rows, control, changes, whole.source !== null)}
        changes={changes}
        units={units}
        dataset={dataset}
        plot={plot}
        source={source}
        zone={zone}
        conditions={conditionsOfRequest(request)}
        isComputed={request.kind !== 'find'}
      />
    </div>
  );
}

/** Takes a zoomed range into the query; undefined: the dataset has no index, or there is no query to change. */
function useQueryRange(): QueryRange | undefined {
  const { actions } = useTab('results');
  const { range } = useTab('links');
  return useMemo(
    () =>
      range && {
        field: range.field.path,
        use(part) {
          if (!range.use(boundsOf(range.field, part))) actions.showNotice(plotWords.notUsed);
        },
      },
    [actions, range],
  );
}

/**
 * The link with the table beside the plot; undefined: there is none.
 * @param hasRest whether the plot has records that the table hasn't
 */
function useLinkedTable(
  source: PlotSource,
  control: ResultsPlotProps['control'],
  changes: UnitChanges,
  hasRest: boolean,
): LinkedTable | undefined {
  const { plot, dataset, tableLink } = useTab('results');
  const choice = useStore(plot.store, (state) => state.choice);
  const zoom = useStore(plot.store, (state) => state.zoom?.part.x);
  const synonyms = useSynonyms();
  const x = useMemo(
    () => choiceFor(choice, dataset.type, source.fields, synonyms)?.x,
    [choice, dataset, source, synonyms],
  );
  const isLinked = control !== null;
  const load = useMemo(
    () => (isLinked && x !== undefined ? () => source.numbers([x]) : null),
    [source, x, isLinked],
  );
  // It fails when the result was released.
  const loadedNumbers = useLoaded(load);
  const stored = loadedNumbers.status === 'loaded' ? (loadedNumbers.value[0] ?? null) : null;
  useEffect(() => {
    if (!load) return undefined;
    return () => tableLink.setState({ plotRow: null });
  }, [load, tableLink]);
  const positions = useMemo(() => {
    const convert = x === undefined ? null : columnConverter(changes, x);
    return convert && stored ? stored.map(convert) : stored;
  }, [stored, changes, x]);
  useEffect(() => {
    const row = zoom && positions && firstRowIn(positions, zoom);
    if (row != null) control?.current?.reveal(row);
  }, [zoom, positions, control]);
  return useMemo(() => {
    if (!control || !positions || x === undefined) return undefined;
    let place: TablePlace = { cursor: null, inView: null };
    const loaded = hasRest ? rangeOfRows(positions, { from: 0, to: positions.length }) : null;
    // A plot of all matching records has some that the table hasn't.
    const rowAt = (along: number): number | null =>
      loaded && (along < loaded.from || along > loaded.to) ? null : nearestRow(positions, along);
    return {
      subscribe: tableLink.subscribe,
      place() {
        const next = placeOfTable(positions, tableLink.getState());
        if (!isSamePlace(place, next)) place = next;
        return place;
      },
      point: (along) => tableLink.setState({ plotRow: along === null ? null : rowAt(along) }),
      select(along) {
        const row = rowAt(along);
        if (row !== null) control.current?.show(row, x, true);
      },
    };
  }, [control, positions, x, tableLink, hasRest]);
}

/** A plot of all matching records of a result with a limit. */
interface WholeRange {
  /** Null: the loaded rows are drawn. */
  readonly source: PlotSource | null;
  /** What the plot shows; null: as without a plot of all. */
  readonly text: string | null;
  /** Why not all are drawn, or not in more detail. */
  readonly error: AppError | null;
  /** Draws all matching, or tries again; null: there is nothing to draw, or they are drawn. */
  readonly show: (() => void) | null;
  readonly showRows: () => void;
}

/** What was loaded last for each result in memory: a plot that is shown again loads nothing. */
const lastWholes = new WeakMap<WholeSpec['find'], { readonly key: string; readonly whole: Whole | null }>();

const keyOf = ({ groups, fields }: WholeSpec): string => JSON.stringify([groups, fields]);

/** How long a zoom must not change before its detail is loaded, in milliseconds. */
const settleMs = 300;

/** What to request for the plot of a result; null: the plot draws loaded rows only. */
function useSpec(
  result: Result,
  rows: PlotSource,
  columns: readonly ColumnHead[],
): { readonly spec: WholeSpec | null; readonly zoom: ReturnType<typeof useZoom> } {
  const { plot, dataset, calculated } = useTab('results');
  const calculatedColumns = useStore(calculated.store, (state) => state.columns);
  const selected = useStore(plot.store, (state) => state.choice);
  const synonyms = useSynonyms();
  const choice = choiceFor(selected, dataset.type, rows.fields, synonyms);
  const next =
    choice && wholeSpecOf(result, dataset.type, { choice, columns, calculated: calculatedColumns });
  return { spec: useStable(next, hasFieldsOf), zoom: useZoom(choice) };
}

/** Whether what is loaded for a plot suffices for its next request, as after a field is removed. */
const hasFieldsOf = (last: WholeSpec | null, next: WholeSpec | null): boolean =>
  last?.find === next?.find &&
  last?.groups.join('\n') === next?.groups.join('\n') &&
  next?.fields.every((id) => last?.fields.includes(id)) === true;

/** The zoomed range in the stored unit; null: everything, or no range of the records' index. */
function useZoom(choice: ReturnType<typeof choiceFor>) {
  const { plot } = useTab('results');
  const { changes } = useTab('shown');
  const zoom = useStore(plot.store, (state) => state.zoom);
  return useMemo(() => {
    if (!zoom || !choice || choice.align === 'elapsed' || zoom.axis !== axisOf(choice, changes)) return null;
    const convert = storedConverter(changes, choice.x);
    const { from, to } = zoom.part.x;
    return convert ? { from: convert(from), to: convert(to) } : { from, to };
  }, [zoom, choice, changes]);
}

const settle = async (signal: AbortSignal): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  signal.throwIfAborted();
};

/** What was loaded before stays until the next is. */
function useDetail(spec: WholeSpec | null, whole: Whole | null, zoom: ReturnType<typeof useZoom>) {
  const { api } = useApp();
  const [shown, setShown] = useState<{ readonly whole: Whole; readonly detail: Whole } | null>(null);
  const current = shown && shown.whole === whole ? shown.detail : null;
  const [requested, setRequested] = useState<{ readonly whole: Whole; readonly detail: Detail } | null>(null);
  const before = requested && requested.whole === whole ? requested.detail : null;
  const steps = useMemo(
    () => whole && (current ? withDetail(whole, current) : whole.steps),
    [whole, current],
  );
  const detail = useMemo(
    () => spec && whole && steps && detailOf(whole, steps, zoom, before, spec.isTime),
    [spec, whole, steps, zoom, before],
  );
  if (detail !== before) setRequested(whole && detail && { whole, detail });
  const [attempt, setAttempt] = useState(0);
  const loading = useLoaded(
    useMemo(
      () =>
        spec && detail
          ? async (signal: AbortSignal) => {
              if (attempt === 0) await settle(signal);
              return loadDetail(api.query, spec, detail, signal);
            }
          : null,
      [api, spec, detail, attempt],
    ),
  );
  const next = detail === null ? null : loading.status === 'loaded' ? loading.value : current;
  if (next !== current) setShown(whole && next && { whole, detail: next });
  const error = loading.status === 'failed' ? loading.error : null;
  return { steps, detail: current, error, retry: () => setAttempt(attempt + 1) };
}

interface WholeChoice {
  readonly result: Result;
  readonly isWhole: boolean;
}

/** A new result begins with all matching records. */
const drawsWhole = (choice: WholeChoice, result: Result): boolean =>
  choice.result !== result || choice.isWhole;

/**
 * All matching records of a result with a limit, as the minimum and maximum of steps of time or depth that the data
 * service computes.
 */
function useWholeRange(result: Result, rows: PlotSource, columns: readonly ColumnHead[]): WholeRange {
  const { api } = useApp();
  const { changes } = useTab('shown');
  const units = useTabState('results', (state) => state.units);
  const { spec, zoom } = useSpec(result, rows, columns);
  const [choice, choose] = useState<WholeChoice>({ result, isWhole: true });
  // A new choice of all records loads them, also again.
  const load = useMemo(
    () =>
      spec && drawsWhole(choice, result)
        ? async (signal: AbortSignal) => {
            const key = keyOf(spec);
            const last = lastWholes.get(spec.find);
            if (last?.key === key) return last.whole;
            const whole = await loadWhole(api.query, spec, signal);
            lastWholes.set(spec.find, { key, whole });
            return whole;
          }
        : null,
    [api, spec, choice, result],
  );
  const loading = useLoaded(load);
  // A plot that is shown again begins with what it showed.
  const last = spec && load ? lastWholes.get(spec.find) : undefined;
  const lastWhole = spec && last?.key === keyOf(spec) ? last.whole : null;
  const whole = load === null ? null : loading.status === 'loaded' ? loading.value : lastWhole;
  const { steps, detail, error, retry } = useDetail(spec, whole, zoom);
  const count = useMemo(() => (whole ? whole.steps.reduce((sum, step) => sum + step.count, 0) : 0), [whole]);
  const isDetail = whole !== null && detail !== null && zoom !== null && coversView(detail, whole, zoom);
  const isExact = isDetail ? detail.width === 0 : (whole?.steps.every((step) => step.count === 1) ?? true);
  const width = isExact ? 0 : ((isDetail ? detail : whole)?.width ?? 0);
  const hasShorter = !isDetail && (whole?.steps.some((step) => step.width < width) ?? false);
  const index = spec?.index ?? '';
  const isTime = spec?.isTime ?? true;
  const stepText = useMemo(
    () => stepTextOf(width, { index, isTime, hasShorter, changes, units }),
    [width, changes, units, index, isTime, hasShorter],
  );
  const { fields } = rows;
  const source = useMemo(
    () =>
      spec && steps
        ? stepsSource(steps, spec, {
            fields,
            part: null,
            steps: stepText === null ? undefined : plotWords.whole.extremes(stepText),
          })
        : null,
    [spec, steps, fields, stepText],
  );
  const showRows = () => choose({ result, isWhole: false });
  const show = () => choose({ result, isWhole: true });
  const none: WholeRange = { source: null, text: null, error: null, show: null, showRows };
  if (!spec) return none;
  if (!drawsWhole(choice, result)) return { ...none, show };
  if (loading.status === 'failed')
    return { ...none, text: plotWords.whole.failed(result.records), error: loading.error, show };
  if (loading.status !== 'loaded' && !whole)
    return { ...none, text: plotWords.whole.loading(result.records) };
  if (!whole) return none;
  if (error) return { ...none, source, text: plotWords.whole.detailFailed, error, show: retry };
  const text = isDetail ? plotWords.whole.inView(stepText) : plotWords.whole.all(count, stepText);
  return { ...none, source, text };
}

function PlotCoverage({ result, whole }: { result: Result; whole: WholeRange }) {
  const { actions, loadAll } = useTab('results');
  const state = useStore(loadAll.store);
  const { rows, knownRows, held, isComplete } = useShape(result.held);
  const all = isComplete ? rows : null;
  if (state.status === 'running')
    return (
      <div className="plot-reach row min-0 one-line numbers quiet">
        <Progress done={state.done} all={all} />
        <Button variant="quiet" onPress={loadAll.actions.stop}>
          {plotWords.reach.stop}
        </Button>
      </div>
    );
  if (state.status === 'failed')
    return (
      <Alert tone="error" action={{ text: words.tryAgain, run: () => void actions.loadAll() }}>
        {plotWords.reach.failed(held, all)} {state.error.message}
      </Alert>
    );
  if (whole.text !== null) return <WholeCoverage {...whole} text={whole.text} />;
  const more = isLimited(result) && result.request.kind === 'find';
  if (!more && isComplete && held >= rows) return null;
  const most = held >= Math.min(maxLoadedRows, rows);
  return (
    <div className="plot-reach row min-0 one-line numbers quiet">
      <Status className="ellipsis">
        {more ? plotWords.reach.limited(held) : plotWords.reach.part(held, all ?? knownRows)}
      </Status>
      {whole.show && (
        <Button variant="quiet" onPress={whole.show}>
          {plotWords.whole.showAll}
        </Button>
      )}
      {most && !more ? (
        <span className="quiet">{plotWords.reach.most}</span>
      ) : (
        <Button variant="quiet" onPress={() => void actions.loadAll()}>
          {plotWords.reach.load(all !== null && !more ? Math.min(all, maxLoadedRows) : null)}
        </Button>
      )}
    </div>
  );
}

function WholeCoverage({ text, error, show, showRows }: WholeRange & { text: string }) {
  const rows = (
    <Button variant="quiet" onPress={showRows}>
      {plotWords.whole.showRows}
    </Button>
  );
  if (error)
    return (
      <Alert
        tone="warning"
        actions={
          <>
            {show && (
              <Button variant="quiet" onPress={show}>
                {words.tryAgain}
              </Button>
            )}
            {rows}
          </>
        }
      >
        {text} {error.message}
      </Alert>
    );
  return (
    <div className="plot-reach row min-0 one-line numbers quiet" title={text}>
      <Status className="ellipsis">{text}</Status>
      {rows}
    </div>
  );
}

function Progress({ done, all }: { done: number; all: number | null }) {
  const share = all === null ? null : done / Math.max(Math.min(all, maxLoadedRows), 1);
  return (
    <>
      <Status className="ellipsis">{plotWords.reach.loading(done, all)}</Status>
      <div className="plot-reach-bar">
        <Bar label={plotWords.reach.progress} share={share} />
      </div>
    </>
  );
}
