import { type Dataset, depthPath } from '../../../../shared/datasets/datasets.ts';
import {
  envelopeFields,
  type DatasetField,
  type FieldType,
  fieldType,
} from '../../../../shared/datasets/fields.ts';
import {
  type JsonValue,
  isObject,
  type JsonObject,
  valueAt,
  stringifyJson,
} from '../../../../shared/json.ts';
import { unitInName } from '../../../../shared/channels/header.ts';
import { channelOf, noSynonyms } from '../../../../shared/channels/channels.ts';
import { isNullNumber } from '../../../../shared/upload/null-tokens.ts';
import type { RememberedUnits } from '../../../../shared/settings/settings.ts';
import { millisecondsOf } from '../../../../shared/language/literals.ts';

/** Limits for records of any depth and width; what exceeds them isn't listed. */
const observeMaxDepth = 8;
const maxPaths = 2000;
const maxElements = 100;
const maxTexts = 200;
const maxTextLength = 200;
const maxExampleElements = 20;

/** Poor examples, such as the zeros of an idle rig. */
const saysLittle = new Set(['0', '""', '[]']);

/** What a number of records have at one path. Counts are of records, however often a record has the path in its arrays. */
interface Observed {
  readonly path: string;
  readonly types: Set<FieldType>;
  /** Records with a value that is not null. */
  values: number;
  /** Records in which it is there and null. */
  nulls: number;
  readonly tokens: Map<number, number>;
  min: number;
  max: number;
  /** Count of each text, up to a maximum number of texts. */
  readonly texts: Map<string, number>;
  example: string | undefined;
}

/** What one record has at a path: `value` wins over `null`. */
type RecordValues = Map<Observed, { value: boolean; tokens: Set<number> }>;

/** Collects the paths of records: of objects by their keys, and of arrays of objects by those of their elements. */
class Observer {
  readonly #all = new Map<string, Observed>();
  records = 0;
  /** Whether paths were skipped because they are too many or too deep. */
  more = false;

  #at(path: string): Observed | null {
    const existing = this.#all.get(path);
    if (existing) return existing;
    if (this.#all.size >= maxPaths) {
      this.more = true;
      return null;
    }
    const created: Observed = {
      path,
      types: new Set(),
      values: 0,
      nulls: 0,
      tokens: new Map(),
      min: Infinity,
      max: -Infinity,
      texts: new Map(),
      example: undefined,
    };
    this.#all.set(path, created);
    return created;
  }

  #observeObject(object: JsonObject, parent: Observed | null, depth: number, values: RecordValues): void {
    if (depth > observeMaxDepth) {
      this.more = true;
      return;
    }
    for (const [key, value] of Object.entries(object)) {
      const observed = this.#at(parent === null ? key : `${parent.path}.${key}`);
      if (observed) this.#observeValue(observed, value, depth, values);
    }
  }

  #observeValue(observed: Observed, value: JsonValue, depth: number, values: RecordValues): void {
    const state = values.get(observed) ?? { value: false, tokens: new Set<number>() };
    values.set(observed, state);
    if (value === null) return;
    state.value = true;
    if (typeof value === 'number' && isNullNumber(value)) {
      state.tokens.add(value);
      return;
    }
    observed.types.add(typeOfValue(value));
    if (typeof value === 'string') countText(observed.texts, value);
    if (typeof value === 'number' && Number.isFinite(value)) {
      observed.min = Math.min(observed.min, value);
      observed.max = Math.max(observed.max, value);
    }
    if (observed.example === undefined || saysLittle.has(observed.example))
      observed.example = exampleOf(value) ?? observed.example;
    if (isObject(value)) this.#observeObject(value, observed, depth + 1, values);
    else if (Array.isArray(value))
      for (const element of value.slice(0, maxElements))
        if (isObject(element)) this.#observeObject(element, observed, depth + 1, values);
  }

  add(record: JsonValue): void {
    if (!isObject(record)) return;
    this.records += 1;
    const values: RecordValues = new Map();
    this.#observeObject(record, null, 1, values);
    for (const [observed, { value, tokens }] of values) {
      if (value) observed.values += 1;
      else observed.nulls += 1;
      for (const token of tokens) observed.tokens.set(token, (observed.tokens.get(token) ?? 0) + 1);
    }
  }

  /** In the order in which they were first seen. */
  paths(): Observed[] {
    return [...this.#all.values()];
  }
}

function countText(texts: Map<string, number>, text: string): void {
  const count = texts.get(text);
  if (count !== undefined || texts.size < maxTexts) texts.set(text, (count ?? 0) + 1);
}

