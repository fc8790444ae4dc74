import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import type { DatasetType } from '../../../shared/datasets/datasets.ts';
import type { PlotChoice } from '../../../shared/tabs/plot.ts';
import type { SaveFile } from '../../api/save.ts';
import { Notice } from '../../ui/notices.tsx';
import { addressText } from '../datasets/search.ts';
import { Empty, Failed, Loading } from '../../ui/view-states.tsx';
import { plotWords } from '../../words/plot.ts';
import type { UnitChanges } from '../records/unit-changes.ts';
import { useSynonyms } from '../settings/use-synonyms.ts';
import { choiceFor, groupFields, shownFields, type TimeKind } from './first-choice.ts';
import { Charts } from './charts.tsx';
import { rangeOfPoints } from './extent.ts';
import { type PlotNames, absentWells, alongLabel, alongOf, rangeText, wellsText } from './names.ts';
import { overlayAxis } from './overlays/chart-marks.ts';
import { maxMarks } from './overlays/overlays.ts';
import { type PlotOverlays, useOverlays } from './overlays/use-overlays.ts';
import type { ChartRange } from '../../ui/plot/index.ts';
import type { Plot } from './plot.ts';
import { PlotBar } from './plot-bar.tsx';
import { createScene, type Scene } from './scene.ts';
import type { PlotSource } from './source.ts';
import { thinner } from './thinner.ts';
import './plot.css';

const noOverlays: PlotOverlays = { loaded: [], error: null, cut: [] };

interface PlanViewProps extends PlotViewProps {
  readonly plan: NonNullable<PlotChoice['plan']>;
  readonly scene: Scene;
}

/** The plan of a wellpath, with a zoom of its own. */
function PlanView({ plan, scene, ...props }: PlanViewProps) {
  const { source, type, changes } = props;
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
    <div className="plot-view-part">
      <Charts
        {...props}
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
  readonly connection: string;
  /** The user's selections, stored with the tab. */
  readonly plot: Plot;
  /** The records; another object means other records. */
  readonly source: PlotSource;
  readonly type: DatasetType | null;
  /** The kind of a plot over time, before the user selects one. */
  readonly timeKind?: TimeKind;
  readonly title: string;
  /** The zone of times, an IANA name. */
  readonly zone: string;
  readonly names: PlotNames;
  /** The fields that are shown in another unit. */
  readonly changes: UnitChanges;
  /** The asset ids, as text, of the wells that the query names. */
  readonly askedWells: readonly string[];
  readonly save: SaveFile;
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
  /** A position was selected. */
  readonly select: (along: number) => void;
}

/** Records as a plot. */
export function PlotView(props: PlotViewProps) {
  const { plot, source, type, timeKind } = props;
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
    <section className="plot-view" aria-label={plotWords.region}>
      <Shown {...props} choice={choice} />
    </section>
  );
}

function Shown(props: PlotViewProps & { choice: PlotChoice }) {
  const { plot, source, type, choice, changes } = props;
  const [scene] = useState(() => createScene(thinner, plot.store.getState().zoom));
  const [planScene] = useState(() => createScene(thinner));
  useEffect(
    () => () => {
      scene.actions.close();
      planScene.actions.close();
    },
    [scene, planScene],
  );
  useEffect(
    () =>
      scene.store.subscribe(({ part, content: now }, before) => {
        if (part === before.part || now.status !== 'loaded') return;
        plot.actions.keepZoom(part && { axis: now.value.axis, part });
      }),
    [scene, plot],
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
  const overlayOn = useMemo(() => overlayAxis(choice, source.fields), [choice, source]);
  const overlays = useOverlays(
    props.connection,
    content.status === 'loaded' ? content.value : null,
    overlayOn,
    props.names,
  );
  const chartProps = { ...props, scene, planScene, overlays, overlayOn };
  return (
    <>
      <PlotHead {...props} scene={scene} />
      <PlotBar {...chartProps} />
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
        <div className="plot-view-parts">
          <div className="plot-view-part">
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

/** What is missing of the overlays. */
function OverlayNotes({ overlays: { error, cut } }: { overlays: PlotOverlays }) {
  return (
    <>
      {error && <Notice tone="warning">{plotWords.overlays.failed(error.message)}</Notice>}
      {cut.map((overlay) => (
        <Notice key={addressText(overlay)} tone="warning">
          {plotWords.overlays.cut(addressText(overlay), maxMarks)}
        </Notice>
      ))}
    </>
  );
}

/** The wells and the visible range of a plot, and its share of the records. */
function PlotHead(props: PlotViewProps & { choice: PlotChoice; scene: Scene }) {
  const { scene, source, zone, names, coverage, askedWells } = props;
  const drawn = useStore(scene.store, (state) => state.drawn);
  const choice = drawn?.content.choice ?? props.choice;
  const along = alongOf(choice, source.fields, zone);
  const wells = drawn ? wellsText(drawn.content, names) : '';
  const absent = drawn ? absentWells(askedWells, drawn.content, names) : [];
  const range =
    drawn &&
    rangeText(
      rangeOfPoints(drawn.part.x, drawn.content.lines),
      along,
      alongLabel(drawn.content, along, names),
    );
  return (
    <div className="plot-head">
      {!range && <span className="plot-title" />}
      {range && (
        <h3 className="plot-title numbers" title={[wells, range].filter(Boolean).join(' · ')}>
          {wells && <span className="plot-wells">{wells}</span>}
          <span className="plot-range quiet">{range}</span>
        </h3>
      )}
      {/* Not in the title, whose end is cut off. */}
      {absent.length > 0 && (
        <span className="plot-absent">{plotWords.absent(absent, drawn?.content.part !== null)}</span>
      )}
      {coverage}
    </div>
  );
}
