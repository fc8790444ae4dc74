import { type DatasetType, type ScopeField, indexFieldOf, scopeFieldOf } from '../datasets/datasets.ts';

const idsPerLine = 10;

/** A field name in relaxed JSON, in quotes only if required. */
export function nameOf(path: string): string {
  return /^[a-z_$][\w$]*$/i.test(path) ? path : JSON.stringify(path);
}

/** A condition on ids: the only one, or a list, which has lines of ten if it is longer. */
export function idsCondition(ids: readonly number[]): string {
  if (ids.length === 1) return String(ids[0]);
  if (ids.length <= idsPerLine) return `{ $in: [${ids.join(', ')}] }`;
  const lines: string[] = [];
  for (let at = 0; at < ids.length; at += idsPerLine)
    lines.push(`    ${ids.slice(at, at + idsPerLine).join(', ')},\n`);
  return `{ $in: [\n${lines.join('')}  ] }`;
}

/** The condition for records of some assets, without braces, in one line. */
export const assetCondition = (path: string, assets: readonly number[]): string =>
  `${nameOf(path)}: ${assets.length === 1 ? String(assets[0]) : `{ $in: [${assets.join(', ')}] }`}`;

/** A query for the records of some wells; without wells, for all records. */
export const queryOfWells = (type: DatasetType | null, assets: readonly number[]): string =>
  assets.length === 0 ? '{}' : `{ ${assetCondition(scopeFieldOf(type), assets)} }`;

/** How records belong to wells, if that differs from the type's default. */
interface KnownScope {
  /** Null: no path scopes them. */
  readonly field: ScopeField | null;
  /** The companies of the wells, for records that belong to those. */
  readonly companies: readonly number[];
}

/**
 * The condition that scopes records to the selected wells, without braces; null if there is none.
 * @param hasWells whether wells are selected
 * @param known the observed scope; default: the type's
 */
export function scopeCondition(
  type: DatasetType | null,
  hasWells: boolean,
  known?: KnownScope,
): string | null {
  const field = known ? known.field : scopeFieldOf(type);
  if (field === null) return null;
  if (!field.endsWith('company_id')) return hasWells ? `${nameOf(field)}: {{wells}}` : null;
  const companies = [...new Set(known?.companies)];
  if (companies.length === 0) return null;
  return `${nameOf(field)}: ${idsCondition(companies)}`;
}

/**
 * The sort by a dataset's index field. Types without one sort by `_id`, ascending: it isn't the age, but
 * every dataset has this index, and pages don't overlap.
 */
export function defaultSort(type: DatasetType | null, direction: 1 | -1 = 1): string {
  const indexField = indexFieldOf(type);
  return indexField === null ? '{ _id: 1 }' : `{ ${nameOf(indexField)}: ${direction} }`;
}

/** The initial query: the selected wells, newest (or deepest) first, the first 1,000. */
export function startingQuery(type: DatasetType | null, hasWells: boolean, known?: KnownScope) {
  const condition = scopeCondition(type, hasWells, known);
  const lines = condition?.includes('\n') ? `{\n  ${condition},\n}` : `{ ${condition} }`;
  return { query: condition === null ? '{}' : lines, sort: defaultSort(type, -1), limit: 1000 };
}
