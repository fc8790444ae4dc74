import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { isObject } from '../../shared/json.ts';

type Tree = Map<string, Tree | null>;

/**
 * Keeps only `_id` and the fields of a comma-separated list, nested ones by dotted names; null if the list is empty,
 * which means all fields.
 */
export function projection(fields: string): ((record: JsonObject) => JsonObject) | null {
  const paths = fields.split(',').map((field) => field.trim()).filter((field) => field !== ''); // oxfmt-ignore
  if (paths.length === 0) return null;
  const tree: Tree = new Map();
  for (const path of ['_id', ...paths]) grow(tree, path.split('.'));
  return (record) => keep(record, tree);
}

function grow(tree: Tree, [name = '', ...rest]: readonly string[]): void {
  const branch = tree.get(name);
  if (branch === null) return;
  if (rest.length === 0) {
    tree.set(name, null);
    return;
  }
  const next = branch ?? new Map<string, Tree | null>();
  tree.set(name, next);
  grow(next, rest);
}

function keep(record: JsonObject, tree: Tree): JsonObject {
  const kept: JsonObject = {};
  for (const [name, value] of Object.entries(record)) {
    const branch = tree.get(name);
    if (branch === undefined) continue;
    const part = branch === null ? value : keepNested(value, branch);
    if (part !== undefined) kept[name] = part;
  }
  return kept;
}

// In an array, each element is projected. A plain value where a nested name needs an object is dropped.
function keepNested(value: JsonValue, tree: Tree): JsonValue | undefined {
  if (Array.isArray(value))
    return value.map((element) => keepNested(element, tree)).filter((part) => part !== undefined);
  return isObject(value) ? keep(value, tree) : undefined;
}
