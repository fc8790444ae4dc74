import type { Dataset } from '../../../shared/datasets/datasets.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';

/** What a definition says of the fields. */
export interface DefinitionFields {
  /** A record that stands in it as an example. */
  readonly sample: JsonObject | null;
  /** Units by path. */
  readonly units: ReadonlyMap<string, string>;
}

const inEnvelope = new Set(['measured_depth', 'timestamp', 'datetime', 'stage_number']);
const deepest = 4;

/**
 * Reads the `schema` of a definition, whose form the specification leaves open: mostly it is empty; some hold a record
 * as an example, some units under `default_units`. It is never taken for a JSON Schema.
 */
export function fieldsInDefinition({ schema }: Pick<Dataset, 'schema'>): DefinitionFields {
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
