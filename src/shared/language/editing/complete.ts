import { valueUnder } from '../../json.ts';
import type { Span } from '../reader.ts';
import { elementRole, memberRole, type Role, rootRole } from '../tree/roles.ts';
import {
  type ListNode,
  type Member,
  type ObjectNode,
  type Tree,
  type TreeNode,
  readTree,
} from '../tree/tree.ts';
import {
  accumulators,
  windowOperators,
  type CatalogueEntry,
  expressionOperators,
  conditionOperators,
  queryOperators,
  stages,
} from '../catalogue.ts';
import { hasDatesAsText, type DatasetField } from '../../datasets/fields.ts';
import {
  type Knowledge,
  rankOf,
  describeType,
  type TextKind,
  knownFields,
  writtenName,
} from '../knowledge.ts';
import { isAssetPath, scopeFieldOf } from '../../datasets/datasets.ts';
import { nameOf } from '../scope.ts';
import { channelOf } from '../../channels/channels.ts';
import { plainName } from '../../channels/plain-names.ts';
import { holdsIsoText } from '../literals.ts';
import { scalarOf } from '../calls.ts';

export interface Suggestion {
  readonly label: string;
  readonly kind: 'field' | 'operator' | 'stage' | 'parameter' | 'value' | 'well';
  /** Shown beside the label: type and unit. */
  readonly detail?: string;
  /** Shown below the list for the selected suggestion. */
  readonly says?: string;
  readonly replace: Span;
  readonly insert: string;
  /** The caret positions in `insert`, in the order of Tab; default: its end. */
  readonly stops?: readonly number[];
  /** What the typed piece is compared with, where that is not the label. */
  readonly matches?: string;
  /** Whether further suggestions are shown at once. */
  readonly continues?: boolean;
}

/** Converts a text with `|` at each caret position. */
export function withStops(marked: string): Pick<Suggestion, 'insert' | 'stops'> {
  const pieces = marked.split('|');
  const insert = pieces.join('');
  if (pieces.length === 1) return { insert };
  return { insert, stops: pieces.slice(1).map((_, at) => pieces.slice(0, at + 1).join('').length) };
}

/** The context of the caret in a query: what is allowed there, and the text that a suggestion replaces. */
interface CaretContext {
  /** `name`: of an object with `role`; `value`: one with `role`. */
  readonly at: 'name' | 'value';
  readonly role: Role;
  /** The partially typed text; empty if none. */
  readonly replace: Span;
  /** The other names of the object. */
  readonly beside: ReadonlySet<string>;
  readonly hasColon: boolean;
  /** The pipeline around it, and which of its stages this is in. */
  readonly pipeline: { readonly list: ListNode; readonly stage: number } | null;
}

const none: ReadonlySet<string> = new Set();

/** Finds the caret's context at an offset; null where there is none, as in a comment. */
function caretContextAt(tree: Tree, root: Role, offset: number): CaretContext | null {
  if (tree.comments.some(({ start, end }) => start < offset && offset <= end)) return null;
  return new CaretFinder(tree.text, offset).value(tree.root, root);
}

class CaretFinder {
  private readonly text: string;
  private readonly offset: number;
  private pipeline: CaretContext['pipeline'] = null;

  constructor(text: string, offset: number) {
    this.text = text;
    this.offset = offset;
  }

  private spot(at: CaretContext['at'], role: Role, replace?: Span): CaretContext {
    const empty = { start: this.offset, end: this.offset };
    const { pipeline } = this;
    return { at, role, replace: replace ?? empty, beside: none, hasColon: false, pipeline };
  }

  private touches({ start, end }: Span): boolean {
    return start <= this.offset && this.offset <= end;
  }

  /** Strictly inside brackets, or after unclosed ones. */
  private isInside(node: ObjectNode | ListNode): boolean {
    return node.start < this.offset && (this.offset < node.end || !node.closed);
  }

