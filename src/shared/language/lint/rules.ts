import { conditionOperators, reshapingStages } from '../catalogue.ts';
import { type ObjectNode, type TreeNode, type ListNode, readTree, type Member } from '../tree/tree.ts';
import { type DatasetType, isAssetPath, scopeFieldOf } from '../../datasets/datasets.ts';
import { nameOf } from '../scope.ts';
import { scalarOf } from '../calls.ts';
import type { Span } from '../reader.ts';
import { replaceBy, type Case, type QuickFix, type Rule, sourceOf } from './notes.ts';
import type { DatasetField } from '../../datasets/fields.ts';
import { bodyOf, walk, type Role } from '../tree/roles.ts';

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
function names(query: TreeNode, fields: ReadonlySet<string>): boolean {
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
  return node.members.length > 0 && node.members.every(({ key }) => conditionOperators.has(`$${key.name}`));
}

const topFields = ['asset_id', 'company_id'];
const metadataFields = ['metadata.asset_id', 'metadata.company_id'];

/** Where a condition can be put in: a query, or a list of stages without one. */
interface Place {
  readonly list?: ListNode;
  readonly first: TreeNode | null;
}

/** Whether the queries name a well or company, or the records are of a type that needs neither. */
export function isScoped(queries: readonly TreeNode[], type: DatasetType | null): boolean {
  if (type === 'reference') return true;
  const hasMetadata = type === 'timeseries' || type === null;
  const fields = new Set(hasMetadata ? [...metadataFields, ...topFields] : topFields);
  return queries.some((query) => names(query, fields));
}

/**
 * Warns of reads without a well or company: services of this kind refuse them, or return everything the key
 * can read. Reference data need neither.
 * @param queries the queries that all apply to the records
 */
export function scope(queries: readonly TreeNode[], place: Place, of: Case): void {
  const { list, first } = place;
  const { type } = of.knowledge;
  if (isScoped(queries, type)) return;
  const path = scopeFieldOf(type);
  const other = type === 'timeseries' ? 'metadata.company_id' : 'company_id';
  const span: Span = first ?? list ?? { start: 0, end: of.text.length };
  of.note(span.end - span.start > 2 ? { start: span.start, end: span.start + 1 } : span, {
    severity: 'warning',
    code: 'no_scope',
    message: `Neither ${path} nor ${other} limits this query, so it may be slow or refused. Add ${path} with the wells.`,
    fix: scopeFix(`${nameOf(path)}: {{wells}}`, place),
  });
}

function scopeFix(condition: string, { list, first }: Place): QuickFix | undefined {
  const title = 'Use the selected wells';
  if (first?.kind === 'object') {
    const at = first.start + 1;
    const text = first.members.length > 0 ? ` ${condition},` : ` ${condition} `;
    return { title, edits: [{ start: at, end: at, text }] };
  }
  if (first) return undefined;
  if (!list) return { title, edits: [{ start: 0, end: 0, text: `{ ${condition} }` }] };
  const at = list.start + 1;
  const text = `{ $match: { ${condition} } }${list.items.length > 0 ? ', ' : ''}`;
  return { title, edits: [{ start: at, end: at, text }] };
}

/**
 * Warns of platform ids of wells used as asset ids (specification, section 1.4), and of text as an asset id.
 */
export const assetIds: Rule = (node, role, of) => {
  if ((role.is !== 'condition' && role.is !== 'value') || !isAssetPath(role.field)) return;
  const value = scalarOf(of.text, node);
  if (value?.kind === 'number') platformId(node, Number(value.value), of);
  if (value?.kind === 'text') textId(node, value.value, role.field, of);
};

function platformId(node: TreeNode, id: number, of: Case): void {
  const { wells } = of.knowledge;
  if (wells.some(({ assetId }) => assetId !== null && Number(assetId) === id)) return;
  const well = wells.find(({ platformId }) => Number(platformId) === id);
  if (!well) return;
  const advice =
    well.assetId === null
      ? 'Its asset ID is unknown, so its records can’t be queried.'
      : `Use its asset ID, ${well.assetId}.`;
  of.note(node, {
    severity: 'warning',
    code: 'platform_well_id',
    message: `${id} is the platform ID of the well ${well.name}, not its asset ID, so no record matches. ${advice}`,
    fix: well.assetId === null ? undefined : replaceBy(node, String(well.assetId)),
  });
}

function textId(node: TreeNode, text: string, field: string, of: Case): void {
  const trimmed = text.trim();
  const well = of.knowledge.wells.find(({ name }) => name.toLowerCase() === trimmed.toLowerCase());
  const id = /^\d{1,15}$/.test(trimmed) ? Number(trimmed) : (well?.assetId ?? undefined);
  of.note(node, {
    severity: 'warning',
    code: 'asset_text',
    message: `${field} is a number, so text never matches. ${id === undefined ? 'Use the asset ID of the well.' : `Write ${id} without quotes.`}`,
    fix: id === undefined ? undefined : replaceBy(node, String(id)),
  });
}

/** Accumulators whose result a number such as -999.25 changes. They skip null. */
const countsNumbers: ReadonlySet<string> = new Set([
  '$avg',
  '$sum',
  '$min',
  '$median',
  '$percentile',
  '$stdDevPop',
  '$stdDevSamp',
  '$expMovingAvg',
]);
/** Whether a text may have an accumulator that counts numbers such as -999.25. */
export const mayCountNumbers = (text: string): boolean =>
  [...countsNumbers].some((name) => text.includes(name));

