import { createStore } from 'zustand/vanilla';
import { toAppError } from '../../../shared/errors/errors.ts';
import type { PlotChoice } from '../../../shared/tabs/plot.ts';
import { reachOf } from '../../ui/plot/index.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import { failed, loaded as loadedPart, idle, type Loadable, loading } from '../../state/loadable.ts';
import type { CsvHeads } from './csv.ts';
import { axisOf, type Zoom } from './plot.ts';
import type { Content, Drawn, Statistics } from './content.ts';
import type { PlotSource } from './source.ts';
import type { PlotOnThread, Thinner } from './thinner.ts';
import { extentOf, type Part, shownArea } from './extent.ts';
import { withSameScale } from '../../ui/plot/placing.ts';
import type { LogAxes } from './regression.ts';
import { storedConverter, type UnitChanges } from '../records/shown-cells.ts';
import { stationDepth } from './first-choice.ts';
import type { View } from './thinning.ts';
import type { Groups } from '../records/figures.ts';

export type GroupOrder = ReturnType<typeof createGroupOrder>;

/** Groups of a plot keep their position, and so their color, when more records are loaded. */
export function createGroupOrder() {
  let places = new Map<string, number>();
  let groupedBy = '';
  return {
    /** The codes of groups in this order, new ones last. @param fields of the groups; other fields reset the order */
    codes({ names }: Pick<Groups, 'names'>, fields: readonly string[]): number[] {
      if (fields.join('\n') !== groupedBy) places = new Map();
      groupedBy = fields.join('\n');
      const keys = names.map((name) => name.join('\n'));
      for (const key of keys) if (!places.has(key)) places.set(key, places.size);
      const placeOf = (code: number): number => places.get(keys[code] ?? '') ?? 0;
      return keys.map((_, code) => code).toSorted((a, b) => placeOf(a) - placeOf(b));
    },
  };
}

/** Maximum number of lines in one chart: more can't be distinguished. */
const maxLines = 24;
const maxLinesInTracks = 2 * maxLines;

interface Loading {
  readonly thinner: Thinner;
  readonly order: GroupOrder;
  readonly source: PlotSource;
  /** Of the source; null: its records are one group. */
  readonly groups: Groups | null;
  readonly choice: PlotChoice;
  readonly axis: string;
  readonly groupedBy: readonly string[];
  readonly changes: UnitChanges;
  /** Null: the size of the plot isn't known yet. */
  readonly view: View | null;
}

/**
 * Sorts the numbers of a plot into lines on their thread.
 * @returns the content, and its data on the thread with the first drawing
 * @throws AppError
 */
export async function loadContent(
  { thinner, order, source, groups, choice, axis, groupedBy, changes, view }: Loading,
  signal: AbortSignal,
): Promise<{ content: Content; held: PlotOnThread }> {
  const ids = new Set(source.fields.map(({ id }) => id));
  const shown = { ...choice, y: choice.y.filter((id) => ids.has(id)) };
  const colorField = shown.kind === 'scatter' ? (shown.crossplot?.color ?? null) : null;
  const depth = shown.plan ? stationDepth(source.fields) : null;
  const codes = groups ? order.codes(groups, groupedBy) : [];
  const all = Math.max(codes.length, 1);
  const most =
    shown.kind === 'tracks'
      ? maxLinesInTracks
      : shown.kind === 'panels'
        ? maxLines * shown.y.length
        : maxLines;
  const groupCount = Math.max(Math.min(all, Math.floor(most / Math.max(shown.y.length, 1))), 1);
  const shownCodes = codes.slice(0, groupCount);
  const held = await thinner.load(
    source,
    {
      kind: shown.kind,
      x: shown.x,
      y: shown.y,
      color: colorField !== null && ids.has(colorField) ? colorField : null,
      stations: depth,
      groupedBy: all > 1 ? groupedBy.join('\n') : null,
      shown: all > 1 ? shownCodes : [0],
      breaks: source.breaks,
      elapsed: shown.align === 'elapsed',
      changes,
      view,
    },
    groups,
  );
  if (signal.aborted) held.release();
  const { lines, gaps, colorRange } = held;
  return {
    held,
    content: {
      choice: shown,
      isPath: depth !== null,
      changes,
      axis,
      part: source.part,
      steps: source.steps,
      groups: codes.length > 0 ? shownCodes.map((code) => groups?.names[code] ?? []) : [[]],
      groupsLeft: all - groupCount,
      lines,
      gaps,
      extent: extentOf(lines),
      colorRange,
    },
  };
}

