import { channelOf } from '../../channels/channels.ts';
import { plainName } from '../../channels/plain-names.ts';
import type { Knowledge, TextKind } from '../knowledge.ts';
import type { Span } from '../reader.ts';
import { rootRole, type Role } from '../tree/roles.ts';
import { readTree, type ListNode, type Member, type TreeNode } from '../tree/tree.ts';
import { knownFields, describeType, writtenName } from './fields.ts';
import { offerNames, type Offer, orderedFields, describeField } from './names.ts';
import { caretContextAt } from './spot.ts';
import { type Suggestion, withStops } from './suggestion.ts';
import { accumulators } from '../catalogue/accumulators.ts';
import { expressionOperators } from '../catalogue/expressions.ts';
import { stages } from '../catalogue/stages.ts';
import type { DatasetField } from '../../datasets/fields.ts';
import { holdsIsoText } from '../dates.ts';
import { isAssetField } from '../scope.ts';
import { scalarOf } from '../tree/scalars.ts';

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

/** All parameters, after {{ is typed. */
export const allParameters: readonly Offer[] = [wells, ...moments, company, askNumber, askText, askDate];

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
  orderedFields(fields, knowledge).map((field) => {
    const detail = describeType(field);
    return {
      label: `$${field.path}`,
      kind: 'field',
      ...(detail ? { detail } : {}),
      says: describeField(field),
      insert: JSON.stringify(`$${field.path}`),
    };
  });

const isTime = (field: string): boolean => field === 'timestamp' || holdsIsoText(field);

function comparisons(field: string, fieldInfo: DatasetField | undefined): Offer[] {
  if (isTime(field) || fieldInfo?.types.includes('date')) {
    return [
      form('{ $gte: {{now-24h}}| }', 'From a time on.'),
      form('{ $gte: ISODate("|"), $lt: ISODate("|") }', 'Date range; the end is exclusive.'),
    ];
  }
  if (isAssetField(field)) return [form('{ $in: [|] }', 'One of several wells.')];
  if (fieldInfo?.types.includes('string'))
    return [form('{ $in: [|] }', 'One of several values.'), form('/^|/i', 'Text that begins with this.')];
  return [form('{ $gte: |, $lt: | }', 'Value range; the end is exclusive.')];
}

function parametersFor(field: string): readonly Offer[] {
  if (isAssetField(field)) return usefulParameters.asset;
  if (isTime(field)) return usefulParameters.time;
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
    ...(isAssetField(field) ? offerWells(knowledge) : []),
    ...sampleValues,
    ...booleanValues,
    ...(isWhole ? comparisons(field, fieldInfo) : []),
    ...parametersFor(field),
    ...example,
    ...(isWhole ? [value('null')] : []),
  ];
}

/** The values allowed at the caret. */
export function offerValues(
  role: Role,
  fields: readonly DatasetField[],
  knowledge: Knowledge,
): readonly Offer[] {
  const { type } = knowledge;
  const paths = () => offerPaths(fields, knowledge);
  const objects = (fieldInfo: typeof stages): Offer[] =>
    [...fieldInfo.values()].map(({ name, says: description, body }) => ({
      label: name,
      kind: fieldInfo === stages ? 'stage' : 'operator',
      says: description,
      ...withStops(`{ ${name}: ${body} }`),
      continues: true,
    }));
  if (role.is === 'condition') return forField(role.field, true, fields, knowledge);
  if (role.is === 'value') return forField(role.field, false, fields, knowledge);
  // `$unwind` accepts a path instead of its options.
  if (role.is === 'options') return Object.hasOwn(role.names, 'path') ? paths() : [];
  if (role.is === 'values')
    return [form('[|]', 'A list of values.'), ...(isAssetField(role.field) ? usefulParameters.asset : [])];
  const offers: Partial<Record<Role['is'], () => readonly Offer[]>> = {
    query: () => [
      form('{ | }', 'Conditions.'),
      form(
        `{ ${type === 'timeseries' ? '"metadata.asset_id"' : 'asset_id'}: {{wells}}| }`,
        'Records of the selected wells.',
      ),
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
  const names = [renamed[path] ?? '', plainName(path)];
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
