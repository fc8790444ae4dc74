import * as z from 'zod';
import { isObject, isWithinDepth, type JsonValue } from '../../../../shared/json.ts';
import type { PlatformEntity } from '../../../../shared/wells/wells.ts';
import { UnreadableResponse } from '../http/response.ts';
import { looseInteger, looseText, maxDepth, readEach, type ReadItems } from './tolerant.ts';

// The keys aren't validated: for 50,000 wells that would take half of the time.
const attributeMap = z.custom<Record<string, unknown>>(isObject);
const entity = z.looseObject({
  id: looseInteger,
  type: looseText.optional(),
  attributes: attributeMap.catch({}).optional(),
  relationships: attributeMap.optional().catch(undefined),
});

/** Parses a platform resource (specification, section 2.3); null if it has no id or is nested too deep. */
export function readEntity(value: unknown): PlatformEntity | null {
  if (!isWithinDepth(value, maxDepth)) return null;
  const parsed = entity.safeParse(value);
  if (!parsed.success || parsed.data.id === null) return null;
  const { id, type, attributes, relationships } = parsed.data;
  const common = { id, type: type ?? '', attributes: attributes ?? {} };
  return relationships ? { ...common, relationships } : common;
}

/**
 * Parses a page of a list: the items under `data`, or a bare array. Invalid ones are skipped.
 * @throws UnreadableResponse for anything else
 */
export function readPage(value: JsonValue): ReadItems<PlatformEntity> {
  const items = isObject(value) ? value['data'] : value;
  if (!Array.isArray(items)) throw new UnreadableResponse('it is not a list');
  return readEach(items, readEntity);
}

/**
 * Parses a single resource, under `data` or bare.
 * @throws UnreadableResponse for anything else
 */
export function readSingle(value: JsonValue): PlatformEntity {
  const single = readEntity(isObject(value) && 'data' in value ? value['data'] : value);
  if (!single) throw new UnreadableResponse('it is not a resource with an id');
  return single;
}
