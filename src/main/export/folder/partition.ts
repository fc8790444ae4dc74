import * as z from 'zod';
import { type PathTree } from '../records/path-tree.ts';
import { leafFrom, leafTo, type ScannedPage, textIn } from '../records/scan.ts';
import { instantAt } from '../records/typed-columns.ts';

/** By what a folder is divided: the well, and a day or a month in UTC. */
export const partitionPlan = z.object({
  /** The path of a record's well; null: not divided by wells. */
  assetPath: z.string().nullable(),
  /** The path of a record's time; null: the dataset has none. */
  timePath: z.string().nullable(),
  period: z.enum(['day', 'month']).nullable(),
});
export type PartitionPlan = z.infer<typeof partitionPlan>;

/** The value of a partition whose records have none, as Hive names it. */
const noValue = '__HIVE_DEFAULT_PARTITION__';

/** A value as part of a path: everything else than letters, digits, and `_.-` is escaped as Hive does it. */
const escapedValue = (value: string): string =>
  [...Buffer.from(value)]
    .map((byte) => {
      const char = String.fromCharCode(byte);
      return /[A-Za-z0-9_.-]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('') || noValue;

/** A record's place. */
export interface Placement {
  /** The folder of its partition, such as `asset_id=5003/day=2026-01-31`. */
  readonly folder: string;
  /** Its time in milliseconds; null if it has none. */
  readonly ms: number | null;
}

/** The last moment that has a date. */
const maxMs = 8_640_000_000_000_000;
/** Time of text without an offset is not an instant. */
const hasOffset = /(?:Z|[+-]\d\d:?\d\d)"$/i;

/** Creates a function that finds the partition of a record. */
export function createPlacer({ assetPath, timePath, period }: PartitionPlan, tree: PathTree) {
  const cache = new Map<string, string>();
  function msAt(page: ScannedPage, start: number, end: number): number | null {
    const first = page.bytes[start] ?? 0;
    if (first === 34 && !hasOffset.test(textIn(page, start, end))) return null;
    if (first !== 34 && first !== 45 && (first < 48 || first > 57)) return null;
    const ms = instantAt(page, start, end);
    return Number.isFinite(ms) && Math.abs(ms) <= maxMs ? ms : null;
  }
  function folderOf(asset: string | null, ms: number | null): string {
    const iso = period === null || ms === null ? '' : new Date(ms).toISOString();
    // Years beyond 9999 have a sign and six digits.
    const date = iso.slice(0, iso.indexOf('T')).slice(0, period === 'month' ? -3 : undefined);
    const key = `${asset} ${date}`;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const parts = [
      ...(assetPath === null ? [] : [`asset_id=${asset === null ? noValue : escapedValue(asset)}`]),
      ...(period === null ? [] : [`${period}=${date === '' ? noValue : escapedValue(date)}`]),
    ];
    const folder = parts.join('/');
    cache.set(key, folder);
    return folder;
  }
  return (page: ScannedPage, record: number): Placement => {
    const { leaves, bytes } = page;
    const to = leafTo(page, record);
    let asset: string | null = null;
    let ms: number | null = null;
    for (let leaf = leafFrom(page, record); leaf < to; leaf += 3) {
      const path = tree.nodes[leaves[leaf] ?? 0]?.path;
      if (path !== assetPath && path !== timePath) continue;
      const start = leaves[leaf + 1] ?? 0;
      const end = leaves[leaf + 2] ?? 0;
      if (bytes[start] === 110) continue;
      if (path === timePath) ms = msAt(page, start, end);
      else {
        const json = textIn(page, start, end);
        asset = json.startsWith('"') ? String(JSON.parse(json)) : json;
      }
    }
    return { folder: folderOf(asset, ms), ms };
  };
}
