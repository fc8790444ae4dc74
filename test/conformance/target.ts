import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { demoSecrets, startDemo } from '../../src/demo/index.ts';
import {
  type JsonObject,
  type JsonValue,
  isObject,
  parseJson,
  stringifyJson,
} from '../../src/shared/json.ts';

/**
 * The pair of services under test: the demo, or those in the variables. Optional parts (a second key, a writable
 * dataset) are null when they are not given, and the tests that need them are skipped.
 */
export interface Target {
  /** Whether it is the demo, which has an example of everything. */
  readonly own: boolean;
  readonly dataUrl: string;
  readonly platformUrl: string;
  /** The value of the Authorization header. */
  readonly authorization: string;
  readonly readOnly: string | null;
  readonly expired: string | null;
  readonly login: { readonly email: string; readonly password: string } | null;
  /** Datasets that tests may insert into, by type. */
  readonly writable: Readonly<Partial<Record<'time' | 'depth' | 'reference' | 'timeseries', string>>>;
  /** A dataset and an asset that the key may not access. */
  readonly forbidden: { readonly dataset: string; readonly assetId: number } | null;
  close(): Promise<void>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: JsonValue;
}

const env = process.env;

function foreignTarget(dataUrl: string): Target {
  const {
    WELLBENCH_API_KEY: key,
    WELLBENCH_READ_KEY: readKey,
    WELLBENCH_EMAIL: email,
    WELLBENCH_PASSWORD: password,
  } = env;
  const written = env['WELLBENCH_WRITE'] ?? '';
  return {
    own: false,
    dataUrl: dataUrl.replace(/\/+$/, ''),
    platformUrl: (env['WELLBENCH_PLATFORM_URL'] ?? dataUrl).replace(/\/+$/, ''),
    authorization: `API ${key ?? ''}`,
    readOnly: readKey ? `API ${readKey}` : null,
    expired: null,
    login: email && password ? { email, password } : null,
    writable: Object.fromEntries(
      written
        .split(',')
        .filter(Boolean)
        .map((entry) => entry.split('=')),
    ) as Target['writable'],
    forbidden: null,
    close: () => Promise.resolve(),
  };
}

async function demoTarget(): Promise<Target> {
  const demo = await startDemo({ records: 20_000 });
  const { expiredKey } = demoSecrets(1);
  return {
    own: true,
    dataUrl: demo.dataUrl,
    platformUrl: demo.platformUrl,
    authorization: `API ${demo.apiKeys.write}`,
    readOnly: `API ${demo.apiKeys.read}`,
    expired: `API ${expiredKey}`,
    login: demo.login,
    writable: {
      time: 'demo/uploads.time',
      depth: 'demo/uploads.depth',
      reference: 'demo/uploads.reference',
      timeseries: 'demo/uploads.timeseries',
    },
    forbidden: { dataset: 'demo/frac.confidential', assetId: 5034 },
    close: () => demo.close(),
  };
}

/** Opens the services under test. */
export async function openTarget(): Promise<Target> {
  const foreign = env['WELLBENCH_CONFORMANCE_DATA_URL'];
  return foreign ? foreignTarget(foreign) : demoTarget();
}

export interface RequestOptions {
  readonly method?: string;
  readonly authorization?: string | null;
  readonly body?: JsonValue;
  /** A body sent unchanged, instead of JSON. */
  readonly rawBody?: string;
}

/** Requests an address exactly as written; redirects are not followed. */
export function ask(
  target: Pick<Target, 'authorization'>,
  url: string,
  asking: RequestOptions = {},
): Promise<Reply> {
  const authorization = asking.authorization === undefined ? target.authorization : asking.authorization;
  const body = asking.rawBody ?? (asking.body === undefined ? undefined : stringifyJson(asking.body));
  const headers = {
    ...(authorization === null ? {} : { Authorization: authorization }),
    ...(body === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
  };
  const { protocol, hostname, port } = new URL(url);
  const path = url.slice(url.indexOf('/', url.indexOf('//') + 2));
  const method = asking.method ?? (body === undefined ? 'GET' : 'POST');
  return new Promise((answered, failed) => {
    const send = protocol === 'https:' ? secureRequest : request;
    const sent = send({ hostname, port, path, method, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', failed);
      response.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        const received = new Headers();
        for (const [name, value] of Object.entries(response.headers)) received.set(name, String(value));
        answered({ status: response.statusCode ?? 0, headers: received, text, json: jsonOf(text) });
      });
    });
    sent.on('error', failed);
    sent.end(body);
  });
}

function jsonOf(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

/** Parameters of an address; objects as JSON, `name[]` repeated for lists. */
export function query(parameters: Readonly<Record<string, JsonValue>>): string {
  return Object.entries(parameters)
    .flatMap(([name, value]) =>
      Array.isArray(value) && name.endsWith('[]')
        ? value.map((part) => [name, part] as const)
        : [[name, value] as const],
    )
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(value))}`)
    .join('&');
}

/** A value as text: texts unchanged, everything else as JSON. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : stringifyJson(value ?? null);
}

/** The objects of an array; fails for any other value. */
export function objects(value: JsonValue | undefined): JsonObject[] {
  if (!Array.isArray(value) || !value.every((part) => isObject(part)))
    throw new Error(`not a list of objects: ${stringifyJson(value ?? null)}`);
  return value.filter((part) => isObject(part));
}

/** An object; fails for any other value. */
export function object(value: JsonValue | undefined): JsonObject {
  if (!isObject(value)) throw new Error(`not an object: ${stringifyJson(value ?? null)}`);
  return value;
}
