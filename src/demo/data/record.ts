import type { DatasetType } from '../../shared/datasets/datasets.ts';
import { type JsonObject, type JsonValue, isObject } from '../../shared/json.ts';
import { invalid } from '../problem.ts';

interface Rule {
  readonly path: string;
  readonly must: string;
  readonly holds: (value: JsonValue) => boolean;
  readonly required: (type: DatasetType) => boolean;
}

const integer = (value: JsonValue): boolean => typeof value === 'number' && Number.isSafeInteger(value);
const object = (value: JsonValue): boolean => isObject(value);
const never = (): boolean => false;
const time = (type: DatasetType): boolean => type === 'time';
const depth = (type: DatasetType): boolean => type === 'depth';

/** The fields of an insert item (specification, section 2.1). */
const rules: readonly Rule[] = [
  { path: 'version', must: 'be an integer', holds: integer, required: () => true },
  { path: 'asset_id', must: 'be an integer', holds: integer, required: (type) => time(type) || depth(type) },
  { path: 'company_id', must: 'be an integer', holds: integer, required: never },
  { path: 'timestamp', must: 'be an integer', holds: integer, required: time },
  {
    path: 'measured_depth',
    must: 'be a number',
    holds: (value) => typeof value === 'number',
    required: depth,
  },
  {
    path: 'log_identifier',
    must: 'be a string',
    holds: (value) => typeof value === 'string',
    required: depth,
  },
  { path: 'stage_number', must: 'be an integer', holds: integer, required: never },
  { path: 'datetime', must: 'be an ISO 8601 time', holds: isoTime, required: never },
  { path: 'metadata', must: 'be an object', holds: object, required: never },
  { path: 'data', must: 'be an object', holds: object, required: never },
];

function isoTime(value: JsonValue): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d/.test(value) && !Number.isNaN(Date.parse(value));
}

/**
 * Checks one record of an insert.
 * @param at its index in the batch, from 0
 * @throws Problem 422 if a required field is missing or a field has the wrong type
 */
export function checkRecord(type: DatasetType, record: JsonObject, at: number): void {
  for (const { path, must, holds, required } of rules) {
    const value = record[path];
    if (value === undefined) {
      if (required(type)) throw invalid(`record ${String(at)}: ${path} is required`);
    } else if (!holds(value)) {
      throw invalid(`record ${String(at)}: ${path} must ${must}`);
    }
  }
  const metadata = record['metadata'];
  if (!isObject(metadata)) return;
  for (const path of ['company_id', 'asset_id']) {
    if (metadata[path] !== undefined && !integer(metadata[path])) {
      throw invalid(`record ${String(at)}: metadata.${path} must be an integer`);
    }
  }
}
