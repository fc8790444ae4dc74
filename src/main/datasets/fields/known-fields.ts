import type { Dataset } from '../../../shared/datasets/datasets.ts';
import { envelopeFields } from '../../../shared/datasets/envelope.ts';
import type { DatasetField } from '../../../shared/datasets/fields.ts';
import { type JsonValue, isObject, type JsonObject } from '../../../shared/json.ts';
import { unitInName } from '../../upload/reading/layout.ts';
import { createObserver, type Observed, simplified } from './observe.ts';

/** So many distinct texts are few; each must occur more than once on average. */
const mostValues = 12;
const longestValue = 80;

interface KnownFields {
  readonly fields: DatasetField[];
  readonly more: boolean;
}

/**
 * All that is known of a dataset's fields, parents before their children: those of its type first, then those of the
 * records, then those that only its definition knows. What records show goes before what was declared.
 */
export function knownFields(
  definition: Pick<Dataset, 'type' | 'schema'>,
  records: readonly JsonValue[],
): KnownFields {
  const said = fieldsInDefinition(definition);
  const inSample = createObserver();
  for (const record of records) inSample.add(record);
  const inDefinition = createObserver();
  inDefinition.add(said.sample);
  const declared = new Map(inDefinition.paths().map((each) => [each.path, each]));
  const fields = new Map<string, DatasetField>();
  for (const field of envelopeFields(definition.type)) fields.set(field.path, field);
  for (const each of inSample.paths()) {
    const from = declared.has(each.path) || said.units.has(each.path) ? 'definition' : 'sample';
    fields.set(each.path, { ...(fields.get(each.path) ?? { path: each.path, from }), ...seen(each) });
  }
  for (const each of declared.values())
    if (!fields.has(each.path))
      fields.set(each.path, { path: each.path, from: 'definition', ...asSaid(each) });
  for (const path of said.units.keys())
    if (!fields.has(path)) fields.set(path, { path, from: 'definition', types: [] });
  const counted = new Map(inSample.paths().map((each) => [each.path, each]));
  return {
    fields: behindParents([...fields.values()]).map((field) => ({
      ...field,
      ...unitOf(field, said.units),
      ...sharesOf(counted.get(field.path), inSample.records),
    })),
    more: inSample.more || inDefinition.more,
  };
}

function seen(each: Observed): Pick<DatasetField, 'types' | 'example' | 'values'> {
  const { texts, types, tokens } = each;
  const values = [...texts].toSorted(([, one], [, other]) => other - one).map(([text]) => text);
  const total = texts.values().reduce((sum, count) => sum + count, 0);
  const few =
    types.has('string') &&
    values.length <= mostValues &&
    (values.length === 1 || values.length * 2 <= total) &&
    values.every((text) => text.length <= longestValue);
  return {
    types: types.size > 0 ? simplified(types) : [tokens.size > 0 ? 'number' : 'null'],
    ...(each.example === undefined ? {} : { example: each.example }),
    ...(few ? { values } : {}),
  };
}

/** A record in a definition is an example; how often something is null can't be learnt from it. */
function asSaid(each: Observed): Pick<DatasetField, 'types' | 'example'> {
  const { types, example } = seen(each);
  return { types: types.filter((type) => type !== 'null'), ...(example === undefined ? {} : { example }) };
}

function unitOf({ path, unit }: DatasetField, units: ReadonlyMap<string, string>): { unit?: string } {
  const found = units.get(path) ?? unit ?? unitInName(path);
  return found === null ? {} : { unit: found };
}

function sharesOf(each: Observed | undefined, records: number): Partial<DatasetField> {
  if (records === 0) return {};
  const { values, nulls, tokens } = each ?? { values: 0, nulls: 0, tokens: new Map<number, number>() };
  const shares = { nulls: nulls / records, absent: (records - values - nulls) / records };
  if (tokens.size === 0) return shares;
  return { ...shares, tokens: [...tokens].map(([value, count]) => ({ value, share: count / records })) };
}

/** Each field behind the one that holds it, otherwise in the order they came. */
function behindParents(fields: readonly DatasetField[]): DatasetField[] {
  const paths = new Set(fields.map(({ path }) => path));
  const parentOf = ({ path }: DatasetField): string | null => {
    for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1))
      if (paths.has(path.slice(0, dot))) return path.slice(0, dot);
    return null;
  };
  const children = Map.groupBy(fields, parentOf);
  const below = (parent: string | null): DatasetField[] =>
    (children.get(parent) ?? []).flatMap((field) => [field, ...below(field.path)]);
  return below(null);
}

interface DefinitionFields {
  /** A record that stands in it as an example. */
  readonly sample: JsonObject | null;
  readonly units: ReadonlyMap<string, string>;
}

const inEnvelope = new Set(['measured_depth', 'timestamp', 'datetime', 'stage_number']);
const deepest = 4;

/**
 * Reads the `schema` of a definition, whose form the specification leaves open: mostly it is empty; some hold a record
 * as an example, some units under `default_units`. It is never taken for a JSON Schema.
 */
function fieldsInDefinition({ schema }: Pick<Dataset, 'schema'>): DefinitionFields {
  const json = schema as JsonObject;
  const units = new Map<string, string>();
  if (isObject(json['default_units'])) collectUnits(json['default_units'], '', 1, units);
  return { sample: sampleIn(json), units };
}

/** Units name a channel as it stands under `data`, or by its whole path. */
function collectUnits(from: JsonObject, prefix: string, depth: number, units: Map<string, string>): void {
  for (const [key, unit] of Object.entries(from)) {
    const path = `${prefix}${key}`;
    if (typeof unit === 'string' && unit !== '') units.set(wholePath(path), unit);
    else if (isObject(unit) && depth < deepest) collectUnits(unit, `${path}.`, depth + 1, units);
  }
}

const wholePath = (path: string): string =>
  inEnvelope.has(path) || /^(data|metadata)\./.test(path) ? path : `data.${path}`;

/** Only what has the payload of a record is a record. */
function sampleIn(schema: JsonObject): JsonObject | null {
  const payload: JsonValue | undefined = schema['data'];
  if (!isObject(payload)) return null;
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== 'default_units'));
}
