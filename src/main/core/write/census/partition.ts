import * as z from 'zod';
import { instantOf, minPlausibleMs } from '../../../../shared/instants.ts';
import type { JsonValue } from '../../../../shared/json.ts';
import { isNumberStart, textOfJson } from '../../records/json-text.ts';
import { type PathTree, leafFrom, leafTo, type ScannedPage, textIn } from '../../records/scan.ts';
import { decimalAt } from '../../records/decimal.ts';

export const dayMs = 86_400_000;

/** By what a folder is divided: the well, and a day or a month in UTC. */
export const partitionPlan = z.object({
  /** The path of a record's well; null: not divided by wells. */
  assetPath: z.string().nullable(),
  /** The path of a record's time; null: the dataset has none. */
  timePath: z.string().nullable(),
  period: z.enum(['day', 'month']).nullable(),
});
export type PartitionPlan = z.infer<typeof partitionPlan>;

/** The names of a folder's partitions, in their order. */
export const partitionNames = ({ assetPath, period }: PartitionPlan): string[] => [
  ...(assetPath === null ? [] : ['asset_id']),
  ...(period === null ? [] : [period]),
];

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

/**
 * The folder of a partition, such as `asset_id=5003/day=2026-01-31`.
 * @param asset the well as text; null: none
 * @param ms a time in the partition in milliseconds; null: its records have no plausible time
 */
export function partitionFolder(
  { assetPath, period }: PartitionPlan,
  asset: string | null,
  ms: number | null,
): string {
  const iso = period === null || ms === null ? '' : new Date(ms).toISOString();
  // Years beyond 9999 have a sign and six digits.
  const date = iso.slice(0, iso.indexOf('T')).slice(0, period === 'month' ? -3 : undefined);
  return [
    ...(assetPath === null ? [] : [`asset_id=${asset === null ? noValue : escapedValue(asset)}`]),
    ...(period === null ? [] : [`${period}=${date === '' ? noValue : escapedValue(date)}`]),
  ].join('/');
}

/** The partition of a file, by its path in the folder; empty if the folder is not divided. */
export const partitionAt = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** A range of time in milliseconds. */
export interface TimeRange {
  readonly fromMs: number;
  /** Without this moment. */
  readonly toMs: number;
}

/** What the records of a partition have in common. */
export interface PartitionScope {
  /** The well as text; null: they have none; undefined: the folder is not divided by wells. */
  readonly asset: string | null | undefined;
  /** The day or month; null: they have no plausible time; undefined: the folder is not divided by time. */
  readonly period: TimeRange | null | undefined;
}

/** The values that are in a path, by the names of their columns; null: the records have none. */
export const partitionValues = (path: string): ReadonlyMap<string, string | null> =>
  new Map(
    path.split('/').flatMap((part): [string, string | null][] => {
      const [name = '', value] = part.split('=');
      return value === undefined ? [] : [[name, value === noValue ? null : decodeURIComponent(value)]];
    }),
  );

/** The scope of a partition, from its folder. */
export function partitionScope(folder: string): PartitionScope {
  const values = partitionValues(folder);
  const date = values.get('day') ?? values.get('month');
  return {
    asset: values.get('asset_id'),
    period: values.has('day') || values.has('month') ? periodOf(date ?? null) : undefined,
  };
}

const isMonth = /^[+-]?\d+-\d\d$/;

/** The day or month of a time, in milliseconds, in UTC. */
export function periodAt(period: PartitionPlan['period'], ms: number): TimeRange {
  const date = new Date(ms);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  return period === 'month'
    ? { fromMs: Date.UTC(year, month), toMs: Date.UTC(year, month + 1) }
    : { fromMs: Date.UTC(year, month, day), toMs: Date.UTC(year, month, day + 1) };
}

function periodOf(date: string | null): PartitionScope['period'] {
  const fromMs = date === null ? Number.NaN : Date.parse(date);
  return Number.isNaN(fromMs) ? null : periodAt(isMonth.test(date ?? '') ? 'month' : 'day', fromMs);
}

/** A well's value as text in the name of a folder; null: none. */
export const assetText = (value: JsonValue | undefined): string | null =>
  value === null || value === undefined
    ? null
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

export interface Placement {
  readonly folder: string;
  /** Its time in milliseconds; null if it has none that is plausible. */
  readonly ms: number | null;
}

const isoDate = /^\d{4}-\d\d-\d\d/;

/**
 * Creates a function that finds the partition of a record.
 * @param maxTimeMs times from here on, in milliseconds, are wrong
 */
export function createPlacer(plan: PartitionPlan, tree: PathTree, maxTimeMs: number) {
  const { assetPath, timePath } = plan;
  const cache = new Map<string, string>();
  function msAt(page: ScannedPage, start: number, end: number): number | null {
    const first = page.bytes[start];
    const isText = timePath === 'datetime';
    if (isText ? first !== 34 : !isNumberStart(first)) return null;
    const text = isText ? textIn(page, start + 1, end - 1) : '';
    const ms = !isText ? decimalAt(page, start, end) : isoDate.test(text) ? instantOf(text) : Number.NaN;
    return ms >= minPlausibleMs && ms < maxTimeMs ? ms : null;
  }
  function folderOf(asset: string | null, ms: number | null): string {
    const key = `${ms === null ? '' : Math.floor(ms / dayMs)} ${asset === null ? '' : `=${asset}`}`;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const folder = partitionFolder(plan, asset, ms);
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
        asset = textOfJson(textIn(page, start, end));
      }
    }
    return { folder: folderOf(asset, ms), ms };
  };
}

/** Whether a partition is one of a list in which `*` stands for any folder name. */
export function partitionMatcher(partitions: readonly string[]): (partition: string) => boolean {
  const exact = new Set(partitions);
  const patterns = partitions.filter((pattern) => pattern.includes('*')).map((pattern) => pattern.split('/'));
  const matches = (pattern: readonly string[], names: readonly string[]): boolean =>
    pattern.length === names.length && pattern.every((name, at) => name === '*' || name === names[at]);
  return (partition) =>
    exact.has(partition) || patterns.some((pattern) => matches(pattern, partition.split('/')));
}