export interface SceneState {
  readonly content: Loadable<Content>;
  /** The zoomed range; null: everything. */
  readonly part: Part | null;
  readonly drawn: Drawn | null;
  /** The regressions and histograms of a crossplot; null: none are shown. */
  readonly statistics: Statistics | null;
}

const noChanges: UnitChanges = {};

/** How long a size must not change until lines are downsampled for it, in milliseconds. */
const settleMs = 150;

/** One plot on the screen. */
export type Scene = ReturnType<typeof createScene>;

/** @param zoom the zoomed range until now; null: everything */
export function createScene(thinner: Thinner, zoom: Zoom | null = null) {
  const store = createStore<SceneState>()(() => ({
    content: idle,
    part: zoom?.part ?? null,
    drawn: null,
    statistics: null,
  }));
  let axis = zoom?.axis;
  const showing = createLatestTask();
  const order = createGroupOrder();
  let held: PlotOnThread | null = null;
  let shown: Shown | null = null;
  let lastSource: PlotSource | null = null;
  let size = { along: 0, across: 0 };
  let settling: ReturnType<typeof setTimeout> | undefined;

  let lastGroups: { readonly source: PlotSource; readonly key: string; readonly groups: Groups } | null =
    null;
  async function groupsOf(source: PlotSource, fields: readonly string[]): Promise<Groups | null> {
    if (fields.length === 0) return null;
    const key = fields.join('\n');
    if (lastGroups?.source === source && lastGroups.key === key) return lastGroups.groups;
    const groups = await source.groups(fields);
    lastGroups = { source, key, groups };
    return groups;
  }

  // One drawing at a time; changes in the meantime are drawn once, afterwards.
  let isDrawing = false;
  let isDue = false;
  async function look(): Promise<void> {
    isDue = true;
    if (isDrawing) return;
    isDrawing = true;
    while (isDue) {
      isDue = false;
      await draw();
    }
    isDrawing = false;
  }
  async function draw(): Promise<void> {
    const { content, part } = store.getState();
    if (content.status !== 'loaded' || !held || size.along < 2) return;
    if (!content.value.extent) {
      store.setState({ drawn: null });
      return;
    }
    const { choice, extent, lines: facts, isPath } = content.value;
    const from = held;
    const { log, ...range } = shownArea(choice.kind, part, extent, facts, logOf(choice));
    const area = {
      ...(choice.plan ? withSameScale(range, size.along, size.across) : range),
      log,
      isPath,
      ...size,
    };
    try {
      const lines = await from.look(area);
      if (held === from) {
        store.setState({ drawn: { content: content.value, part: area, lines } });
        void measure();
      }
    } catch (error) {
      if (held === from) store.setState({ content: failed(toAppError(error)) });
    }
  }

  const measuring = createLatestTask();
  async function measure(): Promise<void> {
    const { drawn } = store.getState();
    const crossplot = drawn?.content.choice.kind === 'scatter' ? drawn.content.choice.crossplot : undefined;
    const from = held;
    if (!from || !drawn?.part.y || !(crossplot?.hasRegression || crossplot?.hasHistograms)) {
      measuring.drop();
      store.setState({ statistics: null });
      return;
    }
    const { x, y, log = { x: false, y: false } } = drawn.part;
    await measuring.run(() => from.statistics({ x, y, log }), {
      onDone: (statistics) => store.setState({ statistics: { ...statistics, log } }),
      onFailed: (error) => held === from && store.setState({ content: failed(error) }),
      onCanceled: () => undefined,
    });
  }

  const release = () => {
    held?.release();
    held = null;
    shown = null;
  };
  /** What was drawn stays; its thread may release what it holds. */
  const hide = () => {
    showing.drop();
    measuring.drop();
    clearTimeout(settling);
    release();
  };

  const actions = {
    /** Shows other records; the zoomed range stays if the axis stays. */
    async show(
      source: PlotSource,
      choice: PlotChoice,
      groupedBy: readonly string[],
      changes: UnitChanges = noChanges,
    ) {
      const { content, drawn } = store.getState();
      const request = { source, groupedBy, changes, data: dataOf(choice) };
      const nextAxis = axisOf(choice, changes);
      const hasSameAxis = nextAxis === axis;
      axis = nextAxis;
      if (!hasSameAxis) store.setState({ part: null });
      if (content.status === 'loaded' && shown && isSameRequest(shown, request)) {
        // Other records or fields may be loading, which are no longer asked for.
        showing.drop();
        const { y } = content.value.choice;
        const restyled = { ...content.value, choice: { ...choice, y } };
        const scaleOf = (of: PlotChoice): string => JSON.stringify([logOf(of), of.plan !== undefined]);
        // The part in view may have no logarithm.
        const keepsPart = hasSameAxis && scaleOf(choice) === scaleOf(content.value.choice);
        store.setState({
          content: loadedPart(restyled),
          ...(keepsPart ? { drawn: drawn && { ...drawn, content: restyled } } : { part: null }),
        });
        if (keepsPart && !isDrawing) void measure();
        else void look();
        return;
      }
      if (content.status !== 'loaded') store.setState({ content: loading });
      // The first range comes with the response, which saves a second round trip.
      // A path with the same scale on both axes needs its extent before.
      const wanted = size.along < 2 || choice.plan ? null : { part: store.getState().part, size };
      const view = wanted && { ...wanted.size, part: wanted.part, log: logOf(choice) };
      const plot = { thinner, order, source, choice, axis: nextAxis, groupedBy, changes, view };
      await showing.run(
        async (signal) => loadContent({ ...plot, groups: await groupsOf(source, groupedBy) }, signal),
        {
          onDone(loaded) {
            if (lastSource && lastSource !== source) thinner.forget(lastSource);
            lastSource = source;
            release();
            held = loaded.held;
            shown = request;
            // The user may have zoomed meanwhile.
            const { part } = store.getState();
            const { first } = held;
            const ready = loaded.content;
            store.setState({
              content: loadedPart(ready),
              ...(first ? { drawn: { content: ready, part: first.look, lines: first.lines } } : {}),
            });
            const seen = first !== null && wanted?.size === size && wanted.part === part;
            void measure();
            if (isDrawing || !seen) void look();
          },
          onFailed: (error) => store.setState({ content: failed(error), drawn: null }),
          onCanceled: () => undefined,
        },
      );
    },
    /** Sets the size of a plot in pixels along its axis and across. */
    resize(along: number, across: number) {
      if (size.along === along && size.across === across) return;
      size = { along, across };
      clearTimeout(settling);
      // What is drawn has nearly enough points, and axes with other texts come with other lines.
      if (store.getState().drawn) settling = setTimeout(() => void look(), settleMs);
      else void look();
    },
    zoom(part: Part | null) {
      const { content } = store.getState();
      // The plot in view is still that of the axis before, whose numbers mean nothing on the next one.
      if (content.status === 'loaded' && content.value.axis !== axis) return;
      store.setState({ part });
      void look();
    },
    /** The value of each line at a position, of all records; null: nothing is drawn. @throws AppError */
    async read(along: number) {
      const { drawn } = store.getState();
      return held && drawn ? held.read(along, reachOf(drawn.part.x)) : null;
    },
    /** The data of the visible range. @throws AppError */
    async csv(heads: (content: Content) => CsvHeads) {
      const { content, part } = store.getState();
      if (content.status !== 'loaded' || !held) return null;
      const { choice, changes } = content.value;
      // An axis that starts at 0 for each well isn't a field of the records.
      const recorded = choice.align === 'recorded' ? (part?.x ?? null) : null;
      const toStored = storedConverter(changes, choice.x);
      const stored =
        recorded && toStored ? { from: toStored(recorded.from), to: toStored(recorded.to) } : recorded;
      return held.csv(heads(content.value), stored);
    },
    hide,
    close() {
      hide();
      if (lastSource) thinner.forget(lastSource);
    },
  };
  return { store, actions };
}

/** What decides which numbers a plot has, and not how they are drawn. */
interface Shown {
  readonly source: PlotSource;
  readonly groupedBy: readonly string[];
  readonly changes: UnitChanges;
  readonly data: string;
}

const dataOf = ({ kind, x, y, align, crossplot, plan }: PlotChoice): string =>
  JSON.stringify([kind, x, y, align, kind === 'scatter' ? [crossplot?.color, plan !== undefined] : null]);

/** Which axes of a crossplot the user made logarithmic. */
const logOf = ({ kind, crossplot }: PlotChoice): LogAxes | undefined =>
  kind === 'scatter' && crossplot ? { x: crossplot.isLogX, y: crossplot.isLogY } : undefined;

const isSameRequest = (a: Shown, b: Shown): boolean =>
  a.source === b.source &&
  a.changes === b.changes &&
  a.data === b.data &&
  a.groupedBy.join('\n') === b.groupedBy.join('\n');
