import { type JsonObject, type JsonValue, withoutUndefined } from '../../../shared/json.ts';
import { textsOfTimes } from '../../core/requests.ts';
import { sameAtOf } from './compare.ts';
import type { ComparisonSpec, RecordShape } from './quality-plan.ts';
import { rangeOf, wellsOf } from './query-bounds.ts';
import type { FileExtent } from './spooled-file.ts';

/**
 * How the records of two queries are paired. Records of one well each are paired whatever its name is, and so are their
 * logs, which have other names in each well. Records of two ranges are paired by the distance from their start.
 */
export function pairingOf(
  source: JsonObject,
  against: JsonObject,
  { index, wellFields, logField }: RecordShape,
): Pick<ComparisonSpec, 'ignoresWell' | 'ignoresLog' | 'shift'> {
  const wells = [source, against].map((query) => wellsOf(query, wellFields));
  const logs = [source, against].map((query) => (logField === null ? [] : wellsOf(query, [logField])));
  const areOne = (names: readonly (readonly string[])[]): boolean =>
    names.every(({ length }) => length === 1);
  const areTwoWells = areOne(wells) && wells[0]?.[0] !== wells[1]?.[0];
  const [from, againstFrom] = [rangeOf(source, index).from, rangeOf(against, index).from];
  return {
    ignoresWell: areOne(wells),
    ignoresLog: areTwoWells || areOne(logs),
    shift: from === null || againstFrom === null ? 0 : againstFrom - from,
  };
}

/** A query with more wells or logs than this has no condition for them. */
const maxNamed = 1000;

/**
 * The conditions on the index for all records of a range; those on texts also match others.
 * @param sameAt how far apart two places can be and still be the same
 */
function limitsOf({ from, to, times }: NonNullable<FileExtent['range']>, sameAt: number): JsonObject {
  const moved = (at: JsonValue, by: number): JsonValue => (typeof at === 'number' ? at + by : at);
  if (!times) return { $gte: moved(from, -sameAt), $lte: moved(to, sameAt) };
  const texts = textsOfTimes(times.from, times.to);
  return withoutUndefined({ $gte: texts.from, $lt: texts.to });
}

/** The query for the records of the wells, logs, and range of a file, and if times are texts, for some others. */
export function extentQuery(
  { range, series }: Pick<FileExtent, 'range' | 'series'>,
  { index }: Pick<ComparisonSpec, 'index'>,
): JsonObject {
  const named = series.flatMap(([path, values]) => {
    const isNamed = values.length > 0 && values.length <= maxNamed && !values.includes(null);
    return isNamed ? [[path, values.length === 1 ? (values[0] ?? null) : { $in: [...values] }] as const] : [];
  });
  const bounds = range ? [[index.field, limitsOf(range, sameAtOf(index))] as const] : [];
  return Object.fromEntries([...named, ...bounds]);
}
