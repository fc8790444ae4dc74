import {
  Suspense,
  useId,
  useMemo,
  useState,
  type ReactNode,
  useSyncExternalStore,
  type KeyboardEvent,
  useEffect,
} from 'react';
import { createLatestTask } from '../../state/latest-task.ts';
import { useStore } from 'zustand';
import { Notice } from '../../ui/notices.tsx';
import { Loading } from '../../ui/view-states.tsx';
import { Chart, type ChartSpec, alongText, seriesColors, trackAxisWidth } from '../../ui/plot/index.ts';
import type { Pointed } from '../../ui/plot/pointing.ts';
import { plotWords } from '../../words/plot.ts';
import { chartsOf, seriesOf, trackCurves, type Series } from './drawing.ts';
import { alongLabel, alongOf, fieldName } from './names.ts';
import type { LinkedTable, PlotViewProps, TablePlace } from './plot-view.tsx';
import { placesOf, stepped, steppedDot, type Reading, readingsAt } from './reading.ts';
import { Readout, repeatedOf } from './readout.tsx';
import type { Content, Drawn } from './content.ts';
import type { Scene } from './scene.ts';
import { keyStep, zoomedBy, type KeyStep } from './moving.ts';
import { chartMarks, type OverlayAxis, overlayReadings, wellsOf } from './overlays/chart-marks.ts';
import type { PlotOverlays } from './overlays/use-overlays.ts';
import { TrackHeads } from './track-heads.tsx';
import { tracksOf } from './tracks.ts';

interface ChartsProps extends PlotViewProps {
  readonly scene: Scene;
  readonly content: Content;
  readonly overlays: PlotOverlays;
  readonly overlayOn: OverlayAxis | null;
}

/** The charts of a plot, with the cursor and a table of its values. */
export function Charts(props: ChartsProps) {
  const { plot, scene, content, source, zone, names, table, overlays, overlayOn } = props;
  const drawn = useStore(scene.store, (state) => state.drawn);
  const [pointed, setPointed] = useState<{ readonly axis: string; readonly at: Pointed | null } | null>(null);
  const help = useId();
  const { choice, axis } = drawn?.content ?? content;
  // Positions of rows are times or depths as recorded, and dots have two.
  const linked = choice.kind === 'scatter' || choice.align === 'elapsed' ? undefined : table;
  // Here, and not above: a move of the pointer renders neither the bar of the plot nor the table.
  const place = useTablePlace(linked);
  const pointedAt = pointed?.axis === axis ? pointed.at : null;
  const cursor = pointedAt ?? (place.cursor === null ? null : { along: place.cursor });
  const setCursor = (at: Pointed | null) => {
    setPointed({ axis, at });
    linked?.point(at?.along ?? null);
  };
  const along = useMemo(() => alongOf(choice, source.fields, zone), [choice, source, zone]);
  const label = alongLabel(drawn?.content ?? content, along, names);
  const series = useMemo(
    () => seriesOf(drawn?.content ?? content, names, seriesColors),
    [drawn?.content, content, names],
  );
  const marks = useMemo(
    () => chartMarks(overlays.loaded, wellsOf(content), seriesColors),
    [overlays, content],
  );
  const areMarksAcross = overlayOn?.isAcross ?? false;
  const statistics = useStore(scene.store, (state) => state.statistics);
  const tracks = useMemo(
    () => (drawn && choice.kind === 'tracks' ? trackCurves(drawn, series, names) : null),
    [drawn, series, names, choice.kind],
  );
  const charts = useMemo(
    () =>
      drawn
        ? chartsOf(drawn, series, { along, label, names, marks, areMarksAcross, statistics, tracks })
        : blank(content, { along, label }, names),
    [drawn, series, along, label, names, content, marks, areMarksAcross, statistics, tracks],
  );
  const isPanels = choice.kind === 'panels';
  const readings = useReadings(scene, drawn, series, cursor);

  const act = (step: KeyStep) => {
    if (!drawn) return;
    if (step.do === 'zoom' || step.do === 'pan')
      scene.actions.zoom(zoomedBy(drawn, content, step, cursor?.along ?? null));
    else if (step.do === 'select') {
      if (cursor) linked?.select(cursor.along);
    } else if (step.do === 'reset') scene.actions.zoom(null);
    else if (choice.kind === 'scatter') setCursor(steppedDot(drawn, cursor, step.by));
    else setCursor(stepped(placesOf(drawn), cursor, step.by));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = keyStep(event);
    if (!step) return;
    event.preventDefault();
    act(step);
  };
  const fields = choice.y.map((field) => fieldName(field, names)).join(', ');
  const points = content.lines.reduce((sum, line) => sum + line.count, 0);
  return (
    <>
      {repeatedOf(content) > points * minExplainedShare && (
        <Notice tone="info">
          {plotWords.manyRepeated(repeatedOf(content), points, choice.kind === 'tracks')}
        </Notice>
      )}
      {content.groupsLeft > 0 && (
        <Notice tone="info">
          {plotWords.groupsLeft(content.groups.length, content.groups.length + content.groupsLeft)}
        </Notice>
      )}
      <div className={isPanels ? 'plot-scroll plot-panels' : 'plot-scroll'}>
        <div
          className="plot-columns"
          style={isPanels ? {} : { minWidth: charts.length * minTrackWidth + trackAxisWidth(along) }}
        >
          {tracks && (
            <TrackHeads
              plot={plot}
              names={names}
              content={drawn?.content ?? content}
              tracks={tracks}
              axisWidth={trackAxisWidth(along)}
            />
          )}
          {/* oxlint-disable-next-line no-noninteractive-element-interactions -- an application is acted upon by keys */}
          <div
            className="plot-charts"
            role="application"
            aria-label={plotWords.chart(fields, label)}
            aria-describedby={help}
            title={plotWords.helpShort}
            // oxlint-disable-next-line no-noninteractive-tabindex -- an application is acted upon by keys
            tabIndex={0}
            onKeyDown={onKeyDown}
          >
            <Suspense fallback={<Loading what={plotWords.loading} />}>
              {charts.map((spec, at) => (
                <Panel key={charts.length > 1 ? `${spec.shape} ${at}` : spec.shape} spec={spec}>
                  <Chart
                    spec={spec}
                    cursor={cursor}
                    band={place.inView}
                    onPoint={setCursor}
                    onSelect={({ along: at }) => linked?.select(at)}
                    onZoom={(part) => scene.actions.zoom(part)}
                    onResize={at === 0 ? scene.actions.resize : ignore}
                  />
                </Panel>
              ))}
            </Suspense>
          </div>
        </div>
      </div>
      <span id={help} hidden>
        {plotWords.help}
      </span>
      <Readout
        content={drawn?.content ?? content}
        drawn={drawn}
        series={series}
        readings={readings?.all ?? null}
        statistics={statistics}
        names={names}
        overlays={
          readings && !areMarksAcross
            ? overlayReadings(overlays.loaded, wellsOf(content), readings.along)
            : []
        }
        at={readings && alongText(readings.along, along, drawn ? drawn.part.x.to - drawn.part.x.from : 0)}
      />
    </>
  );
}

