import { valueUnder } from '../../json.ts';
import { conditionOperators } from '../catalogue.ts';
import type { TextKind } from '../knowledge.ts';
import { listOperators } from '../reader.ts';
import type { TreeNode } from './tree.ts';

/** The role of a node by its place, which determines what is allowed in it. */
export type Role =
  | Readonly<{
      is:
        | 'query'
        | 'queries'
        | 'sort'
        | 'projection'
        | 'group'
        | 'outputs'
        | 'window-outputs'
        | 'window'
        | 'accumulation'
        | 'expression'
        | 'fields'
        | 'facet'
        | 'stages'
        | 'stage'
        | 'path'
        | 'field-name'
        | 'direction'
        | 'boolean'
        | 'any';
    }>
  /** What a field is compared with; its operators; one of several values; a list of them. */
  | Readonly<{ is: 'condition' | 'element' | 'value' | 'values'; field: string }>
  /** An object with fixed names. */
  | Readonly<{ is: 'options'; names: Readonly<Record<string, Role>> }>;

const role = (is: Exclude<Role, { field: string } | { names: object }>['is']): Role => ({ is });
const any = role('any');
const options = (names: Readonly<Record<string, Role>>): Role => ({ is: 'options', names });
const expression = role('expression');
const stages = role('stages');

const bodies: Readonly<Record<string, Role>> = {
  $match: role('query'),
  $sort: role('sort'),
  $project: role('projection'),
  $group: role('group'),
  $addFields: role('fields'),
  $set: role('fields'),
  $unset: role('field-name'),
  $facet: role('facet'),
  $redact: expression,
  $sortByCount: expression,
  $replaceWith: expression,
  $replaceRoot: options({ newRoot: expression }),
  $sample: options({ size: any }),
  $unwind: options({
    path: role('path'),
    includeArrayIndex: any,
    preserveNullAndEmptyArrays: role('boolean'),
  }),
  $bucket: options({ groupBy: expression, boundaries: any, default: any, output: role('outputs') }),
  $bucketAuto: options({ groupBy: expression, buckets: any, output: role('outputs'), granularity: any }),
  $setWindowFields: options({
    partitionBy: expression,
    sortBy: role('sort'),
    output: role('window-outputs'),
  }),
  $fill: options({
    sortBy: role('sort'),
    partitionBy: expression,
    partitionByFields: role('field-name'),
    output: any,
  }),
  $densify: options({ field: role('field-name'), partitionByFields: role('field-name'), range: any }),
  $lookup: options({
    from: any,
    localField: role('field-name'),
    foreignField: any,
    as: any,
    let: role('fields'),
    pipeline: stages,
  }),
  $unionWith: options({ coll: any, pipeline: stages }),
  $graphLookup: options({
    from: any,
    startWith: expression,
    connectFromField: any,
    connectToField: any,
    as: any,
    maxDepth: any,
    depthField: any,
    restrictSearchWithMatch: role('query'),
  }),
};

/** The value of a stage. */
export function bodyOf(stage: string): Role {
  return valueUnder(bodies, stage) ?? any;
}

/** The role of a whole text. */
export function rootRole(kind: TextKind): Role {
  switch (kind) {
    case 'query':
    case 'sort':
    case 'group':
    case 'stages':
    case 'stage':
      return role(kind);
    case 'project':
      return role('projection');
    default:
      return bodyOf(kind.slice('body:'.length));
  }
}

function inQuery(name: string): Role {
  if (name === '$and' || name === '$or' || name === '$nor') return role('queries');
  if (name === '$expr') return expression;
  return name.startsWith('$') ? any : { is: 'condition', field: name };
}

const comparisonOperators = new Set(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte']);

function inCondition(name: string, field: string): Role {
  if (listOperators.has(name)) return { is: 'values', field };
  if (comparisonOperators.has(name)) return { is: 'value', field };
  if (name === '$not') return { is: 'condition', field };
  if (name === '$elemMatch') return { is: 'element', field };
  if (name === '$exists') return role('boolean');
  return name.startsWith('$') ? any : { is: 'condition', field: `${field}.${name}` };
}

const inElement = (name: string, field: string): Role => {
  if (conditionOperators.has(name)) return inCondition(name, field);
  return name.startsWith('$') ? inQuery(name) : { is: 'condition', field: `${field}.${name}` };
};

const members: Partial<Record<Role['is'], (name: string) => Role>> = {
  query: inQuery,
  sort: () => role('direction'),
  projection: (name) => (name.startsWith('$') ? expression : role('projection')),
  group: (name) => (name === '_id' ? expression : role('accumulation')),
  outputs: () => role('accumulation'),
  'window-outputs': () => role('window'),
  window: (name) => (name === 'window' ? any : expression),
  accumulation: () => expression,
  fields: () => expression,
  expression: (name) => (name === '$literal' ? any : expression),
  facet: () => stages,
  stage: bodyOf,
};

/** The role of a member's value. */
export function memberRole(of: Role, name: string): Role {
  if (of.is === 'condition') return inCondition(name, of.field);
  if (of.is === 'element') return inElement(name, of.field);
  if (of.is === 'options') return valueUnder(of.names, name) ?? any;
  return members[of.is]?.(name) ?? any;
}

const elements: Partial<Record<Role['is'], Role>> = {
  queries: role('query'),
  stages: role('stage'),
  expression,
  accumulation: expression,
  projection: expression,
  'field-name': role('field-name'),
};

/** The role of an element of a list. */
export function elementRole(of: Role): Role {
  if (of.is === 'values' || of.is === 'condition' || of.is === 'value')
    return { is: 'value', field: of.field };
  return elements[of.is] ?? any;
}

/** Visits a piece and all within it, each with its role, the outer before the inner; after `false`, not what is within. */
export function walk(node: TreeNode, of: Role, visit: (node: TreeNode, of: Role) => unknown): void {
  if (visit(node, of) === false) return;
  if (node.kind === 'object')
    for (const { key, value } of node.members) if (value) walk(value, memberRole(of, key.name), visit);
  if (node.kind === 'list') {
    const inside = elementRole(of);
    for (const item of node.items) walk(item, inside, visit);
  }
}
