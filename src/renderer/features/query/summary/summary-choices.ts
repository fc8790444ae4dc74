import {
  type DatasetType,
  datasetShapes,
  depthPath,
  isMeasured,
  indexFieldOf,
} from '../../../../shared/datasets/datasets.ts';
import { hasNumbers, outsideLists, type DatasetField } from '../../../../shared/datasets/fields.ts';
import { readyColumns } from '../../../../shared/calculated/compile.ts';
import type { CalculatedColumn } from '../../../../shared/calculated/calculated.ts';
import type { JsonValue } from '../../../../shared/json.ts';
import { pathNames } from '../../../../shared/column-paths.ts';
import type { Grouping, Summary, SummaryParts } from '../../../../shared/language/text/summary.ts';
import { words } from '../../../words/words.ts';
import { fieldsWithValues } from '../filters/filter-values.ts';

/** The dataset of a summary, as far as it is known. */
export interface SummarySubject {
  readonly type: DatasetType | null;
  /** The path by which records belong to wells; null: they don't. */
  readonly wellPath: string | null;
  readonly fields: readonly DatasetField[];
}

const minute = 60_000;
const hour = 60 * minute;
/** Steps of time in milliseconds, and of depth in its unit. */
export const timeSteps = [minute, 10 * minute, hour, 6 * hour, 24 * hour] as const;
export const depthSteps = [1, 10, 100, 500] as const;

/** Channels that come first where a dataset has them. */
const firstChannels = [/^rop/, /weight_on_bit|^wob/, /gamma|^gh?r/];

/** The fields that distinguish wells, and the logs of a well. */
function seriesGroups({ type, wellPath }: Omit<SummarySubject, 'fields'>): readonly Grouping[] {
  const paths = wellPath === null ? [] : [wellPath, type && datasetShapes[type].indexScope];
  return paths.flatMap((path) => (path === null ? [] : [{ path, step: null }]));
}

/** The groups of which means are offered for a column: wells and their logs, and these by hour or by ten units of depth. */
export function usualGroups({ type, wellPath }: Omit<SummarySubject, 'fields'>) {
  if (wellPath === null) return [];
  const series = seriesGroups({ type, wellPath });
  const path = steppedPath(type);
  const { meanByWell, meanByWellAndLog } = words.summary;
  const byWell = { text: series.length > 1 ? meanByWellAndLog : meanByWell, groups: series };
  if (path === null) return [byWell];
  const isDepth = isDepthPath(path);
  const step = isDepth ? 10 : hour;
  const text = words.summary.meanByWellAndStep(step, isDepth);
  return [byWell, { text, groups: [...series, { path, step }] }];
}

export const measuredFields = ({ fields }: Pick<SummarySubject, 'fields'>): DatasetField[] =>
  outsideLists(fields).filter(({ path, types }) => isMeasured(pathNames(path), types));

const sameInAll: ReadonlySet<string> = new Set(['provider', 'collection']);

/** A calculated column that a pipeline can compute. */
export interface CalculatedMeasure {
  readonly path: string;
  readonly unit: string | null;
  readonly calculated: JsonValue;
}

/** The calculated columns whose figures a summary can have: those that need no rows before. */
export function calculatedMeasures(
  columns: readonly CalculatedColumn[],
  { type, fields }: Pick<SummarySubject, 'type' | 'fields'>,
): readonly CalculatedMeasure[] {
  if (columns.length === 0) return [];
  const index = steppedPath(type);
  const ready = readyColumns({
    columns: [...columns],
    fields: fields.map((field) => ({
      id: field.path,
      values:
        field.path === index && !isDepthPath(field.path) ? 'time' : hasNumbers(field) ? 'number' : 'other',
      ...(field.unit === undefined ? {} : { unit: field.unit }),
    })),
    index,
    order: 'none',
    series: [],
  });
  return ready.flatMap(({ name, unit, compiled }) => {
    const calculated = compiled?.inPipeline ?? null;
    return calculated === null ? [] : [{ path: name, unit, calculated }];
  });
}

/** The fields whose values make groups: texts of which there are few, and numbers that count something. */
export const groupFields = ({ fields, wellPath }: SummarySubject): DatasetField[] =>
  fields.filter(
    ({ path, values, types, absent = 1 }) =>
      path !== wellPath &&
      absent < 1 &&
      !sameInAll.has(path) &&
      (values !== undefined ||
        types.includes('boolean') ||
        /(?:^|\.)(?:stage_number|log_identifier)$/.test(path)),
  );

/** The other fields outside lists, whose values can make groups too. */
export function otherGroupFields(subject: SummarySubject): readonly DatasetField[] {
  const excluded = [subject.wellPath, steppedPath(subject.type), ...sameInAll];
  const first = groupFields(subject).map(({ path }) => path);
  return fieldsWithValues(
    subject.fields,
    [...excluded, ...first].flatMap((path) => path ?? []),
  );
}

/** The path of times or depths that can be cut into steps; null: none. Times as text can't. */
export function steppedPath(type: DatasetType | null): string | null {
  const path = indexFieldOf(type);
  return path === 'datetime' ? null : path;
}

export const isDepthPath = (path: string): boolean => path === depthPath;

/** The mean of the first channel by well, or what somebody asked for, of the records of a match. */
export function startingSummary(subject: SummarySubject, match: string, parts: SummaryParts | null): Summary {
  const measured = measuredFields(subject);
  const channel = firstChannels
    .map((pattern) => measured.find(({ path }) => pattern.test(pathNames(path).at(-1) ?? '')))
    .find((field) => field !== undefined);
  const path = channel?.path ?? measured[0]?.path;
  const usual: SummaryParts = {
    measures: path === undefined ? [] : [{ kind: 'mean', path }],
    groups: seriesGroups(subject),
  };
  return withOrder({ match, order: null, ...(parts ?? usual) }, subject);
}

/** A summary whose first and last values are those by time or depth. */
export const withOrder = (summary: Summary, { type }: Pick<SummarySubject, 'type'>): Summary => {
  const isOrdered = summary.measures.some(({ kind }) => kind === 'first' || kind === 'last');
  return { ...summary, order: isOrdered && type ? datasetShapes[type].indexField : null };
};
