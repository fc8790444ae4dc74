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
import {
  Chart,
  type ChartSpec,
  alongText,
  seriesColors,
  trackAxisWidth,
  colorSteps,
  extentText,
  limitText,
  numberText,
} from '../../ui/plot/index.ts';
import type { Pointed } from '../../ui/plot/pointing.ts';
import { plotWords } from '../../words/plot.ts';
import { chartsOf, seriesOf, trackCurves, type Series } from './drawing.ts';
import { alongLabel, alongOf, fieldName, type PlotNames } from './names.ts';
import type { LinkedTable, PlotViewProps, TablePlace } from './plot-view.tsx';
import { placesOf, stepped, steppedDot, type Reading, readingsAt } from './reading.ts';
import type { Content, Drawn, Statistics } from './content.ts';
import type { Scene } from './scene.ts';
import { keyStep, zoomedBy, type KeyStep } from './moving.ts';
import {
  chartMarks,
  type OverlayAxis,
  overlayReadings,
  wellsOf,
  type OverlayReading,
} from './overlays/chart-marks.ts';
import type { PlotOverlays } from './overlays/use-overlays.ts';
import { TrackHeads } from './track-heads.tsx';
import { tracksOf } from './tracks.ts';
import { formatCount } from '../../format/numbers.ts';
import { Status } from '../../ui/status.tsx';
import { fitText } from './fit-texts.ts';
import { Swatch } from './swatch.tsx';
import { onThemeChange, tokenColors } from '../../ui/tokens.ts';
import type { Range } from './thin.ts';

export interface ReadoutProps {
  readonly content: Content;
  readonly drawn: Drawn | null;
  readonly series: readonly Series[];
  /** The values at the cursor; null: none. */
  readonly readings: readonly Reading[] | null;
  readonly statistics: Statistics | null;
  readonly names: PlotNames;
  /** The names of overlays at the cursor. */
  readonly overlays: readonly OverlayReading[];
  /** The position of the cursor, as text. */
  readonly at: string | null;
}

/** Number of points at the same place of the axis as another; dots have no order. */
export const repeatedOf = ({ choice, lines }: Content): number =>
  choice.kind === 'scatter' ? 0 : lines.reduce((sum, line) => sum + line.repeated, 0);

/** The legend of a plot, which is also a table: each line's value at the cursor, minimum, and maximum. */
export function Readout(props: ReadoutProps) {
  const { content, drawn, series, readings, statistics, names, overlays, at } = props;
  const { kind, crossplot } = content.choice;
  const isCrossplot = kind === 'scatter' && crossplot !== undefined;
  const tokens = content.lines.reduce((sum, line) => sum + line.tokens, 0);
  const points = content.lines.reduce((sum, line) => sum + line.count, 0);
  const repeated = repeatedOf(content);
  const exact = drawn?.lines.every((line) => line.exact) ?? true;
  const facts = [
    plotWords.line,
    `${plotWords.drawnPoints(points)}, ${exact ? plotWords.exact : plotWords.thinned}`,
    ...(tokens > 0 ? [plotWords.tokens(tokens)] : []),
    ...(repeated > 0 ? [plotWords.repeated(repeated)] : []),
  ].join(' · ');
  return (
    <div className="plot-readout">
      {/* oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard */}
      <section className="readout-table" aria-label={plotWords.values} tabIndex={0}>
        <table className="numbers" aria-label={plotWords.values}>
          <thead>
            <tr>
              <th scope="col" title={facts}>
                {facts}
              </th>
              <th scope="col" className="readout-number">
                {at ?? plotWords.atCursor}
              </th>
              <th scope="col" className="readout-number readout-extent">
                {plotWords.lowest}
              </th>
              <th scope="col" className="readout-number readout-extent">
                {plotWords.highest}
              </th>
              <th scope="col" className="readout-number readout-points">
                {plotWords.points}
              </th>
            </tr>
          </thead>
          <tbody>
            {series.map((series, index) => (
              <Row
                key={series.name}
                series={series}
                facts={content.lines[index]}
                seen={drawn?.lines[index]?.values ?? null}
                reading={readings?.find((reading) => reading.series === series) ?? null}
                dots={content.choice.kind === 'scatter' && !content.isPath}
              />
            ))}
            {isCrossplot &&
              crossplot.hasRegression &&
              statistics?.fits.map((fit, index) => (
                <tr key={`fit ${series[index]?.name}`}>
                  <th scope="row">{plotWords.crossplot.regressionOf(series[index]?.name ?? '')}</th>
                  <td className="readout-now" colSpan={4}>
                    {fit ? fitText(fit, statistics.log) : plotWords.crossplot.noFit}
                  </td>
                </tr>
              ))}
            {isCrossplot && crossplot.color !== null && content.colorRange && (
              <tr>
                <th scope="row">{plotWords.crossplot.coloredBy(fieldName(crossplot.color, names))}</th>
                <td colSpan={4}>
                  <ColorLegend range={content.colorRange} />
                </td>
              </tr>
            )}
            {overlays.map(({ field, names: shown }) => (
              <tr key={field}>
                <th scope="row">{field.replace(/^data\./, '')}</th>
                <td className="readout-now" colSpan={4}>
                  {shown.join(', ') || '–'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Status className="visually-hidden">
        {readings && at !== null ? inWords(readings, overlays, at) : ''}
      </Status>
    </div>
  );
}

interface RowProps {
  readonly series: Series;
  readonly facts: Content['lines'][number] | undefined;
  readonly seen: Drawn['lines'][number]['values'];
  readonly reading: Reading | null;
  readonly dots: boolean;
}

function Row({ series, facts, seen, reading, dots }: RowProps) {
  const value = reading ? (reading.value === null ? plotWords.noValue : numberText(reading.value)) : '–';
  return (
    <tr>
      <th scope="row">
        <Swatch color={series.color} dash={series.dash} isDot={dots} />
        {series.name}
      </th>
      <td className="readout-number readout-now">{value}</td>
      <td className="readout-number readout-extent">{seen ? extentText(seen.from) : '–'}</td>
      <td className="readout-number readout-extent">{seen ? extentText(seen.to) : '–'}</td>
      <td className="readout-number readout-points">{formatCount(facts?.count ?? 0)}</td>
    </tr>
  );
}

function inWords(readings: readonly Reading[], overlays: readonly OverlayReading[], at: string): string {
  const marks = overlays.flatMap(({ names }) => names);
  const values = readings.map(({ series, value }) =>
    plotWords.one(series.name, value === null ? plotWords.noValue : numberText(value)),
  );
  return plotWords.read(at, [...marks, ...values].join('; '));
}

/** The colors of values, with the lowest and the highest. */
function ColorLegend({ range }: { readonly range: Range }) {
  const [isDark, setDark] = useState(() => tokenColors().dark);
  useEffect(() => onThemeChange(() => setDark(tokenColors().dark)), []);
  return (
    <span className="color-legend">
      {limitText(range.from)}
      <span
        className="color-legend-bar"
        style={{ backgroundImage: `linear-gradient(to right, ${colorSteps(isDark).join(', ')})` }}
      />
      {limitText(range.to)}
    </span>
  );
}

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
