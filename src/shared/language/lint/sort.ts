import { datasetShapes } from '../../datasets/datasets.ts';
import { nameOf } from '../scope.ts';
import { scalarOf } from '../tree/scalars.ts';
import type { ObjectNode, TreeNode } from '../tree/tree.ts';
import { equalities } from './conditions.ts';
import { replaceBy, said, type Case, type Rule } from './notes.ts';
import { isScoped } from './scope.ts';

/** The direction that was most likely meant. */
function meant(text: string, node: TreeNode): 1 | -1 | undefined {
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
    // A text score is what else can be sorted by, in a pipeline.
    if (value.kind === 'object' && value.members.some((member) => member.key.name === '$meta')) continue;
    const guess = meant(of.text, value);
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

// In an order by one of these the records of one scope come from one place of the index.
const scopeFields = new Set([
  'asset_id',
  'company_id',
  'metadata.asset_id',
  'metadata.company_id',
  'log_identifier',
]);

/**
 * Whether an index gives this order: its fields are those of the sort, in all directions or all reversed, once those
 * that the query holds fast are passed over.
 * @param held the fields that the query compares with single values; null: the query is not known
 */
function serves(
  index: readonly SortField[],
  sort: readonly SortField[],
  held: ReadonlySet<string> | null,
): boolean {
  const isHeld = (path: string) => (held ? held.has(path) : scopeFields.has(path));
  let at = 0;
  let turn = 0;
  for (const { path, direction } of sort) {
    while (index[at] && index[at]?.path !== path && isHeld(index[at]?.path ?? '')) at++;
    const field = index[at];
    if (field?.path !== path) {
      if (held?.has(path)) continue;
      return false;
    }
    const same = field.direction === direction ? 1 : -1;
    if (turn !== 0 && same !== turn && !held?.has(path)) return false;
    if (!held?.has(path)) turn = same;
    at++;
  }
  return true;
}

/** Without the tiebreaker that pages need (specification, section 4.1). */
const withoutId = (sort: readonly SortField[]): readonly SortField[] =>
  sort.length > 1 && sort.at(-1)?.path === '_id' ? sort.slice(0, -1) : sort;

/**
 * The fields that an index begins with and the query leaves open, where single values of them would let it give the
 * order; the fewest of them.
 */
function lackingFor(
  sort: readonly SortField[],
  indexes: Case['knowledge']['indexes'],
  held: ReadonlySet<string> | null,
): readonly string[] | undefined {
  return indexes
    .flatMap(({ fields }) => {
      const at = fields.findIndex(({ path }) => path === sort[0]?.path);
      const open = fields.slice(0, Math.max(at, 0)).flatMap(({ path }) => (held?.has(path) ? [] : [path]));
      return serves(fields, sort, new Set([...(held ?? []), ...open])) ? [open] : [];
    })
    .toSorted((one, other) => one.length - other.length)[0];
}

/**
 * Warns of an order that no index of the definition gives (specification, section 4.1).
 * @param query what narrows the records before they are sorted; undefined: not known
 */
export function sortByIndex(node: TreeNode, query: TreeNode | undefined, of: Case): void {
  const { indexes, type } = of.knowledge;
  const sort = node.kind === 'object' ? sortFields(of.text, node) : null;
  if (!sort || sort.length === 0 || indexes.length === 0) return;
  const held = query ? equalities(query) : null;
  const served = (wanted: readonly SortField[]) =>
    indexes.some(({ fields }) => serves(fields, withoutId(wanted), held));
  if (served(sort)) return;
  const [path, scopeField] =
    type === null ? [null, null] : [datasetShapes[type].indexField, datasetShapes[type].scopeField];
  const instead = path === null ? null : { path, direction: sort[0]?.direction === 1 ? 1 : -1 };
  const lacking = lackingFor(withoutId(sort), indexes, held);
  // The query's own finding asks for the wells already.
  if (query && lacking?.length === 1 && lacking[0] === scopeField && !isScoped([query], type)) return;
  const advice = lacking
    ? `An index would if the query had values for ${lacking.join(' and ')}. Otherwise, narrow the query.`
    : path === null
      ? 'Narrow the query.'
      : `Sort by ${path}${sort[0]?.path === path ? ' alone' : ''}, or narrow the query.`;
  const text = instead && `{ ${nameOf(instead.path)}: ${instead.direction} }`;
  of.note(node, {
    severity: 'warning',
    code: 'sort_unindexed',
    message: `No index of this dataset supports the sort ${said(of, node).replaceAll(/\s+/g, ' ')}, so the query may be slow, time out, or be refused. ${advice}`,
    fix: text && served([instead]) ? replaceBy(node, text) : undefined,
  });
}
