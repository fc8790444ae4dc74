import * as z from 'zod';
import { isObject, type JsonValue } from '../../shared/json.ts';
import type { PlatformEntity } from '../../shared/wells/wells.ts';
import { UnreadableAnswer } from '../http/answer.ts';
import { looseInteger, looseText } from './tolerant.ts';

// Not looked at key by key: of a list of 50,000 wells that would take half of all the time.
const named = z.custom<Record<string, unknown>>(isObject);
const entity = z.looseObject({
  id: looseInteger,
  type: looseText.optional(),
  attributes: named.catch({}).optional(),
  relationships: named.optional().catch(undefined),
});

/** A platform resource (specification, section 2.3); null for what has no id and so can't be told from others. */
export function readEntity(value: unknown): PlatformEntity | null {
  const parsed = entity.safeParse(value);
  if (!parsed.success || parsed.data.id === null) return null;
  const { id, type, attributes, relationships } = parsed.data;
  const common = { id, type: type ?? '', attributes: attributes ?? {} };
  return relationships ? { ...common, relationships } : common;
}

/** One page of a list: the items under `data`, or a bare array. @throws UnreadableAnswer for anything else */
export function readPage(value: JsonValue): { entities: PlatformEntity[]; items: number } {
  const items = isObject(value) ? value['data'] : value;
  if (!Array.isArray(items)) throw new UnreadableAnswer('it is not a list');
  return { entities: items.flatMap((item) => readEntity(item) ?? []), items: items.length };
}

/** A single resource, under `data` or bare. @throws UnreadableAnswer for anything else */
export function readSingle(value: JsonValue): PlatformEntity {
  const single = readEntity(isObject(value) && 'data' in value ? value['data'] : value);
  if (!single) throw new UnreadableAnswer('it is not a resource with an id');
  return single;
}
