import { accumulators } from '../catalogue/accumulators.ts';
import { expressionOperators } from '../catalogue/expressions.ts';
import { stages } from '../catalogue/stages.ts';
import type { DatasetField } from '../../datasets/fields.ts';
import { holdsIsoText } from '../dates.ts';
import type { Knowledge } from '../knowledge.ts';
import { isAssetField } from '../scope.ts';
import type { Role } from '../tree/roles.ts';
import { describeType } from './fields.ts';
import { orderedFields, describeField, type Offer } from './names.ts';
import { withStops } from './suggestion.ts';

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

/** The parameters that are useful by what is compared. */
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
