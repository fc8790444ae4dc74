import { isConditionOperator } from '../catalogue/query-operators.ts';
import type { ObjectNode, TreeNode } from '../tree/tree.ts';

/** Whether an object compares, rather than being the value itself. */
const isOperators = (node: TreeNode): boolean =>
  node.kind === 'object' && node.members.some(({ key }) => key.name.startsWith('$'));

/** The queries that must all match: the query itself, and those inside `$and`. */
function* conjuncts(query: TreeNode): Generator<ObjectNode> {
  if (query.kind !== 'object') return;
  yield query;
  for (const { key, value } of query.members)
    if (key.name === '$and' && value?.kind === 'list') for (const item of value.items) yield* conjuncts(item);
}

/** The fields that a query compares with single values, by `a: 1`, `$eq` or `$in`. */
export function equalities(query: TreeNode): Set<string> {
  const fields = new Set<string>();
  for (const part of conjuncts(query)) {
    for (const { key, value } of part.members) {
      if (key.name.startsWith('$') || !value || value.kind === 'regex') continue;
      const isFixed =
        value.kind !== 'object' ||
        !isOperators(value) ||
        value.members.some((member) => /^\$(?:eq|in)$/.test(member.key.name));
      if (isFixed) fields.add(key.name);
    }
  }
  return fields;
}

/** Whether every branch of a query has a condition on one of these fields. */
export function names(query: TreeNode, fields: ReadonlySet<string>): boolean {
  for (const part of conjuncts(query)) {
    for (const { key, value } of part.members) {
      if (fields.has(key.name)) return true;
      const scope = [...fields].filter((field) => field.startsWith(`${key.name}.`));
      // A part that is written as an object: {metadata: {asset_id: 1}}.
      if (value?.kind === 'object' && !isOperators(value))
        if (value.members.some((member) => scope.includes(`${key.name}.${member.key.name}`))) return true;
      if (key.name === '$or' && value?.kind === 'list' && value.items.length > 0)
        if (value.items.every((item) => names(item, fields))) return true;
    }
  }
  return false;
}

/** A known operator without its $, as in `{gte: 5}`; only if all names of the object are such. */
export function forgottenDollars(node: ObjectNode): boolean {
  return node.members.length > 0 && node.members.every(({ key }) => isConditionOperator(`$${key.name}`));
}
