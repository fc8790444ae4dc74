import type { JsonObject } from '../../../src/shared/json.ts';
import { parseJson } from '../../../src/shared/json.ts';
import type { Answerer, Seen } from '../../support/servers.ts';

/** The options of a find. */
export interface Asked {
  readonly query: JsonObject;
  readonly sort: JsonObject;
  readonly limit: number;
}

export function askedOf({ url, method, body }: Seen): Asked {
  const given = method === 'POST' ? (parseJson(body) as JsonObject) : null;
  const part = (name: string) => given?.[name] ?? parseJson(url.searchParams.get(name) ?? '{}');
  return { query: part('query'), sort: part('sort'), limit: Number(part('limit')) } as Asked;
}

const isRead = ({ url }: Seen): boolean => url.pathname.startsWith('/api/v1/data/');
export const readsOf = (seen: readonly Seen[]): Asked[] => seen.filter(isRead).map(askedOf);

/** Responds as a service with one dataset: its definition, and records by request. */
export function oneDataset(
  definition: object,
  records: (asked: Asked, ...rest: Parameters<Answerer>) => unknown,
): Answerer {
  return (...all) => {
    const [seen] = all;
    if (isRead(seen)) return records(askedOf(seen), ...all);
    return seen.url.pathname === '/api/v1/dataset/company/' ? {} : definition;
  };
}
