import { createStore } from 'zustand/vanilla';
import { toAppError } from '../../../shared/errors/errors.ts';
import type { PlotChoice } from '../../../shared/tabs/plot.ts';
import { reachOf } from '../../ui/plot/index.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import { failed, loaded as loadedPart, idle, type Loadable, loading } from '../../state/loadable.ts';
import type { CsvHeads } from './csv.ts';
import { axisOf, type Zoom } from './plot.ts';
import type { PlotSource } from './source.ts';
import type { PlotOnThread, Thinner } from './thinner.ts';
import { extentOf, type Part } from './extent.ts';
import type { Range, Thinned } from './thin.ts';
import type { LineFacts, Look, View } from './thinning.ts';
import type { Groups } from '../records/groups.ts';
import { storedConverter, type UnitChanges } from '../records/unit-changes.ts';

/** Maximum number of lines in one chart: more can't be distinguished. */
const maxLines = 24;
const maxLinesInTracks = 2 * maxLines;

/** A plot whose data are loaded. */
export interface Content {
  readonly choice: PlotChoice;
  /** The fields that are shown in another unit. */
  readonly changes: UnitChanges;
  /** The axis and its unit: the same range is another one on another axis. */
  readonly axis: string;
  readonly rows: number;
  readonly part: PlotSource['part'];
  /** The identifying texts of each group; one without texts if the records have none. */
  readonly groups: readonly (readonly string[])[];
  /** Number of groups that are not shown, because there are too many. */
  readonly groupsLeft: number;
  readonly lines: readonly LineFacts[];
  /** Ranges of the axis where records are missing, by their usual step. */
  readonly gaps: readonly Range[];
  /** The whole range; null: no points. */
  readonly extent: Required<Part> | null;
}

/** Lines downsampled for a part of the axis, one for each of the content's. */
export interface Drawn {
  readonly content: Content;
  readonly part: Part;
  readonly lines: readonly Thinned[];
}

export interface SceneState {
  readonly content: Loadable<Content>;
  /** The zoomed range; null: everything. */
  readonly part: Part | null;
  readonly drawn: Drawn | null;
}

/** One plot on the screen. */
export type Scene = ReturnType<typeof createScene>;

