import {
  useEffect,
  useMemo,
  useState,
  type ReactNode,
  Suspense,
  useId,
  useSyncExternalStore,
  type KeyboardEvent,
} from 'react';
import { useStore } from 'zustand';
import type { Dataset } from '../../../shared/datasets/datasets.ts';
import type { PlotChoice } from '../../../shared/tabs/plot.ts';
import { Notice } from '../../ui/notices.tsx';
import { useLogs } from '../datasets/logs.ts';
import { Empty, Failed, Loading } from '../../ui/view-states.tsx';
import { notesWords } from '../../words/notes.ts';
import { plotWords } from '../../words/plot.ts';
import { columnConverter, type UnitChanges } from '../records/shown-cells.ts';
import { useSynonyms } from '../settings/use-synonyms.ts';
import { choiceFor, groupFields, shownFields, type TimeKind } from './first-choice.ts';
import { type PlotNames, alongLabel, alongOf, fieldName, groupsShown, plotFacts } from './names.ts';
import {
  overlayAxis,
  chartMarks,
  type OverlayAxis,
  overlayReadings,
  wellsOf,
  type OverlayReading,
  overlayTexts,
} from './overlays/chart-marks.ts';
import { type PlotOverlays, useOverlays } from './overlays/use-overlays.ts';
import {
  type ChartRange,
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
import type { Plot } from './plot.ts';
import { PlotBar } from './plot-bar.tsx';
import { createScene, type Scene } from './scene.ts';
import type { PlotSource } from './source.ts';
import { thinner } from './thinner.ts';
import './plot.css';
import { createLatestTask } from '../../state/latest-task.ts';
import { valueOr } from '../../state/loadable.ts';
import type { Pointed } from '../../ui/plot/pointing.ts';
import { BarChart } from './bars.tsx';
import { chartsOf, seriesOf, trackCurves, type Series } from './drawing.ts';
import { placesOf, stepped, steppedDot, type Reading, readingsAt } from './reading.ts';
import type { Content, Drawn, Statistics } from './content.ts';
import { keyStep, zoomedBy, type KeyStep } from './moving.ts';
import { TrackHeads } from './track-heads.tsx';
import { formatCount } from '../../format/numbers.ts';
import { Status } from '../../ui/status.tsx';
import { fitText } from './fit-texts.ts';
import { Swatch } from './swatch.tsx';
import { onThemeChange, tokenColors } from '../../ui/tokens.ts';
import type { Range } from './thin.ts';

interface ReadoutProps {
  readonly drawn: Drawn;
  readonly series: readonly Series[];
  /** The values at the cursor; null: none. */
  readonly readings: readonly Reading[] | null;
  readonly statistics: Statistics | null;
  readonly names: PlotNames;
  readonly overlays: readonly OverlayReading[];
  /** The position of the cursor, as text. */
  readonly at: string | null;
}

/** Number of points at the same place of the axis as another; dots have no order. */
const repeatedOf = ({ choice, lines }: Content): number =>
  choice.kind === 'scatter' ? 0 : lines.reduce((sum, line) => sum + line.repeated, 0);

/** What is drawn, in how many points. */
function factsOf({ content, lines }: Drawn): string {
  const tokens = content.lines.reduce((sum, line) => sum + line.tokens, 0);
  const points = content.lines.reduce((sum, line) => sum + line.count, 0);
  const repeated = repeatedOf(content);
  const exact = lines.every((line) => line.exact);
  return [
    plotWords.line,
    `${plotWords.drawnPoints(points)}, ${exact ? plotWords.exact : plotWords.thinned}`,
    ...(tokens > 0 ? [plotWords.tokens(tokens)] : []),
    ...(repeated > 0 ? [plotWords.repeated(repeated)] : []),
  ].join(' · ');
}

/** Without a text: the position of the cursor. */
const readoutHeads: readonly { readonly text?: string; readonly className: string }[] = [
  { className: '' },
  { text: plotWords.lowest, className: 'readout-extent' },
  { text: plotWords.highest, className: 'readout-extent' },
  { text: plotWords.points, className: 'readout-points' },
];

/** The legend of a plot, which is also a table: each line's value at the cursor, minimum, and maximum. */
function Readout(props: ReadoutProps) {
  const { drawn, series, readings, statistics, names, overlays, at } = props;
  const { content } = drawn;
  const { kind, crossplot } = content.choice;
  const isCrossplot = kind === 'scatter' && crossplot !== undefined;
  const facts = factsOf(drawn);
  return (
    <div className="plot-readout flex-none faint-above small">
      {/* oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard */}
      <section className="readout-table pad-x-3 scroll" aria-label={plotWords.values} tabIndex={0}>
        <table className="numbers wide sticky-head" aria-label={plotWords.values}>
          <thead className="quiet">
            <tr>
              <th scope="col" className="ellipsis" title={facts}>
                {facts}
              </th>
              {readoutHeads.map(({ text, className }) => (
                <th key={text ?? ''} scope="col" className={`readout-number ${className}`}>
                  {text ?? at ?? plotWords.atCursor}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {series.map((series, index) => (
              <Row
                key={series.name}
                series={series}
                facts={content.lines[index]}
                seen={drawn.lines[index]?.values ?? null}
                reading={readings?.find((reading) => reading.series === series) ?? null}
                dots={content.choice.kind === 'scatter' && !content.isPath}
              />
            ))}
            {isCrossplot &&
              crossplot.hasRegression &&
              statistics?.fits.map((fit, index) => (
                <tr key={`fit ${series[index]?.name}`}>
                  <th scope="row">{plotWords.crossplot.regressionOf(series[index]?.name ?? '')}</th>
                  <td className="readout-now bold" colSpan={4}>
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
              <tr key={field ?? ''}>
                <th scope="row">{field === null ? notesWords.heading : names.field(field).line}</th>
                <td className="readout-now bold" colSpan={4}>
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
      <td className="readout-number readout-now bold">{value}</td>
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

function ColorLegend({ range }: { readonly range: Range }) {
  const [isDark, setDark] = useState(() => tokenColors().dark);
  useEffect(() => onThemeChange(() => setDark(tokenColors().dark)), []);
  return (
    <span className="row">
      {limitText(range.from)}
      <span
        className="color-legend-bar round"
        style={{ backgroundImage: `linear-gradient(to right, ${colorSteps(isDark).join(', ')})` }}
      />
      {limitText(range.to)}
    </span>
  );
}

/** By field, in the stored unit; null: none. */
type FieldLimits = Readonly<Record<string, { readonly min: number | null; readonly max: number | null }>>;

const shownLimits =
  (limits: FieldLimits = {}, changes: UnitChanges) =>
  (field: string): readonly number[] => {
    const { min = null, max = null } = limits[field] ?? {};
    const convert = columnConverter(changes, field);
    return [min, max].flatMap((value) => (value === null ? [] : [convert?.(value) ?? value]));
  };

interface ChartsProps extends PlotViewProps {
  readonly choice: PlotChoice;
  readonly scene: Scene;
  readonly content: Content;
  readonly overlays: PlotOverlays;
  readonly overlayOn: OverlayAxis | null;
}

function Charts(props: ChartsProps) {
  const { plot, scene, content, source, zone, names, table, overlays, overlayOn, limits, changes } = props;
  const drawn = useStore(scene.store, (state) => state.drawn);
  const [pointed, setPointed] = useState<{ readonly axis: string; readonly at: Pointed | null } | null>(null);
  const help = useId();
  // Until lines are drawn, axes without lines measure the plot.
  const shown = useMemo<Drawn>(
    () => drawn ?? { content, part: content.extent ?? { x: { from: 0, to: 1 } }, lines: [] },
    [drawn, content],
  );
  const { choice, axis } = shown.content;
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
  const label = alongLabel(shown.content, along, names);
  const series = useMemo(() => seriesOf(shown.content, names, seriesColors), [shown.content, names]);
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
  const limitsOf = useMemo(() => shownLimits(limits, changes), [limits, changes]);
  const charts = useMemo(
    () =>
      chartsOf(shown, series, { along, label, names, limitsOf, marks, areMarksAcross, statistics, tracks }),
    [shown, series, along, label, names, limitsOf, marks, areMarksAcross, statistics, tracks],
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
      {groupsShown(content).map((text) => (
        <Notice key={text} tone="info">
          {plotWords.groupsLeft(text)}
        </Notice>
      ))}
      <div className={isPanels ? 'plot-scroll plot-panels scroll-y' : 'plot-scroll scroll-x'}>
        <div
          className="plot-columns stack gap-0 full"
          style={isPanels ? {} : { minWidth: charts.length * minTrackWidth + trackAxisWidth(along) }}
        >
          {tracks && (
            <TrackHeads
              plot={plot}
              names={names}
              choice={props.choice}
              tracks={tracks}
              axisWidth={trackAxisWidth(along)}
            />
          )}
          {/* oxlint-disable-next-line no-noninteractive-element-interactions -- an application is acted upon by keys */}
          <div
            className="plot-charts focus-inside row items-stretch fill pad-x-2"
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
        drawn={shown}
        series={series}
        readings={readings?.all ?? null}
        statistics={statistics}
        names={names}
        overlays={
          readings && !areMarksAcross
            ? overlayReadings(overlays.loaded, wellsOf(content), readings.along)
            : []
        }
        at={readings && alongText(readings.along, along, shown.part.x.to - shown.part.x.from)}
      />
    </>
  );
}

function Panel({ spec: { isPanel = false, scales }, children }: { spec: ChartSpec; children: ReactNode }) {
  if (!isPanel) return children;
  return (
    <div className="plot-panel stack gap-0">
      <span className="plot-panel-name flex-none small ellipsis">{scales[0]?.label}</span>
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

const noOverlays: PlotOverlays = { loaded: [], wells: [], error: null };

interface PlanViewProps extends PlotViewProps {
  readonly plan: NonNullable<PlotChoice['plan']>;
  readonly scene: Scene;
}

/** The plan of a wellpath, with a zoom of its own. */
function PlanView({ plan, scene, ...props }: PlanViewProps) {
  const { source, changes } = props;
  const { type } = props.dataset;
  const planChoice = useMemo<PlotChoice>(
    () => ({ kind: 'scatter', x: plan.x, y: [plan.y], align: 'recorded', plan }),
    [plan],
  );
  useEffect(() => {
    void scene.actions.show(source, planChoice, groupFields(type, source.fields, true), changes);
  }, [scene, source, type, planChoice, changes]);
  const content = useStore(scene.store, (state) => state.content);
  if (content.status !== 'loaded' || content.value.extent === null) return null;
  return (
    <div className="grow stack gap-0">
      <Charts
        {...props}
        choice={planChoice}
        table={undefined}
        scene={scene}
        content={content.value}
        overlays={noOverlays}
        overlayOn={null}
      />
    </div>
  );
}

export interface PlotViewProps {
  readonly plot: Plot;
  /** The records; another object means other records. */
  readonly source: PlotSource;
  readonly dataset: Dataset;
  readonly timeKind?: TimeKind;
  /** An IANA name. */
  readonly zone: string;
  readonly names: PlotNames;
  readonly changes: UnitChanges;
  /** The limits of fields, in the stored unit; absent: none. */
  readonly limits?: FieldLimits;
  /** The asset ids, as text, of the wells that the query names. */
  readonly requestedWells: readonly string[];
  /** The share of the matching records that is in the plot. */
  readonly coverage?: ReactNode;
  /** Takes a zoomed range into the query, if it is one of this field. */
  readonly queryRange?: QueryRange | undefined;
  /** A table of the same records beside the plot. */
  readonly table?: LinkedTable | undefined;
}

export interface QueryRange {
  readonly field: string;
  readonly use: (range: ChartRange) => void;
}

/** What a table points at, along the axis of a plot. */
export interface TablePlace {
  /** The position of the row with the pointer; null: none. */
  readonly cursor: number | null;
  /** The rows in view; null: none. */
  readonly inView: ChartRange | null;
}

/** A table that shows positions along the axis to a plot, and is shown them. */
export interface LinkedTable {
  /** What the table points at; the same object until it changes. */
  readonly place: () => TablePlace;
  /** Calls back when the place may have changed. Returns a function that stops. */
  readonly subscribe: (onChange: () => void) => () => void;
  /** The cursor of the plot moved; null: it left. */
  readonly point: (along: number | null) => void;
  readonly select: (along: number) => void;
}

export function PlotView(props: PlotViewProps) {
  const { plot, source, timeKind } = props;
  const { type } = props.dataset;
  const synonyms = useSynonyms();
  const selected = useStore(plot.store, (state) => state.choice);
  const choice = useMemo(
    () => choiceFor(selected, type, source.fields, synonyms, timeKind),
    [selected, type, source, synonyms, timeKind],
  );
  // Ids and versions are numbers too, and say nothing in a plot.
  if (!choice || shownFields(source.fields).length === 0)
    return (
      <Empty>
        {source.fields.some(({ kind }) => kind === 'nested') ? plotWords.onlyLists : plotWords.nothing}
      </Empty>
    );
  return (
    <section className="plot-view scroll-y fill stack gap-0 full min-0 surface" aria-label={plotWords.region}>
      {choice.kind === 'bars' ? (
        <BarChart {...props} choice={choice} />
      ) : (
        <Shown {...props} choice={choice} />
      )}
    </section>
  );
}

const scenes = new WeakMap<Plot, { readonly scene: Scene; readonly planScene: Scene }>();

/** What is drawn of a plot, which stays while another view is shown. */
function scenesOf(plot: Plot) {
  const before = scenes.get(plot);
  if (before) return before;
  const made = { scene: createScene(thinner, plot.store.getState().zoom), planScene: createScene(thinner) };
  scenes.set(plot, made);
  const { scene, planScene } = made;
  scene.store.subscribe(({ part, content: now }, before) => {
    if (part === before.part || now.status !== 'loaded') return;
    plot.actions.keepZoom(part && { axis: now.value.axis, part });
  });
  plot.onClose.push(scene.actions.close, planScene.actions.close);
  return made;
}

function Shown(props: PlotViewProps & { choice: PlotChoice }) {
  const { plot, source, choice, changes } = props;
  const { type } = props.dataset;
  const { scene, planScene } = scenesOf(plot);
  useEffect(
    () => () => {
      scene.actions.hide();
      planScene.actions.hide();
    },
    [scene, planScene],
  );
  useEffect(() => {
    void scene.actions.show(
      source,
      choice,
      groupFields(type, source.fields, choice.plan !== undefined),
      changes,
    );
  }, [scene, source, type, choice, changes]);
  const content = useStore(scene.store, (state) => state.content);
  useLogs(props.dataset, valueOr(content, null)?.groups);
  const overlayOn = useMemo(() => overlayAxis(choice, source.fields), [choice, source]);
  const overlays = useOverlays(
    content.status === 'loaded' ? content.value : null,
    overlayOn,
    props.names,
    props.requestedWells,
  );
  const { coverage, table, ...barProps } = { ...props, scene, planScene, overlays, overlayOn };
  const chartProps = { ...barProps, coverage, table };
  return (
    <>
      <PlotHead {...props} scene={scene} />
      <PlotBar {...barProps} />
      <OverlayNotes overlays={overlays} />
      {content.status === 'failed' ? (
        <Failed error={content.error} />
      ) : content.status !== 'loaded' ? (
        <Loading what={plotWords.drawing} />
      ) : choice.y.length === 0 ? (
        <Empty>{plotWords.noFields}</Empty>
      ) : content.value.extent === null ? (
        <Empty>{plotWords.noPoints}</Empty>
      ) : choice.kind === 'scatter' && choice.plan ? (
        <div className="plot-view-parts grow row items-stretch">
          <div className="grow stack gap-0">
            <Charts {...chartProps} content={content.value} />
          </div>
          <PlanView {...props} scene={planScene} plan={choice.plan} />
        </div>
      ) : (
        <Charts {...chartProps} content={content.value} />
      )}
    </>
  );
}

function OverlayNotes({ overlays: { error, loaded } }: { overlays: PlotOverlays }) {
  return (
    <>
      {error && <Notice tone="warning">{plotWords.overlays.failed(error.message)}</Notice>}
      {overlayTexts(loaded, plotWords.overlays.fewerWells).map((text) => (
        <Notice key={text} tone="warning">
          {text}
        </Notice>
      ))}
    </>
  );
}

function PlotHead({
  scene,
  source,
  zone,
  names,
  coverage,
  requestedWells,
}: PlotViewProps & { scene: Scene }) {
  const drawn = useStore(scene.store, (state) => state.drawn);
  const facts = drawn && plotFacts(drawn, source.fields, zone, names, requestedWells);
  return (
    <div className="plot-head row gap-3 flex-none faint-below">
      {!facts && <span className="plot-title ellipsis" />}
      {facts && (
        <h3
          className="plot-title ellipsis numbers"
          title={[facts.wells, facts.range].filter(Boolean).join(' · ')}
        >
          {facts.wells && <span className="plot-wells">{facts.wells}</span>}
          <span className="plot-range quiet">{facts.range}</span>
        </h3>
      )}
      {/* Not in the title, whose end is cut off. */}
      {facts?.lacking.map((text) => (
        <span key={text} className="flex-none tone-warning">
          {text}
        </span>
      ))}
      {coverage}
    </div>
  );
}
