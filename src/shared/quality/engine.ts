import { type RecordBatch, kindNames } from './batch.ts';
import {
  createBuckets,
  includeRange,
  type Buckets,
  usedBuckets,
  addValues,
  createField,
  type CheckOptions,
  type FieldLimits,
  type FieldTrack,
  endField,
} from './field-track.ts';
import {
  createTrack,
  trackIndex,
  type IndexTrack,
  frequentStep,
  gapsOf,
  maxDistanceOf,
  maxGaps,
  roundStep,
  stepCounts,
} from './index-track.ts';
import type { IndexKind, QualityReport, FieldQuality, Gap, WellQuality } from './quality-report.ts';
import { maxOf, minOf } from '../lists.ts';

interface Collected {
  readonly options: QualityOptions;
  readonly rows: number;
  readonly unplaced: number;
  readonly uncheckedFields: number;
  readonly series: readonly SeriesTrack[];
  readonly maxSeries: number;
  readonly seriesNames: readonly string[];
  readonly fields: readonly FieldTrack[];
  readonly buckets: Buckets;
}

interface CheckedSeries {
  readonly track: SeriesTrack;
  /** In the direction of most of its records. */
  readonly index: IndexTrack;
  readonly name: string;
  /** Null: unknown. */
  readonly step: number | null;
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

const percent = (part: number, whole: number): number => {
  // Only nothing is 0 %, and only complete is 100 %.
  if (part === 0) return 0;
  return part >= whole ? 100 : Math.min(99, Math.max(1, Math.round((100 * part) / whole)));
};

/** The quality of one series, its gaps, and the distances between its records and to the ends of the range. */
function seriesQuality(
  { track, index, name, step: ownStep }: CheckedSeries,
  step: number | null,
  options: QualityOptions,
) {
  const isRows = options.index === null;
  const stepUsed = ownStep ?? (index.advances < 2 ? step : null);
  const between = stepUsed === null || isRows ? { gaps: [], count: 0, missing: 0 } : gapsOf(index, stepUsed);
  const edges = isRows ? [] : edgeGaps(track, options.range, stepUsed);
  const well: WellQuality = {
    well: name,
    rows: track.rows,
    first: finite(track.min),
    last: finite(track.max),
    step: ownStep,
    gaps: between.count + edges.length,
    missing: between.missing + edges.reduce((sum, { missing }) => sum + (missing ?? 0), 0),
    duplicates: track.duplicates,
    disorder: Math.min(track.ascents, track.descents),
  };
  return {
    well,
    gaps: [...between.gaps, ...edges].map((gap): Gap => ({ well: name, ...gap })),
    distances: (isRows ? [] : [maxDistanceOf(index), ...edgesOf(track, options.range)]).flatMap((distance) =>
      distance ? { well: name, ...distance } : [],
    ),
  };
}

function writeReport(collected: Collected): QualityReport {
  const { options, rows, series, seriesNames, maxSeries, fields } = collected;
  const checked = series.slice(0, maxSeries);
  const tracks = checked.map((track) => (track.descents > track.ascents ? track.down : track.up));
  const isRows = options.index === null;
  const step = isRows ? 1 : (options.step ?? frequentStep(mergedSteps(tracks)));
  const ownSteps = tracks.map((index) => (isRows ? 1 : (options.step ?? frequentStep(stepCounts(index)))));
  const nameOf = (number: number): string => seriesNames[number] ?? '';
  const results = checked.flatMap((track, number) => {
    const index = tracks[number];
    if (!index || track.rows === 0) return [];
    return [
      seriesQuality({ track, index, name: nameOf(number), step: ownSteps[number] ?? null }, step, options),
    ];
  });
  const wells = results.map(({ well }) => well);
  const present = series.flatMap(({ rows: count }, number) => (count > 0 ? [nameOf(number)] : []));
  // A well can have several logs, whose names follow its own.
  const names = new Set(present.map((well) => well.replace(/ .*/s, '')));
  const absent = options.wells.filter((well) => !names.has(well));
  const withoutRecords = options.wells.length === 0 && present.length === 0 ? [''] : absent;
  const edges = { first: lowest(checked), last: highest(checked), step };
  const absentGaps = gapsOfAbsent(options, withoutRecords, edges);
  const distances = [
    ...results.flatMap((result) => result.distances),
    ...(rows === 0 ? absentGaps.map(({ well, from, to }) => ({ well, from, to })) : []),
  ];
  const listed = [...results.flatMap(({ gaps }) => gaps), ...absentGaps]
    .toSorted((a, b) => (b.missing ?? Infinity) - (a.missing ?? Infinity) || a.from - b.from)
    .slice(0, maxGaps)
    .toSorted((a, b) => a.from - b.from || (a.well < b.well ? -1 : 1));
  const sum = (of: (well: WellQuality) => number): number => wells.reduce((all, well) => all + of(well), 0);
  return {
    rows,
    index: {
      field: options.index?.field ?? null,
      kind: options.index?.kind ?? 'rows',
      unit: options.index?.unit ?? null,
      first: isRows ? (rows > 0 ? 1 : null) : lowest(checked),
      last: isRows ? (rows > 0 ? rows : null) : highest(checked),
      step,
    },
    gaps: listed,
    gapCount: sum((well) => well.gaps) + absentGaps.length,
    longest: distances.toSorted((a, b) => b.to - b.from - (a.to - a.from))[0] ?? null,
    missing: sum(({ missing }) => missing) + absentGaps.reduce((all, { missing }) => all + (missing ?? 0), 0),
    duplicates: sum(({ duplicates }) => duplicates),
    disorder: sum(({ disorder }) => disorder),
    unplaced: isRows ? 0 : collected.unplaced,
    completeness: completenessOf(collected, checked, ownSteps, step),
    fields: fields.map((field) => fieldQuality(field, collected, nameOf)),
    wells,
    absent,
    uncheckedWells: Math.max(0, series.length - maxSeries),
    uncheckedFields: collected.uncheckedFields,
  };
}

const lowest = (series: readonly SeriesTrack[]) => finite(minOf(series.map(({ min }) => min)));
const highest = (series: readonly SeriesTrack[]) => finite(maxOf(series.map(({ max }) => max)));

function mergedSteps(tracks: readonly Parameters<typeof stepCounts>[0][]): [step: number, count: number][] {
  const merged = new Map<number, number>();
  for (const track of tracks)
    for (const [step, count] of stepCounts(track)) merged.set(step, (merged.get(step) ?? 0) + count);
  return [...merged].toSorted(([a], [b]) => a - b);
}

/** The distances from the first and the last record to the edges of the requested range. */
const edgesOf = ({ min, max }: SeriesTrack, { from, to }: QualityOptions['range']) =>
  min > max
    ? []
    : [...(from === null ? [] : [{ from, to: min }]), ...(to === null ? [] : [{ from: max, to }])];

/** The gaps between the requested range and the first and last record. */
function edgeGaps(
  { min, max }: SeriesTrack,
  range: QualityOptions['range'],
  step: number | null,
): Omit<Gap, 'well'>[] {
  if (step === null || min > max) return [];
  const gaps: Omit<Gap, 'well'>[] = [];
  const { from, to, includesTo } = range;
  if (from !== null) {
    const missing = recordsFrom(range, min, step);
    if (missing > 0) gaps.push({ from, to: min, missing });
  }
  if (to !== null) {
    const missing = recordsBefore(roundStep(to - max), step, includesTo);
    if (missing > 0) gaps.push({ from: max, to, missing });
  }
  return gaps;
}

/** The number of steps from a place that are short of an end, or at it. */
const recordsBefore = (distance: number, step: number, includesEnd: boolean): number =>
  includesEnd ? Math.floor(distance / step + 1e-9) : Math.ceil(distance / step - 1e-9) - 1;

/** The number of steps from the start of the requested range to the first record. */
const recordsFrom = ({ from, excludesFrom }: QualityOptions['range'], first: number, step: number): number =>
  from === null ? 0 : Math.max(0, recordsBefore(roundStep(first - from), step, !excludesFrom));

/** The requested range, or that of all records, as a gap of each well without records. */
function gapsOfAbsent(
  { range, index }: QualityOptions,
  absent: readonly string[],
  { first, last, step }: Pick<QualityReport['index'], 'first' | 'last' | 'step'>,
): Gap[] {
  const [from, to] = [range.from ?? first, range.to ?? last];
  if (index === null || from === null || to === null || to <= from) return [];
  const includesTo = range.includesTo || range.to === null;
  const between = step === null ? null : recordsBefore(roundStep(to - from), step, includesTo);
  const missing = between === null ? null : between + (range.excludesFrom ? 0 : 1);
  return absent.map((well) => ({ well, from, to, missing }));
}

function fieldQuality(
  field: FieldTrack,
  { options, rows }: Collected,
  nameOf: (series: number) => string,
): FieldQuality {
  const { name, tokens, outside, limits } = field;
  const ends = endField(field, options.checks);
  const values = field.kinds.reduce((all, count) => all + count, 0);
  return {
    name,
    unit: options.unitOf(name),
    values,
    nulls: rows - values - tokens,
    tokens,
    flat: ends.flats.map(({ series, from, to, records, value }) => ({
      well: nameOf(series),
      from,
      to,
      records,
      value,
    })),
    flatCount: ends.flatCount,
    uncheckedWells: field.uncheckedSeries,
    spikes: ends.spikes,
    spikePlaces: ends.spikePlaces.map(({ series, at, value }) => ({ well: nameOf(series), at, value })),
    outside,
    outsidePlaces: field.outsidePlaces.map(({ series, at, value }) => ({ well: nameOf(series), at, value })),
    limits,
    types: Object.fromEntries(
      kindNames.flatMap(([kind, type]) =>
        (field.kinds[kind] ?? 0) > 0 ? [[type, field.kinds[kind] ?? 0]] : [],
      ),
    ),
    first: finite(field.first),
    last: finite(field.last),
    min: finite(field.min),
    max: finite(field.max),
  };
}

/** A series of fewer records, whose step may be days, doesn't widen the buckets of all. */
const minWideningRows = 100;

/** Percent of the expected records by range of the index, in buckets of at least two steps. */
function completenessOf(
  { options, fields, buckets, rows }: Collected,
  series: readonly SeriesTrack[],
  ownSteps: readonly (number | null)[],
  step: number | null,
): QualityReport['completeness'] {
  const used = usedBuckets(buckets);
  const steps = ownSteps.map((ownStep) => ownStep ?? step);
  const long = steps.filter((_, number) => (series[number]?.rows ?? 0) >= minWideningRows);
  const minWidth = 2 * maxOf([step, ...long].map((length) => length ?? 0));
  let { width } = buckets;
  while (width < minWidth && Math.floor(buckets.max / width) > Math.floor(buckets.min / width)) width *= 2;
  const ratio = width / buckets.width;
  const first = Math.floor(buckets.first / ratio);
  const length = used === 0 ? 0 : Math.floor((buckets.first + used - 1) / ratio) - first + 1;
  const merged = (counts: Uint32Array): number[] => {
    const sums = Array.from({ length }, () => 0);
    for (let bucket = 0; bucket < used; bucket += 1) {
      const target = Math.floor((buckets.first + bucket) / ratio) - first;
      sums[target] = (sums[target] ?? 0) + (counts[bucket] ?? 0);
    }
    return sums;
  };
  const rowCounts = merged(buckets.rows);
  const expected =
    options.index !== null && !steps.includes(null) && rows > 0
      ? expectedRecords(series, options.range, steps, { from: first * width, width, length })
      : rowCounts;
  const shares = (counts: readonly number[]): number[] =>
    counts.map((count, bucket) => percent(count, Math.floor((expected[bucket] ?? 0) + 1e-6)));
  return {
    from: first * width,
    width,
    rows: shares(rowCounts),
    fields: fields.map(({ present }) => shares(merged(present))),
  };
}

/** The number of records that each bucket has if every well has one at each of its steps. */
function expectedRecords(
  series: readonly SeriesTrack[],
  range: QualityOptions['range'],
  steps: readonly (number | null)[],
  { from, width, length }: { readonly from: number; readonly width: number; readonly length: number },
): number[] {
  const expected = Array.from({ length }, () => 0);
  for (const [number, { min, max }] of series.entries()) {
    const step = steps[number] ?? null;
    if (min > max || step === null) continue;
    const start = min - recordsFrom(range, min, step) * step;
    const end = Math.max(max + step, range.to ?? -Infinity);
    for (let bucket = 0; bucket < length; bucket += 1) {
      const overlap = Math.min(end, from + (bucket + 1) * width) - Math.max(start, from + bucket * width);
      if (overlap > 0) expected[bucket] = (expected[bucket] ?? 0) + overlap / step;
    }
  }
  return expected;
}

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
interface SeriesTrack {
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

function fieldOf(
  fields: Map<string, FieldTrack>,
  name: string,
  options: QualityOptions,
): FieldTrack | undefined {
  const earlier = fields.get(name);
  if (earlier || fields.size >= maxFields) return earlier;
  // Without an index, the order of records means nothing.
  const isMeasured = options.index !== null && name !== options.index.field && !isName(name);
  const field = createField(name, options.limitsOf(name), isMeasured);
  fields.set(name, field);
  return field;
}

function followIndex(series: SeriesTrack[], batch: RecordBatch, places: Float64Array): void {
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

  return {
    /** Adds records. @param names the names of all series so far, by number */
    add(batch: RecordBatch, names: readonly string[]): void {
      seriesNames = names;
      placeRows(batch);
      followIndex(series, batch, places);
      for (const column of batch.columns) {
        const field = fieldOf(fields, column.name, options);
        if (field) addValues(field, column, batch, { places, buckets: bucketOf }, options.checks, allowed);
      }
      uncheckedFields = batch.columns.length - fields.size;
      rows += batch.rows;
    },
    /** The result; no records can be added after it. */
    report: (): QualityReport =>
      writeReport({
        options,
        rows,
        unplaced,
        uncheckedFields,
        series,
        maxSeries,
        seriesNames,
        fields: [...fields.values()],
        buckets,
      }),
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