/** @param zoom the zoomed range until now; null: everything */
export function createScene(thinner: Thinner, zoom: Zoom | null = null) {
  const store = createStore<SceneState>()(() => ({ content: idle, part: zoom?.part ?? null, drawn: null }));
  let axis = zoom?.axis;
  const showing = createLatestTask();
  const order = createGroupOrder();
  let held: PlotOnThread | null = null;
  let shown: Shown | null = null;
  let size = { along: 0, across: 0 };

  // One drawing at a time; changes in the meantime are drawn once, afterwards.
  let looking = false;
  let again = false;
  async function look(): Promise<void> {
    const { content, part } = store.getState();
    if (looking || content.status !== 'loaded' || !held || size.along < 2) {
      again = looking;
      return;
    }
    const { extent } = content.value;
    if (!extent) {
      store.setState({ drawn: null });
      return;
    }
    looking = true;
    const seen = part ?? extent;
    const from = held;
    const area = { x: seen.x, y: seen.y ?? extent.y, ...size };
    try {
      const lines = await from.look(area);
      if (held === from) store.setState({ drawn: { content: content.value, part: area, lines } });
    } catch (error) {
      if (held === from) store.setState({ content: failed(toAppError(error)) });
    } finally {
      looking = false;
    }
    if (again) {
      again = false;
      await look();
    }
  }

  const release = () => {
    held?.release();
    held = null;
    shown = null;
  };

  const actions = {
    /** Shows other records; the zoomed range stays if the axis stays. */
    async show(
      source: PlotSource,
      choice: PlotChoice,
      groupedBy: readonly string[],
      changes: UnitChanges = {},
    ) {
      const { content, drawn } = store.getState();
      const request = { source, groupedBy, changes, data: dataOf(choice) };
      if (content.status === 'loaded' && shown && isSameRequest(shown, request)) {
        const { y } = content.value.choice;
        const restyled = { ...content.value, choice: { ...choice, y } };
        store.setState({ content: loadedPart(restyled), drawn: drawn && { ...drawn, content: restyled } });
        return;
      }
      const nextAxis = axisOf(choice, changes);
      if (nextAxis !== axis) store.setState({ part: null });
      axis = nextAxis;
      if (content.status !== 'loaded') store.setState({ content: loading });
      // The first range comes with the response, which saves a second round trip.
      const wanted = size.along < 2 ? null : { part: store.getState().part, size };
      const view = wanted && { ...wanted.size, x: wanted.part?.x ?? null, y: wanted.part?.y ?? null };
      await showing.run(
        (signal) =>
          load({ thinner, order, source, choice, axis: nextAxis, groupedBy, changes, view }, signal),
        {
          onDone(loaded) {
            release();
            held = loaded.held;
            shown = request;
            // The user may have zoomed meanwhile.
            const { part } = store.getState();
            const { first, content: ready } = loaded;
            store.setState({
              content: loadedPart(ready),
              ...(first ? { drawn: { content: ready, part: first.look, lines: first.lines } } : {}),
            });
            const seen = first !== null && wanted?.size === size && wanted.part === part;
            if (looking) again = true;
            else if (!seen) void look();
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
      void look();
    },
    zoom(part: Part | null) {
      store.setState({ part });
      if (looking) again = true;
      else void look();
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
      const own = choice.align === 'recorded' ? (part?.x ?? null) : null;
      const toStored = storedConverter(changes, choice.x);
      const stored = own && toStored ? { from: toStored(own.from), to: toStored(own.to) } : own;
      return held.csv(heads(content.value), stored);
    },
    close() {
      showing.drop();
      release();
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

const dataOf = ({ kind, x, y, align }: PlotChoice): string => JSON.stringify([kind, x, y, align]);

const isSameRequest = (one: Shown, other: Shown): boolean =>
  one.source === other.source &&
  one.changes === other.changes &&
  one.data === other.data &&
  one.groupedBy.join('\n') === other.groupedBy.join('\n');

interface Loading {
  readonly thinner: Thinner;
  readonly order: GroupOrder;
  readonly source: PlotSource;
  readonly choice: PlotChoice;
  readonly axis: string;
  readonly groupedBy: readonly string[];
  /** The fields that are shown in another unit. */
  readonly changes: UnitChanges;
  /** Null: the size of the plot isn't known yet. */
  readonly view: View | null;
}

async function load(
  { thinner, order, source, choice, axis, groupedBy, changes, view }: Loading,
  signal: AbortSignal,
): Promise<{
  content: Content;
  held: PlotOnThread;
  first: { look: Look; lines: readonly Thinned[] } | null;
}> {
  const known = new Set(source.fields.map(({ id }) => id));
  const shown = { ...choice, y: choice.y.filter((id) => known.has(id)) };
  const [[x = new Float64Array(), ...y], grouped] = await Promise.all([
    source.numbers([shown.x, ...shown.y]),
    groupedBy.length > 0 ? source.groups(groupedBy) : null,
  ]);
  const groups = grouped && order.arranged(grouped, groupedBy);
  const all = Math.max(groups?.names.length ?? 1, 1);
  const most = shown.kind === 'tracks' ? maxLinesInTracks : maxLines;
  const groupCount = Math.max(Math.min(all, Math.floor(most / Math.max(shown.y.length, 1))), 1);
  const data = { x, y, groups: groups?.codes ?? null, groupCount };
  const held = await thinner.load({
    data,
    kind: shown.kind,
    elapsed: shown.align === 'elapsed',
    changes: [shown.x, ...shown.y].map((id) => changes[id] ?? null),
    view,
  });
  if (signal.aborted) held.release();
  const { lines, gaps } = held;
  const names = groups && groups.names.length > 0 ? groups.names.slice(0, groupCount) : [[]];
  return {
    held,
    first: held.first,
    content: {
      choice: shown,
      changes,
      axis,
      rows: source.rows,
      part: source.part,
      groups: names,
      groupsLeft: all - groupCount,
      lines,
      gaps,
      extent: extentOf(lines),
    },
  };
}

/**
 * The order of the groups of one plot: groups keep their position, and so their color, when more records are loaded.
 */
export interface GroupOrder {
  /** The same groups in this order, new ones last. @param fields of the groups; other fields reset the order */
  readonly arranged: (groups: Groups, fields: readonly string[]) => Groups;
}

function createGroupOrder(): GroupOrder {
  let places = new Map<string, number>();
  let groupedBy = '';
  return {
    arranged({ codes, names }, fields) {
      if (fields.join('\n') !== groupedBy) places = new Map();
      groupedBy = fields.join('\n');
      const keys = names.map((name) => name.join('\n'));
      for (const key of keys) if (!places.has(key)) places.set(key, places.size);
      const order = keys
        .map((key, code) => ({ code, place: places.get(key) ?? 0 }))
        .toSorted((a, b) => a.place - b.place);
      if (order.every(({ code }, at) => code === at)) return { codes, names };
      // Codes without names, of groups that are not distinguished, stay as they are.
      const next = new Map(order.map(({ code }, at) => [code, at]));
      return {
        codes: codes.map((code) => next.get(code) ?? code),
        names: order.map(({ code }) => names[code] ?? []),
      };
    },
  };
}