/** A chart with its name above it, if it is one of several below each other. */
function Panel({ spec: { isPanel = false, scales }, children }: { spec: ChartSpec; children: ReactNode }) {
  if (!isPanel) return children;
  return (
    <div className="plot-panel">
      <span className="plot-panel-name ellipsis">{scales[0]?.label}</span>
      {children}
    </div>
  );
}

const nowhere: TablePlace = { cursor: null, inView: null };
const subscribeToNothing = () => ignore;

const useTablePlace = (table: LinkedTable | undefined): TablePlace =>
  useSyncExternalStore(table?.subscribe ?? subscribeToNothing, table?.place ?? (() => nowhere));

/** The share of points at the same place as another from which vertical lines are explained. */
const minExplainedShare = 0.1;

/** In pixels; narrower tracks are scrolled sideways. */
const minTrackWidth = 110;

const ignore = () => undefined;

/** Axes without lines, to measure the plot. */
function blank(
  content: Content,
  base: { along: ReturnType<typeof alongOf>; label: string },
  { channelOf }: PlotViewProps['names'],
) {
  const { choice, extent } = content;
  const range = extent?.x ?? { from: 0, to: 1 };
  const shape =
    choice.kind === 'tracks'
      ? ('track' as const)
      : choice.kind === 'scatter'
        ? ('dots' as const)
        : ('lines' as const);
  const isPanel = choice.kind === 'panels';
  const count = isPanel
    ? choice.y.length
    : shape === 'track'
      ? tracksOf(choice, (field) => channelOf?.(field) ?? null).length
      : 1;
  return Array.from({ length: count }, (_, at) => ({
    ...base,
    shape,
    range,
    isPanel,
    axis: at === (isPanel ? count - 1 : 0),
    scales: [{ label: '', range: { from: 0, to: 1 } }],
    lines: [],
  }));
}

/** The values at a position. */
interface Readings {
  readonly along: number;
  readonly all: readonly Reading[];
}

interface ExactReading {
  readonly content: Content;
  readonly along: number;
  readonly values: readonly (number | null)[];
}

/**
 * The values at the cursor. Where not all points are drawn, the nearest drawn one can be that of another record, so the
 * thread with the records reads it; until it answers, the values before stay. Null: there is no cursor, or nothing is drawn.
 */
function useReadings(
  scene: Scene,
  drawn: Drawn | null,
  series: readonly Series[],
  cursor: Pointed | null,
): Readings | null {
  const [reading, setReading] = useState<ExactReading | null>(null);
  const isExact = cursor?.dot !== undefined || (drawn?.lines.every((line) => line.exact) ?? true);
  const along = cursor?.along ?? null;
  const content = drawn?.content ?? null;
  useEffect(() => {
    if (isExact || along === null || content === null) return undefined;
    const task = createLatestTask();
    void task.run(() => scene.actions.read(along), {
      onDone: (values) => values && setReading({ content, along, values }),
      // The plot was closed, or shows its own error.
      onFailed: () => undefined,
      onCanceled: () => undefined,
    });
    return task.drop;
  }, [scene, content, along, isExact]);
  if (!drawn || !cursor) return null;
  if (isExact || reading?.content !== content)
    return { along: cursor.along, all: readingsAt(drawn, series, cursor) };
  return {
    along: reading.along,
    all: series.map((curve, at) => ({ series: curve, value: reading.values[at] ?? null })),
  };
}
