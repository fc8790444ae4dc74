import { isTemperature } from '../../channels/units.ts';
import { isObject, stringifyJson, type JsonObject, type JsonValue, valueUnder } from '../../json.ts';
import { nullTokens } from '../../upload/null-tokens.ts';
import { tryRelaxed } from '../relaxed.ts';
import { nameOf } from '../scope.ts';
import { readTree } from '../tree/tree.ts';
import { replaceSpan, objectOutlineOf, textOf } from './edits.ts';
import { splitPipeline } from './pipeline.ts';

/** The figures of a field in each group, with their accumulators. */
const accumulatorOf = {
  mean: '$avg',
  min: '$min',
  max: '$max',
  sum: '$sum',
  median: '$median',
  first: '$first',
  last: '$last',
} as const;
export type MeasureKind = keyof typeof accumulatorOf;
export const measureKinds = Object.keys(accumulatorOf) as readonly MeasureKind[];

export interface Measure {
  readonly kind: MeasureKind;
  /** The dotted path of its field, or the name of a calculated column. */
  readonly path: string;
  /** The expression that calculates it; absent: it is a field. */
  readonly calculated?: JsonValue;
}

/** What makes a group: equal values of a field, or values of a time or depth within one step. */
export interface Grouping {
  readonly path: string;
  /** In milliseconds, or in the unit of the depths; null: equal values. */
  readonly step: number | null;
}

/**
 * Figures of groups of records, beside the number of records in each. Null values such as -999.25 don't count, and no
 * limit cuts off records.
 */
export interface Summary {
  /** The conditions of a $match as text, with parameters and comments as they are. */
  readonly match: string;
  readonly measures: readonly Measure[];
  readonly groups: readonly Grouping[];
  /** The path that orders records for the first and the last value; null: the service's order. */
  readonly order: string | null;
}

/** What a summary computes, without its records. */
export type SummaryParts = Pick<Summary, 'measures' | 'groups'>;

/** The column with the number of records of a group. */
export const recordsColumn = 'records';

/** A name without dots. Objects would move a name that begins with a digit to their start. */
const plainName = (path: string): string =>
  path
    .replace(/^(?:data|metadata)\./, '')
    .replaceAll(/[.$]/g, '_')
    .replace(/^(?=\d)/, '_');

/** Names that differ, with numbers where they are equal. */
function distinctNames(names: readonly string[], taken: readonly string[]): string[] {
  const used = new Set(taken);
  return names.map((name) => {
    let distinct = name;
    for (let number = 2; used.has(distinct); number += 1) distinct = `${name}_${number}`;
    used.add(distinct);
    return distinct;
  });
}

/** The columns of the measures of a summary, in their order. */
export const measureColumns = ({ measures, groups }: SummaryParts): string[] =>
  distinctNames(
    measures.map(({ kind, path }) => `${plainName(path)}_${kind}`),
    [recordsColumn, ...groups.map(({ path }) => path.split('.')[0] ?? path)],
  );

const keysOf = (groups: readonly Grouping[]): string[] =>
  distinctNames(
    groups.map(({ path }) => plainName(path)),
    [],
  );

/** The values of a field without those that mean null. */
const measured = (path: string): JsonObject => ({
  $cond: [{ $in: [`$${path}`, [...nullTokens]] }, null, `$${path}`],
});

const stepOf = (value: JsonValue, step: number): JsonObject => ({
  $multiply: [{ $floor: { $divide: [value, step] } }, step],
});

/** An expression that a summary recognizes as that of a calculated column. */
const calculatedInput = (calculated: JsonValue): JsonObject => ({
  $let: { vars: { calculated }, in: '$$calculated' },
});

function accumulationOf({ kind, path, calculated }: Measure): JsonObject {
  const input = calculated === undefined ? measured(path) : calculatedInput(calculated);
  return { [accumulatorOf[kind]]: kind === 'median' ? { input, method: 'approximate' } : input };
}

function stagesOf(summary: Summary): JsonObject[] {
  const { measures, groups, order } = summary;
  const [keys, columns] = [keysOf(groups), measureColumns(summary)];
  const ids = groups.map(({ path, step }, at): [string, JsonValue] => [
    keys[at] ?? path,
    step === null ? `$${path}` : stepOf(measured(path), step),
  ]);
  const accumulations = measures.map((measure, at): [string, JsonValue] => [
    columns[at] ?? measure.path,
    accumulationOf(measure),
  ]);
  const isOrdered = order !== null && measures.some(({ kind }) => kind === 'first' || kind === 'last');
  return [
    ...(isOrdered ? [{ $sort: { [order]: 1 } }] : []),
    {
      $group: {
        _id: ids.length === 0 ? null : Object.fromEntries(ids),
        [recordsColumn]: { $sum: 1 },
        ...Object.fromEntries(accumulations),
      },
    },
    ...(ids.length === 0 ? [] : [{ $sort: Object.fromEntries(keys.map((key) => [`_id.${key}`, 1])) }]),
    {
      $project: {
        _id: 0,
        ...Object.fromEntries(groups.map(({ path }, at) => [path, `$_id.${keys[at] ?? ''}`])),
        [recordsColumn]: 1,
        ...Object.fromEntries(columns.map((column) => [column, 1])),
      },
    },
  ];
}

