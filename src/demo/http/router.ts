import * as z from 'zod';
import {
  type Dataset,
  listByCompany,
  listDatasets,
  readableDataset,
  singleDataset,
} from '../data/datasets.ts';
import { insertRecords } from '../data/insert.ts';
import {
  aggregate,
  countRecords,
  findByBody,
  findByQuery,
  pipelineByBody,
  pipelineByQuery,
} from '../data/read.ts';
import type { RequestKind } from '../faults.ts';
import { listResources, noRoute, singleResource } from '../platform/lists.ts';
import { type Answer, type Call, Problem, type Service, invalid, type reset } from '../service.ts';
import { parseBody } from './requests.ts';

type Result = Answer | typeof reset | Promise<Answer | typeof reset>;
type Handler = (call: Call, ...names: string[]) => Result;

interface Route {
  readonly path: RegExp;
  readonly methods: Readonly<Record<string, Handler>>;
}

/** A handler of a dataset that the sender may read. */
const reads =
  (handler: (call: Call, dataset: Dataset) => Promise<Answer>): Handler =>
  (call, provider = '', dataset = '') =>
    handler(call, readableDataset(call, provider, dataset));

const name = '([^/]+)';
const data = `^/api/v1/data/${name}/${name}`;

// All paths of the data service end with a slash.
const dataRoutes: readonly Route[] = [
  { path: new RegExp(`${data}/$`), methods: { GET: reads(findByQuery), POST: insertRecords } },
  { path: new RegExp(`${data}/list/$`), methods: { POST: reads(findByBody) } },
  { path: new RegExp(`${data}/count/$`), methods: { GET: reads(countRecords) } },
  { path: new RegExp(`${data}/aggregate/$`), methods: { GET: reads(aggregate) } },
  {
    path: new RegExp(`${data}/aggregate/pipeline/$`),
    methods: { GET: reads(pipelineByQuery), POST: reads(pipelineByBody) },
  },
  { path: /^\/api\/v1\/dataset\/$/, methods: { GET: listDatasets } },
  { path: /^\/api\/v1\/dataset\/company\/$/, methods: { GET: listByCompany } },
  { path: new RegExp(`^/api/v1/dataset/${name}/${name}/$`), methods: { GET: singleDataset } },
];

/** The path prefix of the platform service on the port that both services share. */
export const platformPrefix = '/platform';
const platformRoutes: readonly Route[] = [
  { path: new RegExp(`^${platformPrefix}/v2/${name}/?$`), methods: { GET: listResources } },
  { path: new RegExp(`^${platformPrefix}/v2/${name}/${name}/?$`), methods: { GET: singleResource } },
];
const insertPath = new RegExp(`${data}/?$`);
const tokenPath = `${platformPrefix}/v1/user_token`;

/** The category of a request, for faults that affect only some. */
export function kindOf(method: string, path: string): RequestKind {
  if (path.startsWith(platformPrefix)) return path.startsWith(tokenPath) ? 'token' : 'platform';
  return method === 'POST' && insertPath.test(path) ? 'writes' : 'reads';
}

/** Handles a request. @throws Problem for every error status; 401 takes precedence over all others */
export async function route(
  service: Service,
  path: string,
  authorization: string | undefined,
  call: Omit<Call, 'service' | 'identity'>,
): Promise<Answer | typeof reset> {
  const platform = path === platformPrefix || path.startsWith(`${platformPrefix}/`);
  if (path === tokenPath || path === `${tokenPath}/`) {
    if (call.method !== 'POST') throw wrongMethod({ POST: userToken });
    return userToken(service, call.body);
  }
  const matched = match(platform ? platformRoutes : dataRoutes, path);
  if (!matched) throw notFound(platform, path, call.search);
  const { methods, names } = matched;
  const identity = service.tokens.identify(authorization);
  const handler = methods[call.method];
  if (!handler) throw wrongMethod(methods);
  return handler({ ...call, service, identity }, ...names);
}

function match(
  routes: readonly Route[],
  path: string,
): { methods: Route['methods']; names: string[] } | undefined {
  for (const { path: pattern, methods } of routes) {
    const groups = pattern.exec(path)?.slice(1);
    if (groups) return { methods, names: groups.map(decode) };
  }
  return undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Problem(400, 'the path is not encoded as it must be');
  }
}

// A path of the data service without its slash is redirected to the one with it.
function notFound(platform: boolean, path: string, search: URLSearchParams): Problem {
  if (platform) return noRoute();
  if (!path.endsWith('/') && match(dataRoutes, `${path}/`)) {
    const query = search.size > 0 ? `?${search.toString()}` : '';
    return new Problem(307, 'the path ends with a slash', { headers: { Location: `${path}/${query}` } });
  }
  return new Problem(404, 'there is nothing at this path');
}

function wrongMethod(methods: object): Problem {
  return new Problem(405, 'this path has no such method', {
    headers: { Allow: Object.keys(methods).join(', ') },
  });
}

const tokenRequest = z.object({
  auth: z.union([
    z.object({ refresh_token: z.string().min(1) }),
    z.object({ email: z.string().min(1), password: z.string().min(1) }),
  ]),
});

/** `POST /v1/user_token`: tokens for an email and password, or for a refresh token (specification, section 5). */
async function userToken(service: Service, body: () => Promise<string>): Promise<Answer> {
  const parsed = tokenRequest.safeParse(parseBody(await body()));
  if (!parsed.success) throw invalid('auth must hold email and password, or refresh_token alone');
  const { auth } = parsed.data;
  const answer =
    'refresh_token' in auth
      ? service.tokens.refresh(auth.refresh_token)
      : service.tokens.login(auth.email, auth.password);
  return { status: 200, body: JSON.stringify(answer) };
}