const shapesFields: ReadonlySet<string> = new Set([...reshapingStages, '$set', '$addFields']);

/** The value that an accumulator computes with: `$avg: "$data.rop"`, or `input` in an object. */
function inputOf({ value }: Member): TreeNode | null {
  if (value?.kind !== 'object') return value;
  return value.members.find(({ key }) => key.name === 'input')?.value ?? null;
}

function percent(share: number): string {
  const rounded = Math.round(share * 100);
  return rounded === 0 ? 'less than 1%' : `${rounded}%`;
}

function warn(operator: string, input: TreeNode, tokens: Tokens, of: Case): void {
  const source = sourceOf(of, input);
  const values = tokens.map(({ value }) => value).join(', ');
  const share = tokens.reduce((sum, token) => sum + token.share, 0);
  of.note(input, {
    severity: 'warning',
    code: 'null_numbers',
    message: `${operator} counts ${values}, which probably means null: ${percent(share)} of the sampled records have it here. Treat it as null.`,
    fix: replaceBy(
      input,
      `{ $cond: [{ $in: [${source}, [${values}]] }, null, ${source}] }`,
      `Treat ${values} as null`,
    ),
  });
}

/**
 * Warns of means, sums, and the like that count numbers such as -999.25, which loggers write for null. Those
 * that an earlier $match excludes aren't reported.
 * @param tokensOf those of the fields before the first stage
 */
export function nullNumbers({ items }: ListNode, of: Case, tokensOf = tokensByPath(of)): void {
  for (const stage of items) {
    const onlyMember = stage.kind === 'object' ? stage.members[0] : undefined;
    if (!onlyMember?.value || tokensOf.size === 0) return;
    checkAccumulators(stage, { is: 'stage' }, tokensOf, of);
    if (shapesFields.has(onlyMember.key.name)) return;
  }
}

/** The same for the group of an aggregate. Its match is the query of the knowledge. */
export function nullNumbersOfGroup(group: TreeNode, of: Case): void {
  const tokensOf = tokensByPath(of);
  const match = readTree(of.knowledge.query ?? '').root;
  if (match) narrow(match, tokensOf, of.knowledge.query ?? '');
  checkAccumulators(group, bodyOf('$group'), tokensOf, of);
}

type Tokens = NonNullable<DatasetField['tokens']>;

const tokensByPath = ({ knowledge }: Case): Map<string, Tokens> =>
  new Map(knowledge.fields.flatMap(({ path, tokens = [] }) => (tokens.length > 0 ? [[path, tokens]] : [])));

/**
 * Whether an operator lets a number through, as far as it can be read. A parameter as a value or a lower limit excludes it:
 * somebody chose it.
 */
function admits(token: number, operator: string, value: TreeNode, text: string): boolean {
  const numbers = (value.kind === 'list' ? value.items : [value]).map((item) => {
    const scalar = scalarOf(text, item);
    return scalar?.kind === 'number' ? Number(scalar.value) : NaN;
  });
  const [number = NaN] = numbers;
  switch (operator) {
    case '$gt':
      return token > number;
    case '$gte':
      return token >= number;
    case '$lt':
      return !(token >= number);
    case '$lte':
      return !(token > number);
    case '$eq':
    case '$in':
      return numbers.includes(token);
    case '$ne':
    case '$nin':
      return !numbers.includes(token);
    case '$not':
      return !isAdmitted(token, value, text);
    default:
      return true;
  }
}

const isAdmitted = (token: number, condition: TreeNode, text: string): boolean =>
  condition.kind === 'object' && isOperators(condition)
    ? condition.members.every(({ key, value }) => value && admits(token, key.name, value, text))
    : admits(token, '$eq', condition, text);

/** Removes the numbers that a query excludes. */
function narrow(query: TreeNode, tokensOf: Map<string, Tokens>, text: string): void {
  for (const { key, value } of [...conjuncts(query)].flatMap(({ members }) => members)) {
    const tokens = value && tokensOf.get(key.name)?.filter((token) => isAdmitted(token.value, value, text));
    if (tokens?.length === 0) tokensOf.delete(key.name);
    else if (tokens) tokensOf.set(key.name, tokens);
  }
}

/** Warns of the accumulators in a stage or its body, and removes what its `$match` excludes. */
function checkAccumulators(body: TreeNode, bodyRole: Role, tokensOf: Map<string, Tokens>, of: Case): void {
  walk(body, bodyRole, (node, role) => {
    if (role.is === 'stages' && node.kind === 'list') {
      nullNumbers(node, of, new Map(tokensOf));
      return false;
    }
    const matched = role.is === 'stage' && node.kind === 'object' ? node.members[0] : undefined;
    if (matched?.value && matched.key.name === '$match') narrow(matched.value, tokensOf, of.text);
    const isComputed = role.is === 'accumulation' || role.is === 'window';
    for (const member of isComputed && node.kind === 'object' ? node.members : []) {
      const input = countsNumbers.has(member.key.name) ? inputOf(member) : null;
      const value = input && scalarOf(of.text, input);
      const tokens =
        value?.kind === 'text' && value.value.startsWith('$')
          ? tokensOf.get(value.value.slice(1))
          : undefined;
      if (input && tokens) warn(member.key.name, input, tokens, of);
    }
    return true;
  });
}