/** A value as JSON text, if it is short: of objects and long lists the parts are shown instead. */
function exampleOf(value: JsonValue): string | undefined {
  if (isObject(value)) return undefined;
  if (typeof value === 'string')
    return JSON.stringify(value.length > maxTextLength ? `${value.slice(0, maxTextLength)}…` : value);
  if (!Array.isArray(value)) return stringifyJson(value);
  const plain = value.length <= maxExampleElements && value.every((part) => typeof part !== 'object');
  const text = plain ? stringifyJson(value) : undefined;
  return text !== undefined && text.length <= maxTextLength ? text : undefined;
}

const finerThanMs = /(\d{2}:\d{2}:\d{2}[.,]\d{3})\d+/;

/** Whether a text is a day or a time in ISO 8601, however fine. */
const isDate = (text: string): boolean =>
  text.length >= 10 && text.length <= 40 && millisecondsOf(text.replace(finerThanMs, '$1')) !== undefined;

function typeOfValue(value: JsonValue): FieldType {
  if (value === null) return 'null';
  if (typeof value === 'string') return isDate(value) ? 'date' : 'string';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'boolean') return 'boolean';
  return Array.isArray(value) ? 'array' : 'object';
}

/** Types in a fixed order; a number among integers makes numbers of them. */
function simplifyTypes(types: Iterable<FieldType>): FieldType[] {
  const distinctTypes = new Set(types);
  if (distinctTypes.has('number')) distinctTypes.delete('integer');
  return fieldType.options.filter((type) => distinctTypes.has(type));
}

/** Texts with at most this many distinct values that occur more than once on average are listed. */
const maxValues = 12;
const maxValueLength = 80;

interface FieldSources {
  readonly fields: DatasetField[];
  readonly more: boolean;
}

/**
 * The fields of a dataset, parents before children: those of its type, then those of the records, then those
 * only in the definition. Observed facts take precedence over declared ones.
 */
export function combineFields(
  definition: Pick<Dataset, 'type' | 'schema'>,
  records: readonly JsonValue[],
  remembered: RememberedUnits = { fromUser: {}, fromUploads: {} },
): FieldSources {
  const inSchema = fieldsInDefinition(definition, remembered);
  const inSample = new Observer();
  for (const record of records) inSample.add(record);
  const inDefinition = new Observer();
  inDefinition.add(inSchema.sample);
  const declared = new Map(inDefinition.paths().map((pathFacts) => [pathFacts.path, pathFacts]));
  const fields = new Map<string, DatasetField>();
  for (const field of envelopeFields(definition.type)) fields.set(field.path, field);
  for (const pathFacts of inSample.paths()) {
    const from = declared.has(pathFacts.path) || inSchema.units.has(pathFacts.path) ? 'definition' : 'sample';
    fields.set(pathFacts.path, {
      ...(fields.get(pathFacts.path) ?? { path: pathFacts.path, from }),
      ...observedFacts(pathFacts),
    });
  }
  for (const pathFacts of declared.values())
    if (!fields.has(pathFacts.path))
      fields.set(pathFacts.path, { path: pathFacts.path, from: 'definition', ...declaredFacts(pathFacts) });
  for (const path of inSchema.units.keys())
    if (!fields.has(path)) fields.set(path, { path, from: 'definition', types: [] });
  const observedByPath = new Map(inSample.paths().map((pathFacts) => [pathFacts.path, pathFacts]));
  return {
    fields: withDepthUnit(
      parentsFirst([...fields.values()]).map((field) => ({
        ...field,
        ...unitOf(field, inSchema.units),
        ...sharesOf(observedByPath.get(field.path), inSample.records),
      })),
      records,
    ),
    more: inSample.more || inDefinition.more,
  };
}

function observedFacts(observed: Observed): Pick<DatasetField, 'types' | 'example' | 'values'> {
  const { texts, types, tokens, example } = observed;
  const values = [...texts].toSorted(([, a], [, b]) => b - a).map(([text]) => text);
  const total = texts.values().reduce((sum, count) => sum + count, 0);
  const few =
    types.has('string') &&
    values.length <= maxValues &&
    (values.length === 1 || values.length * 2 <= total) &&
    values.every((text) => text.length <= maxValueLength);
  return {
    types: types.size > 0 ? simplifyTypes(types) : [tokens.size > 0 ? 'number' : 'null'],
    ...(example === undefined ? {} : { example }),
    ...(few ? { values } : {}),
  };
}

