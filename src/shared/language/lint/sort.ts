import { datasetShapes } from '../../datasets/shapes.ts';
import { nameOf } from '../scope.ts';
import { scalarOf } from '../tree/scalars.ts';
import type { ObjectNode, TreeNode } from '../tree/tree.ts';
import { equalities } from './conditions.ts';
import { replaceBy, sourceOf, type Case, type Rule } from './notes.ts';
import { isScoped } from './scope.ts';

/** The direction that a value probably means. */
function readDirection(text: string, node: TreeNode): 1 | -1 | undefined {
  const value = scalarOf(text, node);
  if (value?.kind === 'number' && Number(value.value) !== 0) return Number(value.value) < 0 ? -1 : 1;
  if (value?.kind === 'word') return value.value === 'true' ? 1 : value.value === 'false' ? -1 : undefined;
  if (value?.kind !== 'text') return undefined;
  if (/^(?:1|\+1|asc|ascending|up)$/i.test(value.value.trim())) return 1;
  return /^(?:-1|desc|descending|down)$/i.test(value.value.trim()) ? -1 : undefined;
}

/** Each direction is 1 or -1 (specification, section 4.1). */
export const sortDirections: Rule = (node, role, of) => {
  if (role.is !== 'sort' || node.kind !== 'object') return;
  for (const { key, value } of node.members) {
    const direction = value && scalarOf(of.text, value);
    if (!value || (direction?.kind === 'number' && (direction.value === 1 || direction.value === -1)))
      continue;
    // A pipeline can also sort by a text score.
    if (value.kind === 'object' && value.members.some((member) => member.key.name === '$meta')) continue;
    const guess = readDirection(of.text, value);
    of.note(value, {
      severity: 'error',
      code: 'sort_direction',
      message: `The direction of “${key.name}” must be 1 or -1. Use 1 for ascending, -1 for descending.`,
      fix: guess === undefined ? undefined : replaceBy(value, String(guess)),
    });
  }
};

interface SortField {
  readonly path: string;
  readonly direction: number;
}

function sortFields(text: string, { members }: ObjectNode): SortField[] | null {
  const fields: SortField[] = [];
  for (const { key, value } of members) {
    const direction = value && scalarOf(text, value);
    if (direction?.kind !== 'number') return null;
    fields.push({ path: key.name, direction: Number(direction.value) });
  }
  return fields;
}

// After one of these fields, the records of one scope are adjacent in the index.
const scopeFields = new Set([
  'asset_id',
  'company_id',
  'metadata.asset_id',
  'metadata.company_id',
  'log_identifier',
]);

/**
 * Whether an index provides an order: its fields are those of the sort, all in the same or all in the reverse
 * direction, without fields that the query fixes.
 * @param fixedFields fields compared with single values; null: the query is unknown
 */
function serves(
  index: readonly SortField[],
  sort: readonly SortField[],
  fixedFields: ReadonlySet<string> | null,
): boolean {
  const isFixed = (path: string) => (fixedFields ?? scopeFields).has(path);
  let at = 0;
  let orientation = 0;
  for (const { path, direction } of sort) {
    let field = index[at];
    for (; field && field.path !== path && isFixed(field.path); field = index[at]) at++;
    if (field?.path !== path) {
      if (fixedFields?.has(path)) continue;
      return false;
    }
    at++;
    if (fixedFields?.has(path)) continue;
    const fieldOrientation = field.direction === direction ? 1 : -1;
    if (orientation !== 0 && fieldOrientation !== orientation) return false;
    orientation = fieldOrientation;
  }
  return true;
}

/** Without the tiebreaker that pages need (specification, section 4.1). */
const withoutId = (sort: readonly SortField[]): readonly SortField[] =>
  sort.length > 1 && sort.at(-1)?.path === '_id' ? sort.slice(0, -1) : sort;

/**
 * The leading fields of an index that the query would have to fix for the index to provide the order; the
 * shortest such list.
 */
function missingEqualities(
  sort: readonly SortField[],
  indexes: Case['knowledge']['indexes'],
  fixedFields: ReadonlySet<string> | null,
): readonly string[] | undefined {
  return indexes
    .flatMap(({ fields }) => {
      const at = fields.findIndex(({ path }) => path === sort[0]?.path);
      const open = fields
        .slice(0, Math.max(at, 0))
        .flatMap(({ path }) => (fixedFields?.has(path) ? [] : [path]));
      return serves(fields, sort, new Set([...(fixedFields ?? []), ...open])) ? [open] : [];
    })
    .toSorted((a, b) => a.length - b.length)[0];
}

/**
 * Warns of an order that no index provides (specification, section 4.1).
 * @param queries all narrow the records before the sort; undefined: unknown
 */
export function sortByIndex(node: TreeNode, queries: readonly TreeNode[] | undefined, of: Case): void {
  const { indexes, type } = of.knowledge;
  const sort = node.kind === 'object' ? sortFields(of.text, node) : null;
  if (!sort || sort.length === 0 || indexes.length === 0) return;
  const fixedFields = queries ? new Set(queries.flatMap((query) => [...equalities(query)])) : null;
  const served = (requestedFields: readonly SortField[]) =>
    indexes.some(({ fields }) => serves(fields, withoutId(requestedFields), fixedFields));
  if (served(sort)) return;
  const [path, scopeField] =
    type === null ? [null, null] : [datasetShapes[type].indexField, datasetShapes[type].scopeField];
  const instead = path === null ? null : { path, direction: sort[0]?.direction === 1 ? 1 : -1 };
  const lacking = missingEqualities(withoutId(sort), indexes, fixedFields);
  // The query's own finding asks for the wells already.
  if (queries && lacking?.length === 1 && lacking[0] === scopeField && !isScoped(queries, type)) return;
  const advice = lacking
    ? `To use an index, add a condition for ${lacking.join(' and ')}. Otherwise, narrow the query.`
    : path === null
      ? 'Narrow the query.'
      : `Sort by ${path}${sort[0]?.path === path ? ' alone' : ''}, or narrow the query.`;
  const text = instead && `{ ${nameOf(instead.path)}: ${instead.direction} }`;
  of.note(node, {
    severity: 'warning',
    code: 'sort_unindexed',
    message: `No index of this dataset supports the sort ${sourceOf(of, node).replaceAll(/\s+/g, ' ')}, so the query may be slow, time out, or be refused. ${advice}`,
    fix: text && served([instead]) ? replaceBy(node, text) : undefined,
  });
}
