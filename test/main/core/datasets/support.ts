import { type JsonObject, parseJson } from '../../../../src/shared/json.ts';
import type { RequestHandler, ReceivedRequest } from '../../../support/servers.ts';

/** The options of a find. */
export interface Asked {
  readonly query: JsonObject;
  readonly sort: JsonObject;
  readonly limit: number;
}

export function askedOf({ url, method, body }: ReceivedRequest): Asked {
  const content = method === 'POST' ? (parseJson(body) as JsonObject) : null;
  const part = (name: string) => content?.[name] ?? parseJson(url.searchParams.get(name) ?? '{}');
  return { query: part('query'), sort: part('sort'), limit: Number(part('limit')) } as Asked;
}

const isRead = ({ url }: ReceivedRequest): boolean => url.pathname.startsWith('/api/v1/data/');
export const readsOf = (seen: readonly ReceivedRequest[]): Asked[] => seen.filter(isRead).map(askedOf);

/** Responds as a service with one dataset: its definition, and records by request. */
export function oneDataset(
  definition: object,
  records: (asked: Asked, ...rest: Parameters<RequestHandler>) => unknown,
): RequestHandler {
  return (...all) => {
    const [seen] = all;
    if (isRead(seen)) return records(askedOf(seen), ...all);
    return seen.url.pathname === '/api/v1/dataset/company/' ? {} : definition;
  };
}
