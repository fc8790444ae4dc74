import type { RecordBatch } from './batch.ts';
import { createBuckets, includeRange } from './completeness.ts';
import {
  addValues,
  createField,
  type CheckOptions,
  type FieldLimits,
  type FieldTrack,
} from './field-track.ts';
import { createTrack, trackIndex, type IndexTrack } from './index-track.ts';
import type { IndexKind, QualityReport } from './report.ts';
import { writeReport } from './write-report.ts';

/** The settings of a check, and what is known about the records beforehand. */
export interface QualityOptions {
  /** Null: records are numbered. */
  readonly index: {
    readonly field: string;
    readonly kind: Exclude<IndexKind, 'rows'>;
    readonly unit: string | null;
  } | null;
  /** The expected step of the index; null: the most frequent one. */
  readonly step: number | null;
  /** The requested range of the index, from `from` up to `to`, without it. Null: open. */
  readonly range: {
    readonly from: number | null;
    readonly to: number | null;
    readonly excludesFrom: boolean;
    readonly includesTo: boolean;
  };
  /** The requested wells, so that those without records are reported. */
  readonly wells: readonly string[];
  readonly limitsOf: (field: string) => FieldLimits | null;
  readonly unitOf: (field: string) => string | null;
  readonly checks: CheckOptions;
}

/** The records of one well, in order. */
export interface SeriesTrack {
  rows: number;
  min: number;
  max: number;
  previous: number;
  duplicates: number;
  ascents: number;
  descents: number;
  readonly up: IndexTrack;
  readonly down: IndexTrack;
}

/** Further wells are only counted. */
const maxSeries = 1000;
/** Further fields are only counted. */
const maxFields = 2000;

/** Fields that name a record, its owner, or a state, and aren't measured. */
const isName = (name: string): boolean =>
  /(?:^|[._])_?id$|^(?:version|stage_number|log_identifier|provider|collection)$|code|flag|status|activity|(?:^|[._ ])(?:mode|class)$/i.test(
    name,
  );

/**
 * Checks records in one pass: gaps, duplicates, and disorder of the index in each well; nulls, flat stretches, spikes,
 * and limits of each field. Memory doesn't grow with the number of records, and the result doesn't depend on how records
 * are cut into batches.
 */
export function createQualityCheck(options: QualityOptions) {
  const fields = new Map<string, FieldTrack>();
  const series: SeriesTrack[] = [];
  const buckets = createBuckets();
  const allowed = { runs: 0, maxSeries };
  let rows = 0;
  let unplaced = 0;
  let uncheckedFields = 0;
  let seriesNames: readonly string[] = [];
  let bucketOf = new Int32Array(0);
  let places = new Float64Array(0);
  const counts = (): Uint32Array[] => [buckets.rows, ...[...fields.values()].map(({ present }) => present)];
  const { from, to } = options.range;
  if (from !== null && to !== null && to > from) includeRange(buckets, from, to, []);

  function fieldOf(name: string): FieldTrack | undefined {
    const earlier = fields.get(name);
    if (earlier || fields.size >= maxFields) return earlier;
    // Without an index, the order of records means nothing.
    const isMeasured = options.index !== null && name !== options.index.field && !isName(name);
    const field = createField(name, options.limitsOf(name), isMeasured);
    fields.set(name, field);
    return field;
  }

  function placeRows(batch: RecordBatch): void {
    if (bucketOf.length < batch.rows) {
      bucketOf = new Int32Array(batch.rows);
      places = new Float64Array(batch.rows);
    }
    let min = Infinity;
    let max = -Infinity;
    for (let row = 0; row < batch.rows; row += 1) {
      const at = options.index === null ? rows + row + 1 : (batch.index[row] ?? Number.NaN);
      places[row] = at;
      if (at < min) min = at;
      if (at > max) max = at;
    }
    if (min <= max) includeRange(buckets, min, max, counts());
    const { width, first } = buckets;
    for (let row = 0; row < batch.rows; row += 1) {
      const at = places[row] ?? Number.NaN;
      const bucket = Number.isNaN(at) ? -1 : Math.floor(at / width) - first;
      bucketOf[row] = bucket;
      if (bucket < 0) unplaced += 1;
      else buckets.rows[bucket] = (buckets.rows[bucket] ?? 0) + 1;
    }
  }

  function followIndex(batch: RecordBatch): void {
    for (let row = 0; row < batch.rows; row += 1) {
      const number = batch.series[row] ?? 0;
      let track = series[number];
      if (!track) {
        track = createSeries();
        series[number] = track;
      }
      track.rows += 1;
      const at = places[row] ?? Number.NaN;
      if (Number.isNaN(at) || number >= maxSeries) continue;
      if (at < track.min) track.min = at;
      if (at > track.max) track.max = at;
      if (at > track.previous) track.ascents += 1;
      else if (at < track.previous) track.descents += 1;
      else if (at === track.previous) track.duplicates += 1;
      track.previous = at;
      trackIndex(track.up, at);
      trackIndex(track.down, at);
    }
  }

  return {
    /**
     * Adds records.
     * @param names the names of all series so far, by number
     */
    add(batch: RecordBatch, names: readonly string[]): void {
      seriesNames = names;
      placeRows(batch);
      followIndex(batch);
      for (const column of batch.columns) {
        const field = fieldOf(column.name);
        if (field) addValues(field, column, batch, { places, buckets: bucketOf }, options.checks, allowed);
      }
      uncheckedFields = batch.columns.length - fields.size;
      rows += batch.rows;
    },
    /** The result; no records can be added after it. */
    report(): QualityReport {
      return writeReport({
        options,
        rows,
        unplaced,
        uncheckedFields,
        series,
        maxSeries,
        seriesNames,
        fields: [...fields.values()],
        buckets,
      });
    },
  };
}

const createSeries = (): SeriesTrack => ({
  rows: 0,
  min: Infinity,
  max: -Infinity,
  previous: Number.NaN,
  duplicates: 0,
  ascents: 0,
  descents: 0,
  up: createTrack(1),
  down: createTrack(-1),
});
