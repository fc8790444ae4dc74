import type { DatasetField } from '../../datasets/fields.ts';
import { writtenName } from './fields.ts';
import { scalarOf } from '../tree/scalars.ts';
import type { ListNode, Member, TreeNode } from '../tree/tree.ts';

const createField = (path: string): DatasetField => ({ path, from: 'type', types: [] });

/** The fields that are left without some fields and those inside of them. */
const without = (fields: readonly DatasetField[], names: readonly string[]): DatasetField[] =>
  fields.filter(({ path }) => !names.some((name) => path === name || path.startsWith(`${name}.`)));

const fieldNames = (node: TreeNode | null): string[] =>
  node?.kind === 'object' ? node.members.map(({ key }) => key.name) : [];

function memberOf(node: TreeNode | null, name: string): TreeNode | null {
  if (node?.kind !== 'object') return null;
  return node.members.find(({ key }) => key.name === name)?.value ?? null;
}

function projected(text: string, value: TreeNode | null, before: readonly DatasetField[]): DatasetField[] {
  if (value?.kind !== 'object') return [...before];
  const dropped = value.members.filter((member) => {
    const scalar = member.value && scalarOf(text, member.value);
    return (
      (scalar?.kind === 'number' && scalar.value === 0) ||
      (scalar?.kind === 'word' && scalar.value === 'false')
    );
  });
  const out = new Set(dropped.map(({ key }) => key.name));
  const onlyDrops = dropped.length > 0 && value.members.every(({ key }) => out.has(key.name));
  if (onlyDrops && !(out.size === 1 && out.has('_id'))) return without(before, [...out]);
  const includedNames = value.members.filter(({ key }) => !out.has(key.name)).map(({ key }) => key.name);
  const id = out.has('_id') ? [] : ['_id'];
  return [...new Set([...id, ...includedNames])].map(
    (path) => before.find((field) => field.path === path) ?? createField(path),
  );
}

/** The fields that records have after a stage. */
function after(
  text: string,
  { key, value }: Member,
  before: readonly DatasetField[],
): readonly DatasetField[] {
  const withAdded = (names: readonly string[]) => [
    ...before,
    ...names.filter((name) => !before.some(({ path }) => path === name)).map(createField),
  ];
  const name = value ? writtenName(text, value) : undefined;
  const output = memberOf(value, 'output');
  switch (key.name) {
    case '$group':
      return ['_id', ...fieldNames(value).filter((fieldName) => fieldName !== '_id')].map(createField);
    case '$bucket':
    case '$bucketAuto':
      return ['_id', ...(output ? fieldNames(output) : ['count'])].map(createField);
    case '$sortByCount':
      return ['_id', 'count'].map(createField);
    case '$count':
      return name === undefined ? [] : [createField(name)];
    case '$facet':
      return fieldNames(value).map(createField);
    case '$project':
      return projected(text, value, before);
    case '$replaceRoot':
    case '$replaceWith':
      return [];
    case '$addFields':
    case '$set':
      return withAdded(fieldNames(value));
    case '$setWindowFields':
      return withAdded(fieldNames(output));
    case '$lookup': {
      const as = memberOf(value, 'as');
      const joined = as ? writtenName(text, as) : undefined;
      return joined === undefined ? before : withAdded([joined]);
    }
    case '$unset': {
      const items = value?.kind === 'list' ? value.items : [value];
      return without(
        before,
        items.flatMap((item) => (item && writtenName(text, item)) ?? []),
      );
    }
    default:
      return before;
  }
}

/** The fields of the records before a stage, from those of the dataset. */
export function fieldsAtStage(
  text: string,
  { items }: ListNode,
  stage: number,
  fields: readonly DatasetField[],
): readonly DatasetField[] {
  let currentFields = fields;
  for (const item of items.slice(0, stage)) {
    const onlyMember = item.kind === 'object' ? item.members[0] : undefined;
    if (onlyMember) currentFields = after(text, onlyMember, currentFields);
  }
  return currentFields;
}
