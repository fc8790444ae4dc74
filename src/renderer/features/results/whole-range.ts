import { isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { nameOf } from '../../../shared/language/scope.ts';
import { maxOf } from '../../../shared/lists.ts';
import { frequentStep, roundStep } from '../../../shared/quality/index-track.ts';
import type { FindRequest, PipelineRequest } from '../../../shared/query/query.ts';
import { isNullNumber } from '../../../shared/upload/null-tokens.ts';
import type { Api } from '../../api/api.ts';
import { fieldInPipeline } from '../../../shared/calculated/in-pipeline.ts';
import { parseRecords } from '../records/request.ts';
import type { PlotSource } from '../plot/source.ts';
import type { Range } from '../plot/thin.ts';

/** What a plot shows of all records that match a find. Paths are dotted. */
export interface WholeSpec {
  readonly find: FindRequest;
  /** The address of the service that the result is from. */
  readonly dataUrl?: string | undefined;
  /** The field of times or depths. */
  readonly index: string;
  readonly isTime: boolean;
  /** The fields that separate lines. */
  readonly groups: readonly string[];
  readonly fields: readonly string[];
}

/** A range of the index, and the width of the steps in it; 0: its records. */
export interface Detail {
  readonly range: Range;
  readonly width: number;
}

/** The records of a group in a step. */
export interface Step {
  readonly ids: readonly JsonValue[];
  /** The same as text. */
  readonly names: readonly string[];
  /** The index of its first and last record. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** As of {@link Detail}. */
  readonly width: number;
  /** Minimum and maximum of each field; NaN: no value. */
  readonly lows: readonly number[];
  readonly highs: readonly number[];
}

export interface Whole extends Detail {
  readonly steps: readonly Step[];
}

/** A group with shorter steps than others. */
interface GroupWidth extends Pick<Step, 'ids' | 'names'> {
  readonly width: number;
}

/** Steps with the same key are of the same group. */
const keyOf = ({ names }: Pick<Step, 'names'>): string => names.join('\n');

const maxSteps = 1000;
/** With fewer steps in view, more detail is loaded. */
const minStepsInView = 150;
/** As many records are about as large as their steps. */
const maxRecords = 2000;
/** About as many as a plot has lines. */
const maxShortGroups = 24;

const [secondMs, minuteMs, hourMs, dayMs] = [1000, 60_000, 3_600_000, 86_400_000];
const sixtieths = [1, 2, 3, 5, 6, 10, 12, 15, 20, 30];
const fractions = [1, 2, 5, 10, 20, 50, 100, 200, 500];
const times = [
  ...fractions,
  ...sixtieths.map((count) => count * secondMs),
  ...sixtieths.map((count) => count * minuteMs),
  ...[1, 2, 3, 4, 6, 8, 12].map((count) => count * hourMs),
];

/** The shortest readable width for at most 1,000 steps. */
export function stepWidth({ from, to }: Range, isTime: boolean): number {
  const min = (to - from) / maxSteps;
  const time = isTime ? times.find((width) => width >= min) : undefined;
  if (time !== undefined) return time;
  const unit = isTime ? dayMs : 1;
  const power = 10 ** Math.floor(Math.log10(Math.max(min / unit, 1e-6)));
  const factor = [1, 2, 5].find((digit) => digit * power * unit >= min) ?? 10;
  return Number((factor * power).toPrecision(1)) * unit;
}

const groupIds = ({ groups }: WholeSpec): JsonObject =>
  Object.fromEntries(groups.map((path, at) => [`group${at}`, `$${path}`]));

/** The records that match a find, and then stages. */
function pipelineOf({ find, dataUrl }: WholeSpec, stages: readonly JsonObject[]): PipelineRequest {
  const { connection, provider, dataset, query, timeoutMs } = find;
  const rest = stages.map((stage) => `,\n${JSON.stringify(stage)}`).join('');
  // The query is on lines of its own: it may end with a comment.
  const text = `[\n{ $match:\n${query}\n}${rest}\n]`;
  return { connection, provider, dataset, stages: text, timeoutMs, dataUrl };
}

/** The stage that computes steps, with names of columns that no field can take. */
function stepsStage(spec: WholeSpec, width: JsonValue): JsonObject {
  const index = `$${spec.index}`;
  return {
    $group: {
      _id: { ...groupIds(spec), step: { $floor: { $divide: [index, width] } } },
      records: { $sum: 1 },
      from: { $min: index },
      to: { $max: index },
      ...Object.fromEntries(
        spec.fields.flatMap((path, at): [string, JsonValue][] => [
          [`low${at}`, { $min: fieldInPipeline(path) }],
          [`high${at}`, { $max: fieldInPipeline(path) }],
        ]),
      ),
    },
  };
}

export const wholePipeline = (spec: WholeSpec, width: number): PipelineRequest =>
  pipelineOf(spec, [stepsStage(spec, width)]);

export function detailPipeline(spec: WholeSpec, { range, width }: Detail): PipelineRequest {
  const records = Object.fromEntries(spec.fields.map((path, at) => [`low${at}`, fieldInPipeline(path)]));
  return pipelineOf(spec, [
    { $match: { [spec.index]: { $gte: range.from, $lte: range.to } } },
    width === 0
      ? { $project: { _id: 0, ...groupIds(spec), from: `$${spec.index}`, ...records } }
      : stepsStage(spec, width),
  ]);
}

/** The request for steps of groups, of which each has its own width. */
export function groupsPipeline(spec: WholeSpec, groups: readonly GroupWidth[]): PipelineRequest {
  const width = groups.reduce<JsonValue>(
    (otherwise, { ids, width: then }) => ({
      $cond: [
        {
          $and: spec.groups.map((path, at) => ({ $eq: [{ $ifNull: [`$${path}`, null] }, ids[at] ?? null] })),
        },
        then,
        otherwise,
      ],
    }),
    1,
  );
  const conditions = groups.map(({ ids }) =>
    Object.fromEntries(spec.groups.map((path, at) => [path, ids[at] ?? null])),
  );
  return pipelineOf(spec, [{ $match: { $or: conditions } }, stepsStage(spec, width)]);
}

const numberIn = (value: JsonValue | undefined): number =>
  typeof value === 'number' || typeof value === 'bigint' ? Number(value) : Number.NaN;

/** As records have them in a plot. */
const nameIn = (value: JsonValue | undefined): string =>
  value === undefined || typeof value === 'object' ? '' : String(value);

/** The steps in an answer, by group and index. */
export function readSteps(
  rows: readonly JsonValue[],
  spec: WholeSpec,
  widthOf: (names: readonly string[]) => number,
): Step[] {
  const steps = rows.flatMap((row): Step[] => {
    if (!isObject(row)) return [];
    const ids = isObject(row['_id']) ? row['_id'] : row;
    const from = numberIn(row['from']);
    // A null value is no position.
    if (!Number.isFinite(from) || isNullNumber(from)) return [];
    const names = spec.groups.map((_, at) => nameIn(ids[`group${at}`]));
    const width = widthOf(names);
    const lows = spec.fields.map((_, at) => numberIn(row[`low${at}`]));
    const highs = spec.fields.map((_, at) => numberIn(row[width === 0 ? `low${at}` : `high${at}`]));
    return [
      {
        ids: spec.groups.map((_, at) => ids[`group${at}`] ?? null),
        names,
        from,
        to: width === 0 ? from : numberIn(row['to']),
        count: width === 0 ? 1 : numberIn(row['records']),
        width,
        lows,
        highs,
      },
    ];
  });
  return inOrder(steps);
}

function inOrder(steps: readonly Step[]): Step[] {
  const groups = Map.groupBy(steps, keyOf);
  return [...groups.keys()]
    .toSorted()
    .flatMap((key) => (groups.get(key) ?? []).toSorted((a, b) => a.from - b.from || a.to - b.to));
}

type Calls = Pick<Api['query'], 'find' | 'pipeline'>;

/** The steps or records of a detail. @throws AppError */
export async function loadDetail(
  query: Pick<Calls, 'pipeline'>,
  spec: WholeSpec,
  detail: Detail,
  signal: AbortSignal,
): Promise<Whole> {
  const { records } = await query.pipeline(detailPipeline(spec, detail), { signal });
  return { ...detail, steps: readSteps(parseRecords(records), spec, () => detail.width) };
}

/** The index of the first and the last record; null: they have no numbers as their index. @throws AppError */
async function extentOf(query: Calls, spec: WholeSpec, signal: AbortSignal): Promise<Range | null> {
  const { find, index, isTime, dataUrl } = spec;
  const end = async (direction: 1 | -1): Promise<number> => {
    const sort = `{ ${nameOf(index)}: ${direction} }`;
    const request = { ...find, dataUrl, sort, limit: 1, skip: 0, fields: [index], includeCount: false };
    const [record = null] = parseRecords((await query.find(request, { signal })).records);
    return isObject(record) ? numberIn(record[index]) : Number.NaN;
  };
  const byDepth = async (): Promise<Range> => {
    // Services refuse a sort by depth without the log, which their indexes begin with.
    const ends = {
      $group: { _id: null, from: { $min: fieldInPipeline(index) }, to: { $max: fieldInPipeline(index) } },
    };
    const { records } = await query.pipeline(pipelineOf(spec, [ends]), { signal });
    const [group = null] = parseRecords(records);
    return isObject(group)
      ? { from: numberIn(group['from']), to: numberIn(group['to']) }
      : { from: Number.NaN, to: Number.NaN };
  };
  const byTime = async (): Promise<Range> => {
    const [from, to] = await Promise.all([end(1), end(-1)]);
    return { from, to };
  };
  const { from, to } = await (isTime ? byTime() : byDepth());
  return Number.isFinite(from) && Number.isFinite(to) ? { from, to } : null;
}

/**
 * All records that match a find, in about 1,000 steps from the first to the last. Groups in a small part of that range
 * get steps of their own.
 * @returns null: the records have no numbers as their index
 * @throws AppError
 */
export async function loadWhole(query: Calls, spec: WholeSpec, signal: AbortSignal): Promise<Whole | null> {
  const range = await extentOf(query, spec, signal);
  if (!range) return null;
  const width = stepWidth(range, spec.isTime);
  const { records } = await query.pipeline(wholePipeline(spec, width), { signal });
  const steps = readSteps(parseRecords(records), spec, () => width);
  const groups = shortGroups(steps, width, spec.isTime);
  if (groups.length === 0) return { range, width, steps };
  const widths = new Map(groups.map((group) => [keyOf(group), group.width]));
  const answer = await query.pipeline(groupsPipeline(spec, groups), { signal });
  const finer = readSteps(
    parseRecords(answer.records),
    spec,
    (names) => widths.get(keyOf({ names })) ?? width,
  );
  return {
    range,
    width,
    steps: inOrder([...steps.filter((step) => !widths.has(keyOf(step))), ...finer]),
  };
}

/** The groups that have many records in few steps. */
function shortGroups(steps: readonly Step[], width: number, isTime: boolean): GroupWidth[] {
  const groups = [...Map.groupBy(steps, keyOf).values()];
  return groups
    .flatMap((all): GroupWidth[] => {
      const [first, last] = [all[0], all.at(-1)];
      const count = all.reduce((sum, step) => sum + step.count, 0);
      if (!first || !last || all.length >= minStepsInView || count <= 2 * all.length) return [];
      const shorter = stepWidth({ from: first.from, to: last.to }, isTime);
      return shorter < width ? [{ ids: first.ids, names: first.names, width: shorter }] : [];
    })
    .slice(0, maxShortGroups);
}

/** Whether a detail has all of a zoomed range that the whole has. */
export const coversView = ({ range }: Detail, whole: Detail, view: Range): boolean =>
  range.from <= Math.max(view.from, whole.range.from) && range.to >= Math.min(view.to, whole.range.to);

/** Whether steps are fine enough for a zoomed range, or records. */
const isFineFor = ({ width }: Pick<Detail, 'width'>, view: Range): boolean =>
  width <= 0 || (view.to - view.from) / width >= minStepsInView;

/**
 * What to load for a zoomed range: it and half of it on both sides, in finer steps, or its records.
 * @param before what was loaded, or is being loaded, for the range before; null: nothing
 * @returns the same if that is enough; null: the steps of the whole are enough
 */
export function detailOf(
  whole: Whole,
  steps: readonly Step[],
  zoom: Range | null,
  before: Detail | null,
  isTime: boolean,
): Detail | null {
  if (!zoom) return null;
  const [from, to] = [Math.max(zoom.from, whole.range.from), Math.min(zoom.to, whole.range.to)];
  if (to <= from) return null;
  const inView = whole.steps.filter((step) => step.count > 1 && shareIn(step, { from, to }) > 0);
  if (isFineFor({ width: maxOf(inView.map(({ width }) => width)) }, { from, to })) return null;
  if (before && coversView(before, whole, zoom) && isFineFor(before, { from, to })) return before;
  const half = (to - from) / 2;
  const range = {
    from: Math.max(from - half, whole.range.from),
    to: Math.min(to + half, whole.range.to),
  };
  const count = steps.reduce((sum, step) => sum + step.count * shareIn(step, range), 0);
  const width = count <= maxRecords ? 0 : stepWidth(range, isTime);
  // Times have no shorter steps.
  const isFiner =
    before === null || width < before.width || range.from < before.range.from || range.to > before.range.to;
  return isFiner ? { range, width } : before;
}

function shareIn({ from, to }: Step, range: Range): number {
  if (to <= from) return Number(from >= range.from && from <= range.to);
  return Math.max(0, Math.min(to, range.to) - Math.max(from, range.from)) / (to - from);
}

/** The steps of the whole with those of a detail in their place. */
export const withDetail = ({ steps }: Whole, { range, steps: finer }: Whole): Step[] =>
  inOrder([
    ...steps.flatMap((step) => [
      ...(step.from < range.from ? [{ ...step, to: Math.min(step.to, range.from) }] : []),
      ...(step.to > range.to ? [{ ...step, from: Math.max(step.from, range.to) }] : []),
    ]),
    ...finer,
  ]);

const isSameGroup = (a: Step['names'], b: Step['names']): boolean => a.every((name, at) => name === b[at]);

/**
 * The places in a list of steps after which records of a group are missing: at least a step of it, and more than the
 * usual distance of its records.
 */
export function breaksOf(steps: readonly Step[]): number[] {
  const between = steps.flatMap((step, at) => {
    const next = steps[at + 1];
    if (!next || !isSameGroup(next.names, step.names)) return [];
    const width = Math.max(step.width, next.width);
    return [{ at, key: keyOf(step), distance: next.from - step.to, width }];
  });
  const usual = new Map(
    [...Map.groupBy(between, ({ key }) => key)].map(([key, places]) => {
      const counts = Map.groupBy(places, ({ distance }) => roundStep(distance));
      return [key, frequentStep([...counts].map(([step, { length }]) => [step, length]))];
    }),
  );
  return between.flatMap(({ at, key, distance, width }) => {
    const expected = usual.get(key) ?? null;
    const isGap = expected !== null && Math.round(roundStep(distance) / expected) > 1;
    return isGap && distance > width ? [at] : [];
  });
}

/**
 * Steps as the source of a plot: the first and the last record of each step are points with its minimum and maximum, the
 * nearer one first. A single record is one point.
 */
export function stepsSource(
  steps: readonly Step[],
  spec: WholeSpec,
  source: Pick<PlotSource, 'fields' | 'part' | 'steps'>,
): PlotSource {
  const points = steps.flatMap((step) => (step.count > 1 ? [step, step] : [step]));
  const isSecond = (at: number): boolean => points[at] === points[at - 1];
  const numbersOf = (id: string): Float64Array<ArrayBuffer> => {
    if (id === spec.index) return Float64Array.from(points, ({ from, to }, at) => (isSecond(at) ? to : from));
    const field = spec.fields.indexOf(id);
    let before = Number.NaN;
    return Float64Array.from(points, ({ names, lows, highs }, at) => {
      if (!isSameGroup(names, points[at - 1]?.names ?? names)) before = Number.NaN;
      const [low = Number.NaN, high = Number.NaN] = [lows[field], highs[field]];
      if (isSecond(at)) before = before === low ? high : low;
      else before = Math.abs(high - before) < Math.abs(low - before) ? high : low;
      return before;
    });
  };
  const places = new Map(steps.map((step, at) => [step, at]));
  const breaks = new Set(breaksOf(steps));
  return {
    ...source,
    rows: points.length,
    breaks: points.flatMap((step, at) =>
      breaks.has(places.get(step) ?? -1) && points[at + 1] !== step ? [at] : [],
    ),
    numbers: (ids) => Promise.resolve(ids.map(numbersOf)),
    groups(ids) {
      const namesOf = ({ names }: Step) => ids.map((id) => names[spec.groups.indexOf(id)] ?? '');
      const byKey = new Map(steps.map((step) => [namesOf(step).join('\n'), namesOf(step)]));
      const codes = new Map([...byKey.keys()].map((key, code) => [key, code]));
      return Promise.resolve({
        codes: Uint16Array.from(points, (step) => codes.get(namesOf(step).join('\n')) ?? 0),
        names: [...byKey.values()],
      });
    },
  };
}