  private hasComma(from: number): boolean {
    return this.text.slice(from, this.offset).includes(',');
  }

  value(node: TreeNode | null, role: Role): CaretContext | null {
    if (!node) return this.spot('value', role);
    if (node.kind === 'object') return this.isInside(node) ? this.object(node, role) : null;
    if (node.kind === 'list') return this.isInside(node) ? this.list(node, role) : null;
    return this.touches(node) && node.kind !== 'call' ? this.spot('value', role, node) : null;
  }

  private list(node: ListNode, role: Role): CaretContext | null {
    const at = node.items.findIndex((item) => this.touches(item));
    const before = node.items.filter(({ end }) => end <= this.offset).length;
    if (role.is === 'stages') this.pipeline = { list: node, stage: at < 0 ? before : at };
    const inside = elementRole(role);
    const item = node.items[at];
    if (item) {
      const spot = this.value(item, inside);
      if (spot || this.offset < item.end) return spot;
    }
    const last = node.items[before - 1];
    return last && !this.hasComma(last.end) ? null : this.spot('value', inside);
  }

  private object(node: ObjectNode, role: Role): CaretContext | null {
    const member = node.members.findLast(({ start }) => start <= this.offset);
    const siblingNames = new Set(
      node.members.filter((sibling) => sibling !== member).map(({ key }) => key.name),
    );
    if (!member) return { ...this.spot('name', role), beside: siblingNames };
    if (this.touches(member.key)) {
      return {
        ...this.spot('name', role, member.key),
        beside: siblingNames,
        hasColon: member.colon !== null,
      };
    }
    return this.behindName(member, role, new Set([...siblingNames, member.key.name]));
  }

  private behindName(
    { key, colon, value }: Member,
    role: Role,
    names: ReadonlySet<string>,
  ): CaretContext | null {
    const inside = memberRole(role, key.name);
    const nextName = (): CaretContext => ({ ...this.spot('name', role), beside: names });
    if (colon === null) return this.hasComma(key.end) ? nextName() : null;
    if (this.offset <= colon) return null;
    if (!value) return this.hasComma(colon) ? nextName() : this.spot('value', inside);
    if (this.offset < value.start) return this.spot('value', inside);
    const spot = this.value(value, inside);
    if (spot || this.offset < value.end) return spot;
    return this.hasComma(value.end) ? nextName() : null;
  }
}

/** The operators that the names of an object can be, by its role. */
export const operatorsOf: Partial<Record<Role['is'], readonly ReadonlyMap<string, CatalogueEntry>[]>> = {
  query: [queryOperators],
  condition: [conditionOperators],
  element: [conditionOperators, queryOperators],
  projection: [expressionOperators],
  accumulation: [accumulators],
  window: [accumulators, windowOperators],
  expression: [expressionOperators],
  stage: [stages],
};

/** A suggestion before it is placed. */
type Offer = Omit<Suggestion, 'replace'>;

/** What is shown of a field. */
function shownField(field: DatasetField) {
  const detail = describeType(field);
  return { kind: 'field', ...(detail ? { detail } : {}), says: describeField(field) } as const;
}

/** A field and, where it is alone, its usual suffix. */
function fieldName(field: DatasetField, { hasColon }: CaretContext, suffix: string): Offer {
  const name = nameOf(field.path);
  return {
    label: field.path,
    ...shownField(field),
    ...withStops(hasColon ? name : `${name}: ${suffix}`),
    continues: !hasColon,
  };
}

/** The description of a field, in one or two lines. */
export function describeField({ description, example, values }: DatasetField): string {
  const parts = [
    description?.replace(/\.$/, ''),
    example === undefined ? undefined : `For example ${example}`,
    values && values.length > 0 ? `Seen: ${values.slice(0, 8).join(', ')}` : undefined,
  ];
  return parts.flatMap((part) => (part ? [`${part}.`] : [])).join(' ');
}

