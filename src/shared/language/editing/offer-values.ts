import { accumulators } from '../catalogue/accumulators.ts';
import { expressionOperators } from '../catalogue/expressions.ts';
import { stages } from '../catalogue/stages.ts';
import type { DatasetField } from '../../datasets/fields.ts';
import type { Knowledge } from '../knowledge.ts';
import type { Role } from '../tree/roles.ts';
import { describeType } from './fields.ts';
import { orderedFields, describeField, type Offer } from './names.ts';
import { offerParameters } from './offer-parameters.ts';
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

const isAsset = (field: string): boolean => field === 'asset_id' || field === 'metadata.asset_id';

/** The wells by their names; what is put in is the asset id, which is what records carry. */
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

/** A path as an expression writes it. */
export const offerPaths = (fields: readonly DatasetField[], knowledge: Knowledge): Offer[] =>
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

function comparisons(field: string, fieldInfo: DatasetField | undefined): Offer[] {
  if (field === 'timestamp' || fieldInfo?.types.includes('date') || /(?:^|\.)datetime$/.test(field)) {
    return [
      form('{ $gte: {{now-24h}}| }', 'From a time on.'),
      form('{ $gte: ISODate("|"), $lt: ISODate("|") }', 'Date range; the end is exclusive.'),
    ];
  }
  if (isAsset(field)) return [form('{ $in: [|] }', 'One of several wells.')];
  if (fieldInfo?.types.includes('string'))
    return [form('{ $in: [|] }', 'One of several values.'), form('/^|/i', 'Text that begins with this.')];
  return [form('{ $gte: |, $lt: | }', 'Value range; the end is exclusive.')];
}

/** The values for a field: literals, and comparisons where allowed. */
function forField(
  field: string,
  isWhole: boolean,
  fields: readonly DatasetField[],
  knowledge: Knowledge,
): Offer[] {
  const fieldInfo = fields.find(({ path }) => path === field);
  const isTime = field === 'timestamp' || /(?:^|\.)datetime$/.test(field);
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
    ...(isAsset(field) ? offerWells(knowledge) : []),
    ...sampleValues,
    ...booleanValues,
    ...(isWhole ? comparisons(field, fieldInfo) : []),
    ...offerParameters({ isAsset: isAsset(field), isTime, isCompany: /(?:^|\.)company_id$/.test(field) }),
    ...example,
    ...(isWhole ? [value('null')] : []),
  ];
}

/** The values allowed at the caret. */
export function offerValues(role: Role, fields: readonly DatasetField[], knowledge: Knowledge): Offer[] {
  const { type } = knowledge;
  const paths = () => offerPaths(fields, knowledge);
  const objects = (fieldInfo: typeof stages): Offer[] =>
    [...fieldInfo.values()].map(({ name, says: description, body }) => ({
      label: name,
      kind: fieldInfo === stages ? 'stage' : 'operator',
      says: description,
      ...withStops(`{ ${name}: ${body} }`),
      goesOn: true,
    }));
  if (role.is === 'condition') return forField(role.field, true, fields, knowledge);
  if (role.is === 'value') return forField(role.field, false, fields, knowledge);
  // `$unwind` accepts a path instead of its options.
  if (role.is === 'options') return Object.hasOwn(role.names, 'path') ? paths() : [];
  if (role.is === 'values')
    return [
      form('[|]', 'A list of values.'),
      ...(isAsset(role.field) ? offerParameters({ isAsset: true }) : []),
    ];
  const offers: Partial<Record<Role['is'], () => Offer[]>> = {
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
    any: () => offerParameters({}),
  };
  return offers[role.is]?.() ?? [];
}