/** A value on one line, with quotes only where they are needed. */
function line(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(line).join(', ')}]`;
  if (!isObject(value)) return stringifyJson(value);
  return `{ ${Object.entries(value)
    .map(([key, part]) => `${nameOf(key)}: ${line(part)}`)
    .join(', ')} }`;
}

/** A stage; a group has a line for each of its columns. */
function stageText(stage: JsonObject): string {
  const group = stage['$group'];
  if (!isObject(group)) return line(stage);
  const lines = Object.entries(group).map(([key, part]) => `    ${nameOf(key)}: ${line(part)},\n`);
  return `{ $group: {\n${lines.join('')}  } }`;
}

/** The text of a pipeline that computes a summary. */
export function writeSummary(summary: Summary): string {
  const match = summary.match.trim() === '' ? '{}' : summary.match.trim();
  // A comment at the end would hide what follows on its line.
  const end = /\/\/[^\n\r]*$/.test(match) ? '\n  ' : ' ';
  const texts = [`{ $match: ${match}${end}}`, ...stagesOf(summary).map(stageText)];
  return `[\n${texts.map((text) => `  ${text},\n`).join('')}]\n`;
}

/** The path of a text such as `$data.rop`; null: it is another expression. */
const pathIn = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' && /^\$[^$]/.test(value) ? value.slice(1) : null;

/** The part of a value at keys and places; undefined: it has none. */
const partAt = (value: JsonValue | undefined, ...keys: readonly (string | number)[]): JsonValue | undefined =>
  keys.reduce<JsonValue | undefined>((part, key) => {
    if (typeof key === 'number') return Array.isArray(part) ? part[key] : undefined;
    return isObject(part) ? valueUnder(part, key) : undefined;
  }, value);

function groupingIn(value: JsonValue): Grouping | null {
  const path = pathIn(value);
  if (path !== null) return { path, step: null };
  const stepped = pathIn(partAt(value, '$multiply', 0, '$floor', '$divide', 0, '$cond', 2));
  const step = partAt(value, '$multiply', 1);
  return stepped !== null && typeof step === 'number' && step > 0 ? { path: stepped, step } : null;
}

/** @param column its name, of which a calculated column has its own */
function measureIn(column: string, value: JsonValue): Measure | null {
  if (!isObject(value)) return null;
  const kind = measureKinds.find((measureKind) => Object.hasOwn(value, accumulatorOf[measureKind]));
  if (kind === undefined) return null;
  const body = value[accumulatorOf[kind]];
  const input = kind === 'median' ? partAt(body, 'input') : body;
  const calculated = partAt(input, '$let', 'vars', 'calculated');
  if (calculated !== undefined) return { kind, path: column.slice(0, -kind.length - 1), calculated };
  const path = pathIn(partAt(input, '$cond', 2));
  return path === null ? null : { kind, path };
}

/** The match of a text, and the text with an empty one in its place; null: it doesn't begin with a match, or has comments elsewhere. */
function splitMatch(text: string): { readonly match: string; readonly rest: string } | null {
  const pieces = splitPipeline(text);
  const first = pieces?.stages[0];
  if (!pieces || !first || pieces.stages.some(({ on }) => !on)) return null;
  const at = pieces.head.length + first.before.length;
  const [entry, ...others] = objectOutlineOf(first.text)?.items ?? [];
  if (entry?.key !== '$match' || others.length > 0) return null;
  if (!objectOutlineOf(textOf(first.text, entry.value))) return null;
  const span = { start: at + entry.value.start, end: at + entry.value.end };
  const isInMatch = ({ start, end }: { start: number; end: number }) =>
    start >= span.start && end <= span.end;
  if (!readTree(text).comments.every(isInMatch)) return null;
  return { match: textOf(text, span), rest: replaceSpan(text, span, '{}') };
}

/**
 * The summary that a pipeline's text computes; null: it computes something else, or has comments that the summary would
 * lose.
 */
export function readSummary(text: string): Summary | null {
  const split = splitMatch(text);
  if (!split) return null;
  const parsed = tryRelaxed(split.rest);
  if (!Array.isArray(parsed)) return null;
  const groupAt = parsed.findIndex((stage) => partAt(stage, '$group') !== undefined);
  const group = partAt(parsed[groupAt], '$group');
  if (!isObject(group)) return null;
  const ids = group['_id'];
  const groups = isObject(ids) ? Object.values(ids).map(groupingIn) : [];
  const columns = Object.entries(group).filter(([key]) => key !== '_id' && key !== recordsColumn);
  const measures = columns.map(([column, value]) => measureIn(column, value));
  const sort = groupAt === 2 ? partAt(parsed[1], '$sort') : undefined;
  const order = isObject(sort) ? (Object.keys(sort)[0] ?? null) : null;
  if (groups.includes(null) || measures.includes(null)) return null;
  const summary: Summary = {
    match: split.match,
    groups: groups.filter((grouping) => grouping !== null),
    measures: measures.filter((measure) => measure !== null),
    order,
  };
  const written = stringifyJson([{ $match: {} }, ...stagesOf(summary)]);
  return written === stringifyJson(parsed) ? summary : null;
}

/** Operators whose result has the unit of the field that they are applied to. */
const sameUnit: ReadonlySet<string> = new Set(['$avg', '$min', '$max', '$first', '$last', '$median']);
/** A sum of temperatures has no unit. */
const sameLinearUnit: ReadonlySet<string> = new Set([...sameUnit, '$sum']);

/** Stages that set paths; some have them in `output`. */
const settingStages: ReadonlySet<string> = new Set([
  '$addFields',
  '$set',
  '$project',
  '$group',
  '$setWindowFields',
  '$bucket',
  '$bucketAuto',
]);

/** The paths that a stage sets to something other than the field of that path, also by operators that keep its unit. */
function pathsSetBy(body: JsonValue | undefined, keepUnit: ReadonlySet<string>, prefix = ''): string[] {
  if (!isObject(body)) return [];
  return Object.entries(body).flatMap(([key, value]) => {
    const path = `${prefix}${key}`;
    if (value === 1 || value === 0 || typeof value === 'boolean' || value === `$${path}`) return [];
    const parts = isObject(value) ? Object.entries(value) : [];
    if (parts.length > 0 && parts.every(([name, input]) => keepUnit.has(name) && input === `$${path}`))
      return [];
    const isNested = parts.length > 0 && parts.every(([name]) => !name.startsWith('$'));
    return isNested ? pathsSetBy(value, keepUnit, `${path}.`) : [path];
  });
}

/**
 * Whether a path is computed; if the unit of its field is given, a sum counts as computed only for temperatures.
 */
export type ComputesPath = (path: string, unit?: string) => boolean;

/**
 * Whether a pipeline computes a path, so that the unit of the field with its name isn't that of its values. A summary
 * computes none: its steps are in the unit of their field.
 * @param text its stages
 */
export function computesPath(text: string): ComputesPath {
  const parsed = readSummary(text) ? [] : tryRelaxed(text);
  const stages = Array.isArray(parsed) ? parsed : [];
  const pathsBut = (keepUnit: ReadonlySet<string>) =>
    stages.flatMap((stage, at) =>
      Object.entries(isObject(stage) ? stage : {}).flatMap(([name, body]) => {
        if (name === '$replaceRoot' || name === '$replaceWith') {
          const root = pathIn(partAt(body, 'newRoot') ?? body);
          const record = partAt(stages[at - 1], '$group', root ?? '');
          // A whole record of each group, such as its newest.
          return partAt(record, '$first') === '$$ROOT' || partAt(record, '$last') === '$$ROOT' ? [] : [''];
        }
        const joined = partAt(body, 'as');
        if (name === '$lookup') return typeof joined === 'string' ? [joined] : [];
        return settingStages.has(name) ? pathsSetBy(partAt(body, 'output') ?? body, keepUnit) : [];
      }),
    );
  const [paths, pathsOfLinear] = [pathsBut(sameUnit), pathsBut(sameLinearUnit)];
  return (path, unit) =>
    (unit === undefined || isTemperature(unit) ? paths : pathsOfLinear).some(
      (set) => set === '' || path === set || path.startsWith(`${set}.`),
    );
}

/** What a pipeline or an aggregation computes, from the texts of its request; undefined: it has none. */
export function computedBy(
  request: Readonly<Partial<Record<'stages' | 'group' | 'project', string | undefined>>> | null | undefined,
): ComputesPath | undefined {
  if (!request) return undefined;
  const { stages, group = '', project = '' } = request;
  return computesPath(
    stages ?? `[{ $group: ${group.trim() || '{}'}\n}, { $project: ${project.trim() || '{}'}\n}]`,
  );
}

/** Units, or facts about fields with units, by path, without those of the paths that a pipeline computes. */
export const withoutComputed = <Fact extends string | { readonly unit?: string | undefined }>(
  facts: Readonly<Record<string, Fact>>,
  isComputed?: ComputesPath,
): Record<string, Fact> =>
  Object.fromEntries(
    Object.entries(facts).filter(
      ([path, fact]) => !isComputed?.(path, typeof fact === 'string' ? fact : fact.unit),
    ),
  );
