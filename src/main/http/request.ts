import { stringifyJson, type JsonValue } from '../../shared/json.ts';
import { type Answer, UnreadableAnswer } from './answer.ts';
import { invalidInput } from '../../shared/errors/errors.ts';

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

/** A read follows so many redirects, no more. */
export const mostRedirects = 5;

/**
 * Where a redirect of a read leads; null when the answer is none. Only within the same origin, so that no
 * secret leaves it, and a POST only where it stays a POST.
 * @throws UnreadableAnswer for a redirect that must not be followed
 */
export function redirectTarget(from: URL, method: 'GET' | 'POST', answer: Answer): URL | null {
  if (![301, 302, 303, 307, 308].includes(answer.status)) return null;
  const location = answer.header('location');
  if (location === null || !URL.canParse(location, from.href)) {
    throw new UnreadableAnswer('it redirects, but does not say where to');
  }
  const to = new URL(location, from);
  if (to.origin !== from.origin) throw new UnreadableAnswer(`it redirects to another place, ${to.host}`);
  if (method === 'POST' && answer.status < 307)
    throw new UnreadableAnswer('it redirects a request that has a body');
  return to;
}

/**
 * A text as part of an address.
 * @throws AppError invalid_input for half a character (a surrogate alone), which no address can hold
 */
export function encoded(text: string, field?: string): string {
  if (!text.isWellFormed())
    throw invalidInput(
      `“${text.toWellFormed()}” contains an incomplete character. Type it again.`,
      field === undefined ? undefined : { field },
    );
  return encodeURIComponent(text);
}
