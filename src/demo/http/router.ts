import * as z from 'zod';
import { type Dataset, datasetAt, listByCompany, listDatasets, singleDataset } from '../data/datasets.ts';
import { insertRecords } from '../data/insert.ts';
import * as reads from '../data/read.ts';
import type { RequestKind } from '../faults.ts';
import { listResources, noRoute, singleResource } from '../platform/lists.ts';
import { type Answer, type Call, Problem, type Service, invalid, type reset } from '../service.ts';
import { parseBody } from './requests.ts';

type Handler = (call: Call, ...names: string[]) => Answer | Promise<Answer | typeof reset>;
type Methods = Readonly<Record<string, Handler>>;

/** A handler of a dataset that the sender may read. */
const of =
  (handler: (call: Call, dataset: Dataset) => Promise<Answer>): Handler =>
  (call, provider = '', dataset = '') =>
    handler(call, datasetAt(call, provider, dataset, 'read'));

/** The path prefix of the platform service on the port that both services share. */
export const platformPrefix = '/platform';
const tokenPath = `${platformPrefix}/v1/user_token`;
const records = '/api/v1/data/*/*/';

/** The handlers of each path; a star is a name. */
const routes: readonly (readonly [path: RegExp, methods: Methods])[] = Object.entries<Methods>({
  [records]: { GET: of(reads.findByQuery), POST: insertRecords },
  [`${records}list/`]: { POST: of(reads.findByBody) },
  [`${records}count/`]: { GET: of(reads.countRecords) },
  [`${records}aggregate/`]: { GET: of(reads.aggregate) },
  [`${records}aggregate/pipeline/`]: { GET: of(reads.pipelineByQuery), POST: of(reads.pipelineByBody) },
  '/api/v1/dataset/': { GET: listDatasets },
  '/api/v1/dataset/company/': { GET: listByCompany },
  '/api/v1/dataset/*/*/': { GET: singleDataset },
  [`${platformPrefix}/v2/*/?`]: { GET: listResources },
  [`${platformPrefix}/v2/*/*/?`]: { GET: singleResource },
}).map(([path, methods]) => [new RegExp(`^${path.replaceAll('*', '([^/]+)')}$`), methods]);

function match(path: string): { readonly methods: Methods; readonly names: string[] } | undefined {
  for (const [pattern, methods] of routes) {
    const names = pattern.exec(path)?.slice(1);
    if (names) return { methods, names: names.map(decode) };
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

const isOfPlatform = (path: string): boolean => `${path}/`.startsWith(`${platformPrefix}/`);

/** The category of a request, for faults that affect only some. */
export function kindOf(method: string, path: string): RequestKind {
  if (isOfPlatform(path)) return path.startsWith(tokenPath) ? 'token' : 'platform';
  return method === 'POST' && /^\/api\/v1\/data\/[^/]+\/[^/]+\/?$/.test(path) ? 'writes' : 'reads';
}

/** Handles a request. @throws Problem for every error status; 401 takes precedence over all others */
export async function route(
  service: Service,
  path: string,
  authorization: string | undefined,
  call: Omit<Call, 'service' | 'identity'>,
): Promise<Answer | typeof reset> {
  if (path.replace(/\/$/, '') === tokenPath) {
    if (call.method !== 'POST') throw wrongMethod(['POST']);
    return userToken(service, await call.body());
  }
  const matched = match(path);
  if (!matched) throw notFound(path, call.search);
  const identity = service.tokens.identify(authorization);
  const handler = matched.methods[call.method];
  if (!handler) throw wrongMethod(Object.keys(matched.methods));
  return handler({ ...call, service, identity }, ...matched.names);
}

// A path of the data service without its slash is redirected to the one with it.
function notFound(path: string, search: URLSearchParams): Problem {
  if (isOfPlatform(path)) return noRoute();
  if (!match(`${path}/`)) return new Problem(404, 'there is nothing at this path');
  const query = search.size > 0 ? `?${search.toString()}` : '';
  return new Problem(307, 'the path ends with a slash', { headers: { Location: `${path}/${query}` } });
}

function wrongMethod(methods: readonly string[]): Problem {
  return new Problem(405, 'this path has no such method', { headers: { Allow: methods.join(', ') } });
}

const tokenRequest = z.object({
  auth: z.union([
    z.object({ refresh_token: z.string().min(1) }),
    z.object({ email: z.string().min(1), password: z.string().min(1) }),
  ]),
});

/** `POST /v1/user_token`: tokens for an email and password, or for a refresh token (specification, section 5). */
function userToken({ tokens }: Service, body: string): Answer {
  const parsed = tokenRequest.safeParse(parseBody(body));
  if (!parsed.success) throw invalid('auth must hold email and password, or refresh_token alone');
  const { auth } = parsed.data;
  const issued =
    'refresh_token' in auth ? tokens.refresh(auth.refresh_token) : tokens.login(auth.email, auth.password);
  return { status: 200, body: JSON.stringify(issued) };
}
