import { type Knowledge, type TextKind, knownFields } from '../knowledge.ts';
import { rootRole, walk, type Role } from '../tree/roles.ts';
import {
  readTree,
  type TreeNode,
  type Key,
  type Member,
  type ObjectNode,
  type ListNode,
} from '../tree/tree.ts';
import type { Span } from '../reader.ts';
import {
  nullNumbers,
  nullNumbersOfGroup,
  assetIds,
  scope,
  isScoped,
  forgottenDollars,
  equalities,
} from './rules.ts';
import {
  makeNotes,
  replaceBy,
  type Case,
  type Finding,
  type QuickFix,
  type Rule,
  renameFix,
  nameInPlace,
  sourceOf,
  syntaxProblems,
} from './notes.ts';
import { nearestWord } from '../nearest.ts';
import {
  accumulators,
  windowOperators,
  type CatalogueEntry,
  knownExpressions,
  conditionOperators,
  queryOperators,
  combiningStages,
  reshapingStages,
  stages as knownStages,
  writingStages,
} from '../catalogue.ts';
import { scalarOf, type Scalar } from '../calls.ts';
import { indexFieldOf, scopeFieldOf } from '../../datasets/datasets.ts';
import { nameOf } from '../scope.ts';
import { exampleDate, holdsIsoText, isTimeLike, millisecondsOf, timeLike } from '../literals.ts';
import { canBeText, parseParameter } from '../parameters.ts';
import { hasDatesAsText } from '../../datasets/fields.ts';

// Seconds from 1973 to 5138; as milliseconds these lie within the first weeks to years of 1970.
const minSeconds = 100_000_000;
const maxSeconds = 99_999_999_999;

const isSeconds = (amount: number): boolean =>
  Number.isInteger(amount) && amount >= minSeconds && amount <= maxSeconds;

const isoOf = (ms: number): string => new Date(ms).toISOString().replace(/\.000Z$/, 'Z');

function timestampIsText(node: TreeNode, value: string, of: Case): void {
  const digits = /^\d{9,16}$/.test(value.trim()) ? Number(value.trim()) : undefined;
  const ms = digits === undefined ? millisecondsOf(value) : isSeconds(digits) ? digits * 1000 : digits;
  const better =
    digits === undefined ? (ms === undefined ? undefined : `ISODate("${isoOf(ms)}")`) : String(ms);
  of.note(node, {
    severity: 'warning',
    code: 'time_text',
    message: `timestamp is a number of milliseconds, so text never matches. Use ${better ?? 'ISODate("2024-01-31T06:00:00Z"), a number, or {{now-24h}}'}.`,
    fix: better === undefined ? undefined : replaceBy(node, better),
  });
}

function timestampIsSeconds(node: TreeNode, amount: number, of: Case): void {
  const ms = amount * 1000;
  of.note(node, {
    severity: 'warning',
    code: 'time_seconds',
    message: `${amount} looks like seconds (${isoOf(ms)}); timestamp is in milliseconds, where it is ${isoOf(amount)}. Use ${ms}.`,
    fix: replaceBy(node, String(ms)),
  });
}

/** Unix milliseconds that a value probably means; undefined: it is no time. */
function msOf(value: Scalar | null): number | undefined {
  if (value?.kind === 'text') return millisecondsOf(value.value);
  if (value?.kind === 'date') return value.ms;
  const amount = Number(value?.value);
  const ms = isSeconds(amount) ? amount * 1000 : amount;
  return Number.isSafeInteger(ms) && Math.abs(ms) <= 8.64e15 && Math.abs(ms) >= minSeconds ? ms : undefined;
}

/** Warns of what never matches dates as text. In `datetime`, `ISODate` and parameters become text. */
function checkDate(node: TreeNode, field: string, value: Scalar | null, of: Case): void {
  if (value ? value.kind === 'word' : node.kind !== 'parameter') return;
  if (node.kind === 'parameter' && canBeText(parseParameter(sourceOf(of, node).slice(2, -2)))) return;
  const path = plain(field);
  const datasetField = of.knowledge.fields.find((candidate) => candidate.path === path);
  const isConverted = holdsIsoText(field);
  if (isConverted ? !value || value.kind === 'date' : !hasDatesAsText(datasetField)) return;
  const sample = exampleDate(datasetField);
  if (value?.kind === 'text' && (datasetField?.types.includes('string') || isTimeLike(sample, value.value)))
    return;
  const ms = msOf(value);
  const time = ms === undefined ? null : isConverted ? isoOf(ms) : timeLike(sample, ms);
  const better = time === null ? null : isConverted ? `ISODate("${time}")` : `"${time}"`;
  of.note(node, {
    severity: 'warning',
    code: 'date_text',
    message: `${field} contains dates as text, so only text in the same form can be compared with them. Use ${better ?? `text such as "${sample}"`}.`,
    fix: better === null ? undefined : replaceBy(node, better),
  });
}

