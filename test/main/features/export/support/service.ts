import type { RequestHandler } from '../../../../support/servers.ts';
import { runStages } from '../../../../../src/demo/mongo.ts';
import { isObject, parseJson, stringifyJson, type JsonObject } from '../../../../../src/shared/json.ts';
import { AppError } from '../../../../../src/shared/errors/errors.ts';
import type { Rows } from './rows.ts';

const objectIn = (text: string | null): JsonObject => {
  const value = parseJson(text ?? '{}');
  if (!isObject(value)) throw new AppError('refused', { service: 'data', status: 422 });
  return value;
};

const stagesIn = (body: JsonObject | null): JsonObject[] => {
  const stages = body?.['stages'];
  return Array.isArray(stages) ? stages.filter(isObject) : [];
};

interface Faults {
  /** Called for each request: a status to fail with, or `cut` to truncate the response. */
  fail?: (nth: number) => number | 'cut' | null;
  /** The number of bytes of the nth response after which the connection is cut; absent: it isn't. */
  cutAfter?: (nth: number) => number;
  /** The service's clock in Unix milliseconds; absent: this computer's. */
  clockMs?: number;
  /** The dataset's type in its definition. */
  type?: string;
  /** The status of each pipeline, count, or find that includes the count; absent: they are allowed. */
  refused?: { readonly pipeline?: number; readonly count?: number; readonly total?: number };
  /** Whether a find can include the count. */
  hasTotal?: boolean;
}

/** The data service of the specification over one dataset, as far as an export uses it. */
export function recordsService(
  rows: Rows,
  {
    fail,
    cutAfter = () => Number.POSITIVE_INFINITY,
    clockMs,
    type = 'time',
    refused = {},
    hasTotal = false,
  }: Faults = {},
): RequestHandler {
  let requests = 0;
  return ({ url, method, body }, response) => {
    requests += 1;
    const fault = fail?.(requests) ?? null;
    response.setHeader('content-type', 'application/json');
    if (clockMs !== undefined) response.setHeader('date', new Date(clockMs).toUTCString());
    if (typeof fault === 'number') {
      response.statusCode = fault;
      return { code: fault, message: 'not now' };
    }
    if (url.pathname === '/api/v1/dataset/company/')
      return { demo: [{ provider: 'demo', name: 'wits', type: 'timeseries' }] };
    if (url.pathname.startsWith('/api/v1/dataset/'))
      return { id: 1, provider: 'demo', name: 'demo#wits', data_type: type, friendly_name: 'wits' };
    const parameters = method === 'POST' ? objectIn(body) : null;
    const read = (name: string): JsonObject => {
      const value = parameters?.[name];
      return isObject(value) ? value : objectIn(url.searchParams.get(name));
    };
    try {
      const refusal = url.pathname.endsWith('/pipeline/')
        ? refused.pipeline
        : url.pathname.endsWith('/count/')
          ? refused.count
          : url.searchParams.get('include_count') === 'true' || parameters?.['include_count'] === true
            ? refused.total
            : undefined;
      if (refusal !== undefined) {
        response.statusCode = refusal;
        return { code: refusal, message: 'not allowed' };
      }
      if (url.pathname.endsWith('/pipeline/')) {
        response.end(stringifyJson(runStages(rows.records, stagesIn(parameters))));
        return undefined;
      }
      if (url.pathname.endsWith('/count/')) return { count: rows.count(read('query')) };
      if (hasTotal && url.searchParams.get('include_count') === 'true')
        response.setHeader('total', rows.count(read('query')));
      const number = (name: string): number => Number(parameters?.[name] ?? url.searchParams.get(name) ?? 0);
      const fields = String(parameters?.['fields'] ?? url.searchParams.get('fields') ?? '');
      const text = rows.find({
        query: read('query'),
        sort: read('sort'),
        limit: number('limit'),
        skip: number('skip'),
        fields: fields === '' ? [] : fields.split(','),
      });
      const sent = fault === 'cut' ? text.length / 2 : cutAfter(requests);
      if (sent >= text.length) response.end(text);
      else {
        response.setHeader('content-length', Buffer.byteLength(text));
        response.write(text.slice(0, sent));
        setImmediate(() => response.destroy());
      }
      return undefined;
    } catch (error) {
      response.statusCode =
        error instanceof AppError && error.is('refused') ? (error.details.status ?? 400) : 500;
      return { code: response.statusCode, message: String(error) };
    }
  };
}
