import * as z from 'zod';
import { connectionId } from '../connections/connections.ts';
import { assetId } from '../wells/well-ids.ts';
import { well } from '../wells/wells.ts';

/** Also the name of a file. */
const plainId = z.string().regex(/^[A-Za-z0-9-]{1,64}$/);

/** In letters. */
export const longestTitle = 200;

/** How a tab is kept: what it holds is known to its kind alone. Never records, never a secret. */
export const keptTab = z.object({
  id: plainId,
  kind: z.string().min(1).max(40),
  title: z.string().max(longestTitle),
  /** The name that the person gave it; null: it is called by what it holds. */
  name: z.string().max(longestTitle).nullable(),
  /** The wells that are chosen while it is shown. */
  scope: z.array(well.extend({ assetId })).max(10_000),
  /** What `keep` of its kind said, and `restore` of its kind takes. */
  state: z.unknown(),
});
export type KeptTab = z.infer<typeof keptTab>;

/** How many closed tabs can be opened again. */
export const mostClosed = 25;

/** The tabs of one window over one connection, in their order. */
export const keptTabs = z.object({
  open: z.array(keptTab).max(2000),
  /** Closed ones that can be opened again, the last closed last. */
  closed: z.array(keptTab).max(mostClosed),
  active: plainId.nullable(),
});
export type KeptTabs = z.infer<typeof keptTabs>;

/** `set`: the tabs that this window had last; they are its own again unless another window holds them. */
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
  closed: z.array(plainId).max(mostClosed),
  active: plainId.nullable(),
  changed: z.array(keptTab).max(2000),
});
export type TabsChange = z.infer<typeof tabsChange>;
