import type { JsonObject, JsonValue } from '../../src/shared/json.ts';
import {
  type RequestOptions,
  type Reply,
  type Target,
  ask,
  object,
  objects,
  query,
  textOf,
} from './target.ts';

type Parameters = Readonly<Record<string, JsonValue>>;

/** Every endpoint of the specification, without retries or checks. */
export class Client {
  readonly target: Target;

  constructor(target: Target) {
    this.target = target;
  }

  data(dataset: string, tail = '', parameters: Parameters = {}, asking: RequestOptions = {}): Promise<Reply> {
    const search = query(parameters);
    return ask(
      this.target,
      `${this.target.dataUrl}/api/v1/data/${dataset}/${tail}${search && `?${search}`}`,
      asking,
    );
  }

  definitions(tail = '', parameters: Parameters = {}): Promise<Reply> {
    const search = query(parameters);
    return ask(this.target, `${this.target.dataUrl}/api/v1/dataset/${tail}${search && `?${search}`}`);
  }

  platform(path: string, parameters: Parameters = {}, asking: RequestOptions = {}): Promise<Reply> {
    const search = query(parameters);
    return ask(this.target, `${this.target.platformUrl}${path}${search && `?${search}`}`, asking);
  }

  /** Records by query string; fails unless the response is 200 with a list. */
  async find(dataset: string, given: JsonObject, parameters: Parameters = {}): Promise<JsonObject[]> {
    const reply = await this.data(dataset, '', { query: given, sort: {}, limit: 100, ...parameters });
    if (reply.status !== 200) throw new Error(`find: ${textOf(reply.status)} ${reply.text}`);
    return objects(reply.json);
  }

  async count(dataset: string, given: JsonObject): Promise<number> {
    const reply = await this.data(dataset, 'count/', { query: given });
    return Number(object(reply.json)['count']);
  }

  insert(dataset: string, records: JsonValue, asking: RequestOptions = {}): Promise<Reply> {
    return this.data(dataset, '', {}, { method: 'POST', body: records, ...asking });
  }

  /** The resources of a platform list; fails unless the response is 200 with `data`. */
  async list(resource: string, parameters: Parameters = {}): Promise<JsonObject[]> {
    const reply = await this.platform(`/v2/${resource}`, parameters);
    if (reply.status !== 200) throw new Error(`${resource}: ${textOf(reply.status)} ${reply.text}`);
    return objects(object(reply.json)['data']);
  }
}

/** The attributes of a platform resource. */
export function attributes(resource: JsonObject | undefined): JsonObject {
  return object(resource?.['attributes']);
}

/** The id of a related resource by name, or null. */
export function relatedId(resource: JsonObject, name: string): JsonValue {
  const related = object(object(resource['relationships'])[name])['data'];
  return related === null ? null : (object(related)['id'] ?? null);
}