/** The words of a catalogue, each with the text to insert, in which `|` marks the caret. */
const entries = (
  catalogue: ReadonlyMap<string, CatalogueEntry>,
  textOf: (entry: CatalogueEntry) => string,
  continues = true,
): Offer[] =>
  [...catalogue.values()].map((entry) => ({
    label: entry.name,
    kind: catalogue === stages ? 'stage' : 'operator',
    says: entry.says,
    ...withStops(textOf(entry)),
    continues,
  }));

function orderedFields(fields: readonly DatasetField[], { type }: Knowledge): DatasetField[] {
  return fields.toSorted((a, b) => rankOf(a.path, type) - rankOf(b.path, type));
}

function offerNames(spot: CaretContext, fields: readonly DatasetField[], knowledge: Knowledge): Offer[] {
  const { role } = spot;
  const paths = (suffix: string) =>
    orderedFields(fields, knowledge).map((field) => fieldName(field, spot, suffix));
  const option = (name: string): Offer => ({
    label: name,
    kind: 'operator',
    insert: spot.hasColon ? name : `${name}: `,
    continues: !spot.hasColon,
  });
  const namesOf: Partial<Record<Role['is'], () => Offer[]>> = {
    query: () => paths('|'),
    sort: () => paths('-1|'),
    projection: () => paths('1|'),
    group: () => [option('_id')],
    window: () => [option('window')],
  };
  const names = role.is === 'options' ? Object.keys(role.names).map(option) : (namesOf[role.is]?.() ?? []);
  const operators = (operatorsOf[role.is] ?? []).flatMap((catalogue) =>
    entries(catalogue, ({ name, body }) => (spot.hasColon ? name : `${name}: ${body}`), !spot.hasColon),
  );
  return [...names, ...operators].filter(({ label }) => !spot.beside.has(label));
}

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
function fieldsAtStage(
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

const value = (label: string, detail?: string): Offer => ({
  label,
  kind: 'value',
  insert: label,
  ...(detail === undefined ? {} : { detail }),
});

const form = (marked: string, description: string): Offer => ({
  label: marked.replaceAll('|', '').replaceAll(/\s+/g, ' '),
  kind: 'operator',
  says: description,
  ...withStops(marked),
  continues: marked.includes('|'),
});

const parameter = (written: string, description: string): Offer => ({
  label: `{{${written}}}`,
  kind: 'parameter',
  says: description,
  insert: `{{${written}}}`,
});

const wells = parameter('wells', 'Asset IDs of the selected wells.');
const company = parameter('company', 'Company ID.');
const moments: readonly Offer[] = [
  parameter('now-24h', '24 hours ago. Units: s, m, h, d, w, mo, y.'),
  parameter('now-1h', 'An hour ago.'),
  parameter('now-7d', 'One calendar week ago.'),
  parameter('now', 'Time when the query runs.'),
  parameter('today', 'Start of today in your time zone.'),
  parameter('today@America/Chicago', 'Start of today in a time zone.'),
  parameter('today-1d', 'Start of yesterday.'),
];
const askNumber = parameter('ask:name:number', 'A number that you enter before the query runs.');
const askText = parameter('ask:name:text', 'A text that you enter before the query runs.');
const askDate = parameter('ask:name:date', 'A date that you enter before the query runs.');

const usefulParameters = {
  asset: [wells, askNumber],
  time: [...moments, askDate],
  company: [company, askNumber],
  other: [askNumber, askText, askDate],
};

const allParameters: readonly Offer[] = [wells, ...moments, company, askNumber, askText, askDate];

/** The wells by their names, which insert the asset ids that records have. */
const offerWells = ({ wells }: Knowledge): Offer[] =>
  wells.flatMap(({ name, assetId }) =>
    assetId === null
      ? []
      : [
          {
            label: name,
            kind: 'well',
            detail: String(assetId),
            insert: String(assetId),
            says: 'Asset ID of this well.',
          },
        ],
  );

/** Paths as expressions write them. */
const offerPaths = (fields: readonly DatasetField[], knowledge: Knowledge): Offer[] =>
  orderedFields(fields, knowledge).map((field) => ({
    label: `$${field.path}`,
    ...shownField(field),
    insert: JSON.stringify(`$${field.path}`),
  }));

const isTime = (field: string): boolean => field === 'timestamp' || holdsIsoText(field);

function comparisons(field: string, fieldInfo: DatasetField | undefined): Offer[] {
  if (isTime(field)) {
    return [
      form('{ $gte: {{now-24h}}| }', 'From a time on.'),
      form('{ $gte: ISODate("|"), $lt: ISODate("|") }', 'Date range; the end is exclusive.'),
    ];
  }
  if (hasDatesAsText(fieldInfo))
    return [form('{ $gte: "|", $lt: "|" }', 'Date range; the end is exclusive.')];
  if (isAssetPath(field)) return [form('{ $in: [|] }', 'One of several wells.')];
  if (fieldInfo?.types.includes('string'))
    return [form('{ $in: [|] }', 'One of several values.'), form('/^|/i', 'Text that begins with this.')];
  return [form('{ $gte: |, $lt: | }', 'Value range; the end is exclusive.')];
}

function parametersFor(field: string, fieldInfo: DatasetField | undefined): readonly Offer[] {
  if (isAssetPath(field)) return usefulParameters.asset;
  if (isTime(field)) return usefulParameters.time;
  if (hasDatesAsText(fieldInfo)) return [askText];
  return usefulParameters[/(?:^|\.)company_id$/.test(field) ? 'company' : 'other'];
}

/** The values for a field. @param isWhole whether comparisons are allowed, too */
function forField(
  field: string,
  isWhole: boolean,
  fields: readonly DatasetField[],
  knowledge: Knowledge,
): Offer[] {
  const fieldInfo = fields.find(({ path }) => path === field);
  const sampleValues = (fieldInfo?.values ?? []).map((sample) => value(JSON.stringify(sample), 'seen'));
  const booleanValues = fieldInfo?.types.includes('boolean') ? [value('true'), value('false')] : [];
  const example =
    fieldInfo?.example !== undefined &&
    sampleValues.length === 0 &&
    booleanValues.length === 0 &&
    !/^[[{]/.test(fieldInfo.example)
      ? [value(fieldInfo.example, 'example')]
      : [];
  return [
    ...(isAssetPath(field) ? offerWells(knowledge) : []),
    ...sampleValues,
    ...booleanValues,
    ...(isWhole ? comparisons(field, fieldInfo) : []),
    ...parametersFor(field, fieldInfo),
    ...example,
    ...(isWhole ? [value('null')] : []),
  ];
}

function offerValues(role: Role, fields: readonly DatasetField[], knowledge: Knowledge): readonly Offer[] {
  const { type } = knowledge;
  const paths = () => offerPaths(fields, knowledge);
  const objects = (catalogue: typeof stages): Offer[] =>
    entries(catalogue, ({ name, body }) => `{ ${name}: ${body} }`);
  if (role.is === 'condition') return forField(role.field, true, fields, knowledge);
  if (role.is === 'value') return forField(role.field, false, fields, knowledge);
  // `$unwind` accepts a path instead of its options.
  if (role.is === 'options') return Object.hasOwn(role.names, 'path') ? paths() : [];
  if (role.is === 'values')
    return [form('[|]', 'A list of values.'), ...(isAssetPath(role.field) ? usefulParameters.asset : [])];
  const offers: Partial<Record<Role['is'], () => readonly Offer[]>> = {
    query: () => [
      form('{ | }', 'Conditions.'),
      form(`{ ${nameOf(scopeFieldOf(type))}: {{wells}}| }`, 'Records of the selected wells.'),
    ],
    queries: () => [form('[{ | }]', 'A list of queries.')],
    sort: () => [form('{ |: -1 }', 'A field, and -1 for descending.')],
    direction: () => [value('-1', 'descending'), value('1', 'ascending')],
    projection: () => [value('1', 'keep'), value('0', 'drop'), ...paths()],
    group: () => [form('{ _id: | }', 'Group key and accumulators.')],
    accumulation: () => objects(accumulators),
    expression: () => [...paths(), ...objects(expressionOperators)],
    fields: () => [form('{ | }', 'Fields, each with an expression.')],
    path: paths,
    'field-name': () =>
      orderedFields(fields, knowledge).map(({ path }) => ({ ...value(path), insert: JSON.stringify(path) })),
    stages: () => [form('[{ $match: { | } }]', 'A list of stages.')],
    stage: () => objects(stages),
    boolean: () => [value('true'), value('false')],
    any: () => usefulParameters.other,
  };
  return offers[role.is]?.() ?? [];
}

/** The parameter that is being typed at an offset: from its {{ to its }}, where it has one. */
function parameterAt(text: string, offset: number): Span | null {
  const open = /\{\{[^{}\r\n]*$/.exec(text.slice(Math.max(0, offset - 100), offset));
  if (!open) return null;
  const rest = /^[^{}\s,]*\}\}/.exec(text.slice(offset, offset + 100));
  return { start: offset - open[0].length, end: offset + (rest?.[0].length ?? 0) };
}

/** The quotation mark at the start of a span; empty: none. */
const quoteOf = (text: string, { start, end }: Span): string =>
  end > start ? (/^["'`]/.exec(text.slice(start, start + 1))?.[0] ?? '') : '';

/** The names of a field, and the mnemonics of its channel, so that typing one of them finds the field. */
function otherNamesOf({ kind, label }: Offer, { synonyms, renamed = {} }: Knowledge): string {
  const path = label.replaceAll(/^["'`$]+|(?<!["'`])["'`]+$/g, '');
  if (kind !== 'field') return '';
  const names = [valueUnder(renamed, path) ?? '', plainName(path)];
  const channel = path.startsWith('data.') ? channelOf(path, { synonyms })?.channel : undefined;
  if (!channel) return names.join(' ');
  const userNames = [...synonyms].filter(([, name]) => name === channel.name).map(([name]) => name);
  return [...names, ...userNames, ...channel.names].join(' ');
}

function toSuggestion(offer: Offer, replace: Span, quote: string, knowledge: Knowledge): Suggestion {
  const otherNames = otherNamesOf(offer, knowledge);
  if (quote === '' && otherNames === '') return { ...offer, replace };
  // The editor compares text typed in quotes with the label in the same quotes.
  const label = quote === '' ? offer.label : `${quote}${offer.label.replace(/^["'`]/, '')}`;
  return { ...offer, replace, matches: otherNames === '' ? label : `${label} ${otherNames}` };
}

/**
 * The suggestions at an offset, most useful first: fields with type and example, operators, stages,
 * accumulators, and parameters by context, sample values, wells by name for their asset ids. Pure; never
 * throws.
 */
export function complete(text: string, kind: TextKind, offset: number, knowledge: Knowledge): Suggestion[] {
  const tree = readTree(text);
  const spot = caretContextAt(tree, rootRole(kind), offset);
  const parameter = parameterAt(text, offset);
  if (parameter && (!spot || quoteOf(text, spot.replace) === ''))
    return tree.comments.some(({ start, end }) => start < offset && offset <= end)
      ? []
      : allParameters.map((offer) => ({ ...offer, replace: parameter }));
  if (!spot) return [];
  const allFields = knownFields(knowledge);
  const fields = spot.pipeline
    ? fieldsAtStage(text, spot.pipeline.list, spot.pipeline.stage, allFields)
    : allFields;
  const offers =
    spot.at === 'name' ? offerNames(spot, fields, knowledge) : offerValues(spot.role, fields, knowledge);
  const quote = quoteOf(text, spot.replace);
  return offers.map((offer) => toSuggestion(offer, spot.replace, quote, knowledge));
}
