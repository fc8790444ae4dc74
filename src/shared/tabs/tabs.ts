import * as z from 'zod';
import { plainId } from '../files/files.ts';
import { assetId } from '../wells/well-ids.ts';
import { well } from '../wells/wells.ts';

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
