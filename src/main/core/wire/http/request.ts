import { stringifyJson, type JsonValue } from '../../../../shared/json.ts';
import { type HttpResponse, UnreadableResponse } from './response.ts';
import { invalidInput } from '../../../../shared/errors/errors.ts';

/** Names and values; a name may repeat, such as `ids[]`. */
export type Parameters = readonly (readonly [string, string])[];

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /**
   * Path below the service's URL: encoded, with a leading slash, and a trailing one where the specification
   * has it.
   */
  readonly path: string;
  readonly parameters?: Parameters;
  /** JSON. */
  readonly body?: Uint8Array;
}

type ParameterValue = string | number | boolean;
export type ParameterValues = Readonly<
  Record<string, ParameterValue | readonly ParameterValue[] | undefined>
>;

/**
 * The parameters of named values. Arrays are sent as repeated `name[]` (specification, section 2.4).
 * @param values without those that are undefined or empty
 */
export function parametersOf(values: ParameterValues): Parameters {
  return Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined || value === '') return [];
    if (Array.isArray(value))
      return value.map((item): readonly [string, string] => [`${name}[]`, String(item)]);
    return [[name, String(value)] as const];
  });
}

/** A GET request. @param path below the service’s address */
export function get(path: string, parameters: Parameters = []): HttpRequest {
  return { method: 'GET', path, parameters };
}

/** A POST request with a JSON body. @param path below the service’s address */
export function post(path: string, body: JsonValue): HttpRequest {
  return { method: 'POST', path, body: Buffer.from(stringifyJson(body)) };
}

/**
 * The URL of a request.
 * @throws AppError `invalid_input` when a parameter contains an unpaired surrogate
 */
export function addressOf(baseUrl: string, { path, parameters = [] }: HttpRequest): URL {
  const query = parameters.map(([name, value]) => `${encodeText(name)}=${encodeText(value)}`).join('&');
  return new URL(`${baseUrl.replace(/(?<!\/)\/+$/, '')}${path}${query === '' ? '' : `?${query}`}`);
}

/** Maximum number of redirects that a read follows. */
export const maxRedirects = 5;

/**
 * The target of a redirect; null for other responses. The target must have the same origin, so credentials
 * never leave it, and a POST must stay a POST.
 * @throws UnreadableResponse for a redirect that must not be followed
 */
export function redirectTarget(from: URL, method: 'GET' | 'POST', response: HttpResponse): URL | null {
  if (![301, 302, 303, 307, 308].includes(response.status)) return null;
  const location = response.header('location');
  if (location === null || !URL.canParse(location, from.href)) {
    throw new UnreadableResponse('it redirects without a target address');
  }
  const to = new URL(location, from);
  if (to.origin !== from.origin) throw new UnreadableResponse(`it redirects to another host, ${to.host}`);
  if (method === 'POST' && response.status < 307)
    throw new UnreadableResponse('it redirects a request that has a body');
  return to;
}

/**
 * Encodes a text for a URL.
 * @param field the input field that the error names
 * @throws AppError `invalid_input` when the text contains an unpaired surrogate
 */
export function encodeText(text: string, field?: string): string {
  if (!text.isWellFormed())
    throw invalidInput(
      `“${text.toWellFormed()}” contains an incomplete character. Type it again.`,
      field === undefined ? undefined : { field },
    );
  return encodeURIComponent(text);
}
