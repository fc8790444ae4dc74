import { type RefObject, useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { isCompleteResult, isLimited, maxLoadedRows } from '../load-all.ts';
import type { Result } from '../results.ts';
import type { ResultShape } from '../../records/result.ts';
import type { Records } from '../../records/records.ts';
import { useDrawnShape, useShape } from '../use-records.ts';
import { DatasetPlot } from '../../plot/dataset-plot.tsx';
import { useTab, useTabState } from '../../../contexts.ts';
import { useLoaded } from '../../../state/use-loaded.ts';
import './results-plot.css';
import { pathId } from '../../../../shared/column-paths.ts';
import { choiceFor } from '../../plot/first-choice.ts';
import type { LinkedTable, QueryRange, TablePlace } from '../../plot/plot-view.tsx';
import type { PlotSource } from '../../plot/source.ts';
import { useSynonyms } from '../../settings/use-synonyms.ts';
import type { GridControl } from '../../../ui/grid/index.ts';
import { boundsOf } from '../../../../shared/language/text/range.ts';
import { columnConverter, type UnitChanges } from '../../records/shown-cells.ts';
import { firstRowIn, isSamePlace, nearestRow, placeOfTable, rangeOfRows } from './table-link.ts';
import { useWholeRange, type WholeRange } from './use-whole-range.ts';
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
  const { held, asked } = result;
  const zone = useTab('zone');
  const changes = useTab('changes');
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
        connection={asked.request.connection}
        dataset={dataset}
        plot={plot}
        source={source}
        zone={zone}
        query={asked.kind === 'find' ? asked.request.query : null}
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
    const loaded = rangeOfRows(positions, { from: 0, to: positions.length });
    // A plot of all matching records has some that the table hasn't.
    const rowAt = (along: number): number | null =>
      loaded && hasRest && (along < loaded.from || along > loaded.to) ? null : nearestRow(positions, along);
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

/**
 * The loaded records as a source for plots.
 * @param all whether these are all matching records
 */
function recordsSource(records: Records, shape: ResultShape, all: boolean): PlotSource {
  const { rows, columns, held, gaps } = shape;
  const paths = new Map(columns.map(({ path }) => [pathId(path), path]));
  const pathsOf = (ids: readonly string[]) => ids.flatMap((id) => [paths.get(id) ?? []]);
  return {
    rows,
    part: all ? null : { selected: false, count: held, gaps },
    fields: columns.map(({ path, kind }) => ({ id: pathId(path), kind })),
    numbers: (ids) => records.numbers(pathsOf(ids)),
    groups: (ids) => records.groups(pathsOf(ids)),
  };
}

/** The share of matching records in the plot, and a button to load the rest. */
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
      <Alert
        tone="error"
        actions={
          <Button variant="quiet" onPress={() => void actions.loadAll()}>
            {words.tryAgain}
          </Button>
        }
      >
        {plotWords.reach.failed(held, all)} {state.error.message}
      </Alert>
    );
  if (whole.text !== null) return <WholeCoverage {...whole} text={whole.text} />;
  const more = isLimited(result) && result.asked.kind === 'find';
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

/** What a plot shows of all matching records, and a button for the loaded rows. */
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
    <div className="plot-reach row min-0 one-line numbers quiet">
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
