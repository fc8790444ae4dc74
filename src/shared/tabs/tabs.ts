import * as z from 'zod';
import { datasetAddress } from '../datasets/datasets.ts';
import { plainId } from '../files/files.ts';
import { timeView } from '../settings/settings.ts';
import { assetId, well } from '../wells/wells.ts';

const ids = z.array(z.string().max(1000)).max(5000);

/** The column layout of a dataset; columns by path id. */
export const gridView = z.object({
  hidden: ids.default([]),
  /** The order of moved columns and their neighbors at that time; empty: the default order. */
  order: ids.default([]),
  /** Pinned at the left; absent: the default. */
  pinned: ids.optional(),
  /** Whether the headers show how the values of their columns are distributed; absent: they don't. */
  distributions: z.boolean().optional(),
  /** The units of columns that aren't shown in those of the setting, by their symbols. */
  units: z.record(z.string().max(1000), z.string().max(40)).default({}),
  /** In pixels. */
  widths: z.record(z.string().max(1000), z.number().min(20).max(5000)).default({}),
});
export type GridView = z.infer<typeof gridView>;

export const plainView: GridView = gridView.parse({});

export const keptView = datasetAddress.extend({ view: gridView });
export type KeptView = z.infer<typeof keptView>;

/** A change of a dataset's layout. `before`: the layout that it changes, as that tab shows it; null: all of it is replaced. */
export const changedView = keptView.extend({ before: gridView.nullable() });

/**
 * The stored layout after a change of one tab. Other tabs may have changed it meanwhile, so that only what differs between
 * `before` and `view` changes.
 */
export function withViewChange(stored: GridView, before: GridView | null, view: GridView): GridView {
  if (before === null) return view;
  const pinned =
    stored.pinned && view.pinned ? changedList(stored.pinned, before.pinned ?? [], view.pinned) : view.pinned;
  const { distributions } = before.distributions === view.distributions ? stored : view;
  return {
    ...(distributions === undefined ? {} : { distributions }),
    hidden: changedList(stored.hidden, before.hidden, view.hidden),
    order: changedOrder(stored.order, before.order, view.order),
    pinned: isSameList(before.pinned, view.pinned) ? stored.pinned : pinned,
    units: changedEntries(stored.units, before.units, view.units),
    widths: changedEntries(stored.widths, before.widths, view.widths),
  };
}

const isSameList = (a: readonly string[] = [], b: readonly string[] = []): boolean =>
  a.length === b.length && a.every((id, at) => id === b[at]);

/** A list that changed meanwhile, with what was added and removed between two others. */
export function changedList(
  stored: readonly string[],
  before: readonly string[],
  after: readonly string[],
): string[] {
  const [earlier, later] = [new Set(before), new Set(after)];
  return [...new Set(stored).union(later.difference(earlier)).difference(earlier.difference(later))];
}

function changedEntries<T>(stored: Record<string, T>, before: Record<string, T>, after: Record<string, T>) {
  const added = Object.entries(after).filter(([id, value]) => before[id] !== value);
  const kept = Object.entries(stored).filter(([id]) => id in after || !(id in before));
  return Object.fromEntries([...kept, ...added]);
}

/** The stored order with the columns that were moved behind the same column as in the tab. */
function changedOrder(stored: string[], before: readonly string[], after: string[]): string[] {
  if (isSameList(before, after)) return stored;
  if (stored.length === 0) return after;
  const movedIds = movedBetween(before, after);
  const order = stored.filter((id) => !movedIds.has(id));
  for (const [at, id] of after.entries())
    if (!order.includes(id)) order.splice(order.indexOf(after[at - 1] ?? '') + 1, 0, id);
  return order;
}

/** The columns outside the longest sequence that both orders have. */
function movedBetween(before: readonly string[], after: readonly string[]): Set<string> {
  const places = new Map(before.map((id, at) => [id, at]));
  const shared = after.flatMap((id) => places.get(id) ?? []);
  const ends: { readonly place: number; readonly rest: readonly number[] }[] = [];
  for (const place of shared) {
    const at = ends.findIndex((end) => end.place > place);
    const length = at < 0 ? ends.length : at;
    const rest = [...(ends[length - 1]?.rest ?? []), place];
    ends[length] = { place, rest };
  }
  const unmoved = new Set(ends.at(-1)?.rest);
  return new Set(after.filter((id) => !unmoved.has(places.get(id) ?? -1)));
}

/** In letters. */
export const maxTitleLength = 200;

/** A stored tab; only its kind interprets its content. Never contains records or secrets. */
export const keptTab = z.object({
  id: plainId,
  kind: z.string().min(1).max(40),
  title: z.string().max(maxTitleLength),
  /** The user's name for it; null: it is named by its content. */
  name: z.string().max(maxTitleLength).nullable(),
  /** The wells selected while it is shown. */
  scope: z.array(well.extend({ assetId })).max(10_000),
  /** The time zone setting to apply when it is loaded; absent: that of its state. */
  times: timeView.optional(),
  /** The content, from `keep` of its kind, for `restore`. */
  state: z.unknown(),
});
export type KeptTab = z.infer<typeof keptTab>;

/** The tab that is shown beside the active one, and its side. */
const tabNeighbor = z.object({ id: plainId, side: z.enum(['left', 'right']) });
export type TabNeighbor = z.infer<typeof tabNeighbor>;

/** How many closed tabs can be opened again. */
export const maxClosed = 25;

/** The tabs of one window over one connection, in their order. */
export const keptTabs = z.object({
  open: z.array(keptTab).max(2000),
  /** Closed ones that can be opened again, the last closed last. */
  closed: z.array(keptTab).max(maxClosed),
  active: plainId.nullable(),
  /** Null: the active one is alone. */
  neighbor: tabNeighbor.nullable().default(null),
  /** The tab that the next dataset or well replaces; null: none. */
  preview: plainId.nullable().default(null),
});
export type KeptTabs = z.infer<typeof keptTabs>;