/** A time is compared with what it is stored as: Unix milliseconds, or text (section 2.1). */
const times: Rule = (node, role, of) => {
  if (role.is !== 'condition' && role.is !== 'value') return;
  const { field } = role;
  const value = scalarOf(of.text, node);
  if (field === 'timestamp') {
    if (value?.kind === 'text') timestampIsText(node, value.value, of);
    if (value?.kind === 'number' && isSeconds(Number(value.value)))
      timestampIsSeconds(node, Number(value.value), of);
  } else checkDate(node, field, value, of);
};

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
const sortDirections: Rule = (node, role, of) => {
  if (role.is !== 'sort' || node.kind !== 'object') return;
  for (const { key, value } of node.members) {
    const direction = value && scalarOf(of.text, value);
    if (!value || (direction?.kind === 'number' && (direction.value === 1 || direction.value === -1)))
      continue;
    // A pipeline can also sort by a text score.
    if (value.kind === 'object' && value.members.some((member) => member.key.name === '$meta')) continue;
    const guess = readDirection(of.text, value);
    const message = `The direction of “${key.name}” must be 1 or -1. Use 1 for ascending, -1 for descending.`;
    const fix = guess === undefined ? undefined : replaceBy(value, String(guess));
    of.note(value, error('sort_direction', message, fix));
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
function sortByIndex(node: TreeNode, queries: readonly TreeNode[] | undefined, of: Case): void {
  const { indexes, type } = of.knowledge;
  const sort = node.kind === 'object' ? sortFields(of.text, node) : null;
  if (!sort || sort.length === 0 || indexes.length === 0) return;
  const fixedFields = queries ? new Set(queries.flatMap((query) => [...equalities(query)])) : null;
  const served = (requestedFields: readonly SortField[]) =>
    indexes.some(({ fields }) => serves(fields, withoutId(requestedFields), fixedFields));
  if (served(sort)) return;
  const path = indexFieldOf(type);
  const instead = path === null ? null : { path, direction: sort[0]?.direction === 1 ? 1 : -1 };
  const lacking = missingEqualities(withoutId(sort), indexes, fixedFields);
  // The query's own finding asks for the wells already.
  if (queries && lacking?.length === 1 && lacking[0] === scopeFieldOf(type) && !isScoped(queries, type))
    return;
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

const error = (code: string, message: string, fix?: QuickFix) =>
  ({ severity: 'error', code, message, fix }) as const;

function unknownStage({ key }: Member, of: Case): void {
  of.note(key, () => {
    const withDollar = key.name.startsWith('$') ? key.name : `$${key.name}`;
    const suggestion = knownStages.has(withDollar) ? withDollar : nearestWord(withDollar, knownStages.keys());
    return error(
      'stage_unknown',
      `${key.name} isn’t a stage. ${suggestion ? `Did you mean ${suggestion}?` : 'Use one such as $match, $sort, or $group.'}`,
      renameFix(of, key, suggestion),
    );
  });
}

function oneKey(stage: ObjectNode, of: Case): void {
  of.note(stage, () => {
    const parts = stage.members.map((member) => sourceOf(of, member));
    // Only a stage in a list can be followed by another one.
    const inList = /[[,]/.test(of.text.charAt(endBefore(of.text, stage.start) - 1));
    const stages = parts.map((part) => `{ ${part} }`).join(', ');
    return error(
      'stage_keys',
      parts.length === 0
        ? 'This stage is empty. Add one operator, such as { $match: { } }, or remove it.'
        : `A stage must have one operator, but this has ${parts.length}. Split it into separate stages.`,
      inList && parts.length > 1 ? replaceBy(stage, stages, 'Split into separate stages') : undefined,
    );
  });
}

/** Requires a whole number of at least `min`. */
function wholeNumber({ key, value }: Member, min: number, of: Case): void {
  if (!value || value.kind === 'parameter') return;
  const number = scalarOf(of.text, value);
  const amount = number?.kind === 'number' ? Number(number.value) : NaN;
  if (Number.isInteger(amount) && amount >= min) return;
  const guess = Number.isFinite(amount) ? Math.max(min, Math.round(amount)) : undefined;
  of.note(
    value,
    error(
      key.name === '$limit' ? 'stage_limit' : 'stage_skip',
      `${key.name} must be a whole number of ${min} or more. Use one such as ${min === 0 ? 0 : 100}.`,
      guess === undefined ? undefined : replaceBy(value, String(guess)),
    ),
  );
}

/** Checks one stage: one known operator, which doesn't write (specification, section 4.1). */
const stageForm: Rule = (node, role, of) => {
  if (role.is !== 'stage') return;
  if (node.kind !== 'object') {
    of.note(node, error('stage_form', 'A stage must be an object, such as { $match: { } }.'));
    return;
  }
  const writes = node.members.find(({ key }) => writingStages.has(key.name));
  if (writes) {
    const message = `${writes.key.name} writes data, which queries aren’t allowed to do. Remove it, and export the results instead.`;
    of.note(node, () => error('stage_writes', message, removed(node, of)));
    return;
  }
  const [onlyMember] = node.members;
  if (!onlyMember || node.members.length > 1) return oneKey(node, of);
  if (!knownStages.has(onlyMember.key.name)) return unknownStage(onlyMember, of);
  if (onlyMember.key.name === '$limit') wholeNumber(onlyMember, 1, of);
  if (onlyMember.key.name === '$skip') wholeNumber(onlyMember, 0, of);
};

/** The end of what precedes an offset, without the spaces between. */
const endBefore = (text: string, offset: number): number => text.slice(0, offset).trimEnd().length;

/** Removes a stage with the comma after it, or before it if it is the last. */
function removed({ start, end }: Span, { text }: Case): QuickFix | undefined {
  const commaAfter = /^\s*,/.exec(text.slice(end));
  const before = endBefore(text, start) - 1;
  if (!commaAfter && text[before] !== ',') return undefined;
  const span = commaAfter ? { start, end: end + commaAfter[0].length } : { start: before, end };
  return { title: 'Remove this stage', edits: [{ ...span, text: '' }] };
}

/** A pipeline, nested or not, has at least one stage. */
const stagesForm: Rule = (node, role, of) => {
  if (role.is !== 'stages' || node.kind === 'list') return;
  const fix =
    node.kind === 'object' ? replaceBy(node, `[${sourceOf(of, node)}]`, 'Put it between [ and ]') : undefined;
  of.note(node, error('stages_form', 'A pipeline must be a list of stages. Put it between [ and ].', fix));
};

const emptyPipeline = (span: Span, replaced: Span, of: Case): void =>
  of.note(
    span,
    error(
      'stages_empty',
      'A pipeline needs at least one stage. Begin with $match.',
      replaceBy(replaced, '[{ $match: {} }]', 'Begin with $match'),
    ),
  );

/** Checks a whole pipeline: it has stages, is narrowed to wells, and sorts by an index. */
function wholePipeline(list: ListNode, of: Case): void {
  if (list.items.length === 0) return emptyPipeline(list, list, of);
  const leading = stagesBefore(list, reshapingStages);
  const matches = leading.filter(({ key }) => key.name === '$match').flatMap(({ value }) => value ?? []);
  // $documents provides its own records.
  if (leading.length > 0) scope(matches, { list, first: matches[0] ?? null }, of);
  limitBeforeGroup(list, of);
  const queries: TreeNode[] = [];
  for (const { key, value } of leading) {
    if (key.name === '$match' && value) queries.push(value);
    else if (key.name === '$sort' && value) return sortByIndex(value, queries, of);
    else if (key.name !== '$limit' && key.name !== '$skip') return;
  }
}

/** Warns of a limit before the first stage that combines records: it doesn't combine all that match. */
function limitBeforeGroup({ items }: ListNode, of: Case): void {
  const stageNames = items.map((stage) => (stage.kind === 'object' ? stage.members[0]?.key.name : undefined));
  const combining = stageNames.findIndex((name) => name !== undefined && combiningStages.has(name));
  const at = stageNames.findIndex((name, index) => name === '$limit' && index < combining);
  const stage = items[at];
  if (!stage) return;
  of.note(stage, () => ({
    severity: 'warning',
    code: 'limit_before_group',
    message: `This limit comes before ${stageNames[combining] ?? ''}, so only the first records are combined, not all that match. Remove it, or put it after that stage.`,
    fix: removed(stage, of),
  }));
}

/** The only members of the stages before the first of these. */
function stagesBefore({ items }: ListNode, ends: ReadonlySet<string>): Member[] {
  const before: Member[] = [];
  for (const stage of items) {
    const onlyMember = stage.kind === 'object' ? stage.members[0] : undefined;
    if (!onlyMember || (ends.has(onlyMember.key.name) && before.length > 0)) break;
    before.push(onlyMember);
    if (ends.has(onlyMember.key.name)) break;
  }
  return before.some(({ key }) => key.name === '$documents') ? [] : before;
}

/** Number of members whose names aren't suggested again. */
const maxSiblings = 1000;

type Catalogue = ReadonlyMap<string, CatalogueEntry>;

const names = (catalogue: Catalogue): string[] => [...catalogue.keys()];

function unknown(
  of: Case,
  { key }: Member,
  { members }: ObjectNode,
  [what, code]: readonly [what: string, code: string],
  knownNames: readonly string[],
): void {
  of.note(key, () => {
    const siblingNames = new Set(members.slice(0, maxSiblings).map((member) => member.key.name));
    const suggestion = nearestWord(
      key.name,
      knownNames.filter((name) => !siblingNames.has(name)),
    );
    return {
      severity: 'warning',
      code,
      message: `${key.name} is not ${what} that Wellbench knows, so the service will likely reject it. ${suggestion ? `Did you mean ${suggestion}?` : 'Check its name.'}`,
      fix: renameFix(of, key, suggestion),
    };
  });
}

/** Refuses `$where`, and warns of unknown operators. @param usual those to suggest */
function checkOperators(node: ObjectNode, of: Case, usual: Catalogue, others?: Catalogue): void {
  for (const member of node.members) {
    const { name } = member.key;
    if (name === '$where')
      of.note(
        member.key,
        error('where', '$where isn’t supported. Use operators such as $gt, or $expr to compare two fields.'),
      );
    else if (name.startsWith('$') && !usual.has(name) && !others?.has(name))
      unknown(of, member, node, ['an operator', 'operator_unknown'], names(usual));
  }
}

function inCondition(node: ObjectNode, of: Case): void {
  if (forgottenDollars(node)) {
    of.note(node, {
      severity: 'warning',
      code: 'operator_dollar',
      message: `Without $, this matches an object value. Use $${node.members[0]?.key.name ?? ''} for the operator.`,
      fix: {
        title: 'Put $ before the operators',
        edits: node.members.map(({ key }) => ({
          start: key.start,
          end: key.end,
          text: nameInPlace(of, key, `$${key.name}`),
        })),
      },
    });
  }
  checkOperators(node, of, conditionOperators, queryOperators);
}

function inExpression(node: ObjectNode, of: Case): void {
  const [member] = node.members;
  if (!member?.key.name.startsWith('$') || knownExpressions.has(member.key.name)) return;
  unknown(of, member, node, ['an operator', 'expression_unknown'], [...knownExpressions]);
}

function inAccumulation(node: ObjectNode, of: Case): void {
  if (!node.members.some(({ key }) => key.name.startsWith('$'))) return accumulatorMissing(node, of);
  for (const member of node.members)
    if (!accumulators.has(member.key.name))
      unknown(of, member, node, ['an accumulator', 'accumulator_unknown'], names(accumulators));
}

function accumulatorMissing(node: TreeNode, of: Case): void {
  const source = sourceOf(of, node);
  const isPath = /^["']\$/.test(source);
  of.note(node, {
    severity: 'warning',
    code: 'accumulator_missing',
    message: 'A group has many values here. Use an accumulator, such as { $avg: "$data.rop" }.',
    fix: isPath ? replaceBy(node, `{ $first: ${source} }`) : undefined,
  });
}

function inWindow(node: ObjectNode, of: Case): void {
  const knownNames = [...names(accumulators), ...names(windowOperators)];
  for (const member of node.members)
    if (member.key.name !== 'window' && !knownNames.includes(member.key.name))
      unknown(of, member, node, ['an operator', 'accumulator_unknown'], knownNames);
}

const objects: Partial<Record<Role['is'], (node: ObjectNode, of: Case) => void>> = {
  query: (node, of) => checkOperators(node, of, queryOperators),
  condition: inCondition,
  element: inCondition,
  expression: inExpression,
  projection: inExpression,
  accumulation: inAccumulation,
  window: inWindow,
};

/**
 * Checks that operators, accumulators, and expressions are known, and refuses `$where` (specification,
 * section 4.1).
 */
const operators: Rule = (node, role, of) => {
  if (node.kind === 'object') objects[role.is]?.(node, of);
  else if (role.is === 'accumulation') accumulatorMissing(node, of);
};

/** The names of fields in a query or a sort: those at its top, and in the queries that `$and`, `$or` and `$nor` join. */
function* keysOf(node: TreeNode): Generator<Key> {
  if (node.kind === 'list') for (const item of node.items) yield* keysOf(item);
  if (node.kind !== 'object') return;
  for (const { key, value } of node.members) {
    if (!key.name.startsWith('$')) yield key;
    else if (/^\$(?:and|or|nor)$/.test(key.name) && value?.kind === 'list') yield* keysOf(value);
  }
}

/** Items of a list may be named by their numbers: `list.0.name` is `list.name`. */
const plain = (path: string): string => path.replaceAll(/\.\d+(?=\.|$)/g, '');

/** The paths of the objects that contain a field, up to 100 levels: the services' database allows no more. */
function parentsOf(path: string): string[] {
  const parents: string[] = [];
  for (let dot = path.indexOf('.'); dot >= 0 && parents.length < 100; dot = path.indexOf('.', dot + 1))
    parents.push(path.slice(0, dot));
  return parents;
}

/**
 * Warns of names that no field of the dataset has. A sample may lack a field, so parents and children of
 * known fields are accepted, and nothing is reported without a sample.
 */
function unknownFields(root: TreeNode, of: Case): void {
  if (of.knowledge.fields.every(({ from }) => from !== 'sample')) return;
  const paths = knownFields(of.knowledge).map(({ path }) => path);
  const knownPaths = new Set(paths);
  const parents = new Set(paths.flatMap(parentsOf));
  // An object without known members may have any member.
  const isKnown = (name: string): boolean =>
    knownPaths.has(name) ||
    parents.has(name) ||
    parentsOf(name).some((parent) => knownPaths.has(parent) && !parents.has(parent));
  for (const key of keysOf(root)) {
    if (key.name === '' || isKnown(plain(key.name))) continue;
    of.note(key, () => {
      const last = key.name.slice(key.name.lastIndexOf('.') + 1);
      // A field without the prefix of the data is more likely than one of a similar name.
      const suggestion = paths.find((path) => path.endsWith(`.${last}`)) ?? nearestWord(key.name, paths);
      return {
        severity: 'warning',
        code: 'field_unknown',
        message: `This dataset has no known field ${key.name}. ${suggestion === undefined ? 'Check its name.' : `Did you mean ${suggestion}?`}`,
        fix: renameFix(of, key, suggestion),
      };
    });
  }
}

const rules: readonly Rule[] = [sortDirections, stagesForm, stageForm, operators, times, assetIds];

/** What a kind of text must be as a whole; the body of a stage may be anything. */
function wholeForm(root: TreeNode, kind: TextKind, of: Case): boolean {
  if (kind === 'stages' || kind === 'stage' || kind.startsWith('body:') || root.kind === 'object')
    return true;
  of.note(root, error('not_object', 'This must be an object. Put it between { and }.'));
  return false;
}

/** Puts a dotted name before a colon in the quotes that it needs; undefined for anything else. */
function quotesAround(text: string, { start, end }: Span): QuickFix | undefined {
  const name = text.slice(start, end);
  const isName = /^[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}\p{N}_$]+)+$/u.test(name);
  return isName && /^\s*:/.test(text.slice(end, end + 100))
    ? replaceBy({ start, end }, `"${name}"`)
    : undefined;
}

function checkWhole(root: TreeNode | null, kind: TextKind, of: Case): void {
  if (root && (kind === 'query' || kind === 'sort')) unknownFields(root, of);
  if (kind === 'query') scope(root ? [root] : [], { first: root }, of);
  if (kind === 'sort' && root) {
    const query = readTree(of.knowledge.query ?? '').root;
    sortByIndex(root, query ? [query] : undefined, of);
  }
  if (kind === 'group' && root) nullNumbersOfGroup(root, of);
  if (kind !== 'stages') return;
  if (root?.kind === 'list') {
    wholePipeline(root, of);
    nullNumbers(root, of);
  } else if (!root) emptyPipeline({ start: 0, end: of.text.length }, { start: 0, end: 0 }, of);
}

/**
 * The errors and probable mistakes in a text, in order (specification, sections 4.1 and 8). Never throws. A
 * text that can't be parsed has only its syntax errors. Unknown context isn't checked: without indexes no
 * sorts, without wells no platform ids.
 */
export function lintText(text: string, kind: TextKind, knowledge: Knowledge): Finding[] {
  const notes = makeNotes(text);
  const problems = syntaxProblems(text, knowledge.values.wells);
  for (const { message, span } of problems)
    notes.note(span, { severity: 'error', code: 'syntax', message, fix: quotesAround(text, span) });
  if (problems.length > 0) return notes.findings();
  const of: Case = { text, knowledge, note: notes.note };
  const { root } = readTree(text);
  if (root && !wholeForm(root, kind, of)) return notes.findings();
  if (root) walk(root, rootRole(kind), (node, role) => rules.forEach((rule) => rule(node, role, of)));
  checkWhole(root, kind, of);
  return notes.findings();
}
