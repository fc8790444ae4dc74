import { stringifyJson, type JsonValue } from '../../shared/json.ts';
import { encoded } from './encoded.ts';

/** Name and value; a name may stand several times, as `ids[]` does. */
export type Parameters = readonly (readonly [string, string])[];

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** Below the service's address: encoded, with a leading slash, and a trailing one where the specification has it. */
  readonly path: string;
  readonly parameters?: Parameters;
  /** JSON. */
  readonly body?: Uint8Array;
}

export function get(path: string, parameters: Parameters = []): HttpRequest {
  return { method: 'GET', path, parameters };
}

export function post(path: string, body: JsonValue): HttpRequest {
  return { method: 'POST', path, body: Buffer.from(stringifyJson(body)) };
}

/** The whole address of a request below a service's address. */
export function addressOf(baseUrl: string, { path, parameters = [] }: HttpRequest): URL {
  const query = parameters.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
  return new URL(`${baseUrl.replace(/\/+$/, '')}${path}${query === '' ? '' : `?${query}`}`);
}
