import type { Demo } from '../../src/demo/index.ts';
import type { JsonObject, JsonValue } from '../../src/shared/json.ts';
import { type RequestOptions, type Reply, ask, object, objects, query } from '../conformance/target.ts';

const uploads = 'demo/uploads.time';

/** Sends a request to a demo with its write key, or another one. */
export function clientOf(demo: Demo, key = demo.apiKeys.write) {
  const target = { authorization: `API ${key}` };
  const get = (
    url: string,
    parameters: Record<string, JsonValue> = {},
    asking: RequestOptions = {},
  ): Promise<Reply> => ask(target, `${url}?${query(parameters)}`, asking);
  return {
    data: (path: string, parameters: Record<string, JsonValue> = {}, asking: RequestOptions = {}) =>
      get(`${demo.dataUrl}/api/v1/data/${path}`, parameters, asking),
    definitions: (path = '') => get(`${demo.dataUrl}/api/v1/dataset/${path}`),
    platform: (path: string, parameters: Record<string, JsonValue> = {}, asking: RequestOptions = {}) =>
      get(`${demo.platformUrl}${path}`, parameters, asking),
    /** Inserts records into the empty time dataset. */
    insert: (records: JsonValue) => ask(target, `${demo.dataUrl}/api/v1/data/${uploads}/`, { body: records }),
    /** The records of the time dataset for uploads, in order. */
    async uploaded(): Promise<JsonObject[]> {
      const reply = await get(`${demo.dataUrl}/api/v1/data/${uploads}/`, {
        query: {},
        sort: { timestamp: 1, _id: 1 },
        limit: 10_000,
      });
      return objects(reply.json);
    },
    async records(dataset: string, given: Record<string, JsonValue>): Promise<JsonObject[]> {
      const reply = await get(`${demo.dataUrl}/api/v1/data/${dataset}/`, {
        query: {},
        sort: {},
        limit: 10_000,
        ...given,
      });
      if (reply.status !== 200) throw new Error(`${String(reply.status)} ${reply.text}`);
      return objects(reply.json);
    },
    async pipeline(dataset: string, stages: JsonValue): Promise<JsonObject[]> {
      const reply = await get(`${demo.dataUrl}/api/v1/data/${dataset}/aggregate/pipeline/`, { stages });
      if (reply.status !== 200) throw new Error(`${String(reply.status)} ${reply.text}`);
      return objects(reply.json);
    },
    async count(dataset: string, given: JsonObject = {}): Promise<number> {
      const reply = await get(`${demo.dataUrl}/api/v1/data/${dataset}/count/`, { query: given });
      return Number(object(reply.json)['count']);
    },
  };
}

/** Records for the time dataset for uploads; their timestamps count from 1. */
export function someRecords(count: number, more: JsonObject = {}): JsonObject[] {
  return Array.from({ length: count }, (_, at) => ({
    version: 1,
    asset_id: 5003,
    timestamp: at + 1,
    data: { at, ...more },
  }));
}
