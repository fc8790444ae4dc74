import * as z from 'zod';
import { connectionId } from '../connections/connections.ts';
import { assetId } from '../wells/well-ids.ts';
import { well } from '../wells/wells.ts';

/** Also the name of a file. */
const plainId = z.string().regex(/^[A-Za-z0-9-]{1,64}$/);

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

/** `set`: the window's last tabs, which it gets again unless another window has them. */
export const tabsQuery = z.object({ connection: connectionId, set: plainId.nullable() });

export const heldTabs = z.object({
  set: plainId,
  kept: keptTabs,
  /** What of them could not be read, and where it was put, in a sentence. */
  problem: z.string().nullable(),
});
export type HeldTabs = z.infer<typeof heldTabs>;

/** What has changed of the tabs of a window: the order of all, and those that are new or other. */
export const tabsChange = z.object({
  connection: connectionId,
  set: plainId,
  open: z.array(plainId).max(2000),
  closed: z.array(plainId).max(maxClosed),
  active: plainId.nullable(),
  neighbor: keptTabs.shape.neighbor,
  preview: keptTabs.shape.preview,
  changed: z.array(keptTab).max(2000),
});
export type TabsChange = z.infer<typeof tabsChange>;
