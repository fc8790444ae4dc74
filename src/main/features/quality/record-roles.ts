import { indexFrom } from '../../../shared/quality/batch.ts';
import { bookkeepingFields } from '../../../shared/quality/quality-report.ts';
import { instantOf } from '../../../shared/instants.ts';
import { isUnder, enlarged } from '../../core/records/columns.ts';
import { isNumberStart, textOfJson } from '../../core/records/json-text.ts';
import { type PathTree, textIn, type ScannedPage } from '../../core/records/scan.ts';
import { decimalAt } from '../../core/records/decimal.ts';
import type { RecordShape } from './quality-plan.ts';

/** The paths that name the well and the log of a record. */
export const seriesPaths = ({
  wellFields,
  logField,
}: Pick<RecordShape, 'wellFields' | 'logField'>): string[] =>
  logField === null ? wellFields : [...wellFields, logField];

/** The paths that place a record: of its index, its well, and its log. */
const placePaths = (shape: RecordShape): string[] => [
  ...(shape.index ? [shape.index.field] : []),
  ...seriesPaths(shape),
];

/** The fields that are requested for the given ones; empty: all. */
export const fieldsToRead = (shape: RecordShape & { readonly fields: readonly string[] }): string[] =>
  shape.fields.length === 0 ? [] : [...new Set([...shape.fields, ...placePaths(shape)])];

/** The requested fields that have values of their own, unlike the index, the well, and the log. */
export const measuredFields = (shape: RecordShape & { readonly fields: readonly string[] }): string[] => {
  const unmeasuredPaths = [...bookkeepingFields, ...placePaths(shape)];
  return shape.fields.filter((field) => !unmeasuredPaths.some((path) => isUnder(path, field)));
};

/** What a value is for, if it isn't one of a field. */
export const roles = { unknown: -1, ignored: -2, index: -3, well: -4, log: -5 } as const;

/**
 * Tells what the values of each node of a tree are for: the column of a field, or one of {@link roles}.
 * @param columnOf the column of a field, by its path
 */
export function createRoleOf(
  { index, wellFields, logField, fields }: RecordShape & { readonly fields: readonly string[] },
  tree: PathTree,
  columnOf: (path: string) => number,
): (node: number) => number {
  let roleOfNode = new Int32Array(256).fill(roles.unknown);

  function newRole(path: string): number {
    if (path === index?.field) return roles.index;
    if (wellFields.includes(path)) return roles.well;
    if (path === logField) return roles.log;
    if (bookkeepingFields.has(path) || (fields.length > 0 && !fields.some((field) => isUnder(path, field))))
      return roles.ignored;
    return columnOf(path);
  }

  return (node) => {
    const role = roleOfNode[node] ?? roles.unknown;
    if (role !== roles.unknown) return role;
    if (node >= roleOfNode.length) roleOfNode = enlarged(roleOfNode, node);
    const pathRole = newRole(tree.nodes[node]?.path ?? '');
    roleOfNode[node] = pathRole;
    return pathRole;
  };
}

/** The index of a record: Unix milliseconds of a time, otherwise its number; NaN: it has none. */
export function indexAt(index: RecordShape['index'], page: ScannedPage, start: number, end: number): number {
  const code = page.bytes[start];
  if (code === 34) return index?.kind === 'time' ? instantOf(textIn(page, start + 1, end - 1)) : Number.NaN;
  return isNumberStart(code) ? indexFrom(decimalAt(page, start, end)) : Number.NaN;
}

/** A name or an id as text; empty for null. */
export const nameAt = (page: ScannedPage, start: number, end: number): string =>
  page.bytes[start] === 110 ? '' : textOfJson(textIn(page, start, end));