/** A record in a definition is an example: it doesn't show how often a field is null. */
function declaredFacts(declared: Observed): Pick<DatasetField, 'types' | 'example'> {
  const { types, example } = observedFacts(declared);
  return { types: types.filter((type) => type !== 'null'), ...(example === undefined ? {} : { example }) };
}

function unitOf({ path, unit }: DatasetField, units: ReadonlyMap<string, string>): { unit?: string } {
  const fieldUnit = units.get(path) ?? unit ?? unitInName(path);
  return fieldUnit === null ? {} : { unit: fieldUnit };
}

const nothing = { values: 0, nulls: 0, min: Infinity, max: -Infinity };

function sharesOf(observed: Observed | undefined, records: number): Partial<DatasetField> {
  if (records === 0) return {};
  const { values, nulls, tokens, min, max } = observed ?? { ...nothing, tokens: new Map<number, number>() };
  const range = min <= max ? { range: { min, max } } : {};
  const shares = { nulls: nulls / records, absent: (records - values - nulls) / records, ...range };
  if (tokens.size === 0) return shares;
  return { ...shares, tokens: [...tokens].map(([value, count]) => ({ value, share: count / records })) };
}

/** Fields after their parents, otherwise in order. */
function parentsFirst(fields: readonly DatasetField[]): DatasetField[] {
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
  /** A sample record in the definition. */
  readonly sample: JsonObject | null;
  readonly units: ReadonlyMap<string, string>;
}

const inEnvelope = new Set(['measured_depth', 'timestamp', 'datetime', 'stage_number']);
const maxDepth = 4;

/**
 * Reads the `schema` of a definition, whose form the specification doesn't define: usually empty; sometimes a
 * sample record, or units under `default_units`. It is never interpreted as JSON Schema.
 */
function fieldsInDefinition(
  { schema }: Pick<Dataset, 'schema'>,
  { fromUser, fromUploads }: RememberedUnits,
): DefinitionFields {
  const json = schema as JsonObject;
  const units = new Map(Object.entries(fromUploads));
  if (isObject(json['default_units'])) collectUnits(json['default_units'], '', 1, units);
  for (const [path, unit] of Object.entries(fromUser)) units.set(path, unit);
  return { sample: findSample(json), units };
}

/** Units name a channel under `data`, or its full path. */
function collectUnits(from: JsonObject, prefix: string, depth: number, units: Map<string, string>): void {
  for (const [key, unit] of Object.entries(from)) {
    const path = `${prefix}${key}`;
    if (typeof unit === 'string' && unit !== '') units.set(wholePath(path), unit);
    else if (isObject(unit) && depth < maxDepth) collectUnits(unit, `${path}.`, depth + 1, units);
  }
}

const wholePath = (path: string): string =>
  inEnvelope.has(path) || /^(data|metadata)\./.test(path) ? path : `data.${path}`;

/** Only what has the payload of a record is a record. */
function findSample(schema: JsonObject): JsonObject | null {
  const payload: JsonValue | undefined = schema['data'];
  if (!isObject(payload)) return null;
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== 'default_units'));
}

/** Largest relative difference between the depth of a record and a channel that repeats it: a record can be a mean. */
const maxDifference = 0.05;

/** Whether a channel has the depth in each record that has both. Without such a record, nothing contradicts the definition. */
const repeatsDepth = (path: readonly string[], records: readonly JsonValue[]): boolean =>
  records.every((record) => {
    if (!isObject(record)) return true;
    const [depth, value] = [record[depthPath], valueAt(record, path)];
    if (typeof depth !== 'number' || typeof value !== 'number' || isNullNumber(value)) return true;
    return Math.abs(depth - value) <= maxDifference * Math.max(Math.abs(depth), Math.abs(value));
  });

/**
 * The fields, with the unit of the records' depths where only another field shows it: definitions have units of channels,
 * and many datasets repeat the depth among them, such as `data.dep`. Not all of their records do.
 */
function withDepthUnit(fields: DatasetField[], records: readonly JsonValue[]): DatasetField[] {
  const depth = fields.find(({ path }) => path === depthPath);
  if (!depth || depth.unit !== undefined) return fields;
  const copy = fields.find(
    ({ path, unit = null }) =>
      path.startsWith('data.') &&
      unit !== null &&
      channelOf(path, { unit, synonyms: noSynonyms })?.channel.name === depthPath &&
      repeatsDepth(path.split('.'), records),
  );
  return copy?.unit === undefined
    ? fields
    : fields.map((field) => (field === depth ? { ...field, unit: copy.unit } : field));
}
