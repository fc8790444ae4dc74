import { Suspense, useId, useMemo, useState, useSyncExternalStore, type KeyboardEvent } from 'react';
import { useStore } from 'zustand';
import { Alert } from '../../ui/alert.tsx';
import { Loading } from '../../ui/view-states.tsx';
import { Chart, alongText, seriesColors } from '../../ui/plot/index.ts';
import type { Pointed } from '../../ui/plot/pointing.ts';
import { words } from '../../words/words.ts';
import { chartsOf, seriesOf } from './drawing.ts';
import { alongLabel, alongOf, fieldName } from './names.ts';
import type { LinkedTable, PlotViewProps, TablePlace } from './plot-view.tsx';
import { placesOf, readingsAt, stepped, steppedDot } from './reading.ts';
import { Readout, repeatedOf } from './readout.tsx';
import type { Content, Scene } from './scene.ts';
import { keyStep, zoomedBy, type KeyStep } from './moving.ts';

export interface ChartsProps extends PlotViewProps {
  readonly scene: Scene;
  readonly content: Content;
}

/** The charts of a plot, with the cursor and a table of its values. */
export function Charts({ scene, content, source, zone, names, table }: ChartsProps) {
  const drawn = useStore(scene.store, (state) => state.drawn);
  const [pointed, setPointed] = useState<{ readonly axis: string; readonly at: Pointed | null } | null>(null);
  const help = useId();
  const { choice, axis } = drawn?.content ?? content;
  // Positions of rows are times or depths as recorded, and dots have two.
  const linked = choice.kind === 'scatter' || choice.align === 'elapsed' ? undefined : table;
  // Here, and not above: a move of the pointer renders neither the bar of the plot nor the table.
  const place = useTablePlace(linked);
  const own = pointed?.axis === axis ? pointed.at : null;
  const cursor = own ?? (place.cursor === null ? null : { along: place.cursor });
  const setCursor = (at: Pointed | null) => {
    setPointed({ axis, at });
    linked?.point(at?.along ?? null);
  };
  const along = useMemo(() => alongOf(choice, source.fields, zone), [choice, source, zone]);
  const label = alongLabel(choice, along, names);
  const series = useMemo(
    () => seriesOf(drawn?.content ?? content, names, seriesColors),
    [drawn?.content, content, names],
  );
  const charts = useMemo(
    () => (drawn ? chartsOf(drawn, series, { along, label, names }) : blank(content, { along, label })),
    [drawn, series, along, label, names, content],
  );
  const readings = drawn && cursor ? readingsAt(drawn, series, cursor) : null;

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
        <Alert tone="info">{words.plot.manyRepeated(repeatedOf(content), points)}</Alert>
      )}
      {content.groupsLeft > 0 && (
        <Alert tone="info">
          {words.plot.groupsLeft(content.groups.length, content.groups.length + content.groupsLeft)}
        </Alert>
      )}
      {/* oxlint-disable-next-line no-noninteractive-element-interactions -- an application is acted upon by keys */}
      <div
        className="plot-charts"
        role="application"
        aria-label={words.plot.chart(fields, label)}
        aria-describedby={help}
        title={words.plot.helpShort}
        // oxlint-disable-next-line no-noninteractive-tabindex -- an application is acted upon by keys
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <Suspense fallback={<Loading what={words.plot.loading} />}>
          {charts.map((spec, at) => (
            <Chart
              key={spec.shape === 'track' ? `track ${choice.y[at]}` : spec.shape}
              spec={spec}
              cursor={cursor}
              band={place.inView}
              onPoint={setCursor}
              onSelect={({ along: at }) => linked?.select(at)}
              onZoom={(part) => scene.actions.zoom(part)}
              onResize={at === 0 ? scene.actions.resize : ignore}
            />
          ))}
        </Suspense>
      </div>
      <span id={help} hidden>
        {words.plot.help}
      </span>
      <Readout
        content={drawn?.content ?? content}
        drawn={drawn}
        series={series}
        readings={readings}
        at={cursor ? alongText(cursor.along, along, drawn ? drawn.part.x.to - drawn.part.x.from : 0) : null}
      />
    </>
  );
}

const nowhere: TablePlace = { cursor: null, inView: null };
const subscribeToNothing = () => ignore;

const useTablePlace = (table: LinkedTable | undefined): TablePlace =>
  useSyncExternalStore(table?.subscribe ?? subscribeToNothing, table?.place ?? (() => nowhere));

/** The share of points at the same place as another from which vertical lines are explained. */
const minExplainedShare = 0.1;

const ignore = () => undefined;

/** Axes without lines, to measure the plot. */
function blank(content: Content, base: { along: ReturnType<typeof alongOf>; label: string }) {
  const { choice, extent } = content;
  const range = extent?.x ?? { from: 0, to: 1 };
  const shape =
    choice.kind === 'tracks'
      ? ('track' as const)
      : choice.kind === 'scatter'
        ? ('dots' as const)
        : ('lines' as const);
  const count = shape === 'track' ? choice.y.length : 1;
  return Array.from({ length: count }, (_, at) => ({
    ...base,
    shape,
    range,
    axis: at === 0,
    scales: [{ label: '', range: { from: 0, to: 1 } }],
    lines: [],
  }));
}
