import type { ReceivedRequest, useServers } from './servers.ts';

/** The requests and state of a sign-in service; tests change it as it runs. */
export interface LoginState {
  /** Bodies of the token endpoint, in order. */
  readonly auths: Record<string, string>[];
  /** Accepted access tokens. */
  readonly good: Set<string>;
  /** The refresh token, valid once. */
  refresh: string;
  /** Accepted API keys. */
  readonly keys: Set<string>;
  /** Lifetime of an access token in seconds. */
  lifetime: number;
  /** Requests rejected with 401, without those for tokens. */
  refused: number;
  /** Runs before each response. */
  before: (request: ReceivedRequest) => Promise<void> | void;
}

const jwtOf = (name: string, claims: object) =>
  [
    'eyJhbGciOiJub25lIn0',
    Buffer.from(JSON.stringify({ name, ...claims })).toString('base64url'),
    'signature',
  ].join('.');

export const account = {
  method: 'login',
  email: 'me@company.example',
  password: 'correct horse battery',
} as const;

/** Both services on one address, with API keys and with rotating tokens: each refresh token is valid once. */
export async function loginService(servers: ReturnType<typeof useServers>) {
  let issued = 0;
  const state: LoginState = {
    auths: [],
    good: new Set(),
    refresh: '',
    keys: new Set(),
    lifetime: 7 * 24 * 3600,
    refused: 0,
    before: () => undefined,
  };
  const isAllowed = ({ headers }: ReceivedRequest): boolean => {
    const [method, secret = ''] = (headers.authorization ?? '').split(' ');
    return method === 'API' ? state.keys.has(secret) : state.good.has(secret);
  };
  const server = await servers.http(async (seen, response) => {
    await state.before(seen);
    if (seen.url.pathname === '/v1/user_token') {
      const { auth } = JSON.parse(seen.body) as { auth: Record<string, string> };
      state.auths.push(auth);
      const right =
        'refresh_token' in auth
          ? auth['refresh_token'] === state.refresh
          : auth['password'] === account.password;
      if (!right) {
        response.statusCode = 401;
        return { errors: { login: [`is wrong: ${auth['password'] ?? auth['refresh_token']}`] } };
      }
      issued += 1;
      const now = Math.floor(Date.now() / 1000);
      const jwt = jwtOf(`t${issued}`, { iat: now, exp: now + state.lifetime });
      state.good.clear();
      state.good.add(jwt);
      state.refresh = `refresh-secret-${issued}-${'x'.repeat(1500)}`;
      return { jwt, auth_key: jwt, refresh_token: state.refresh, user_id: 1 };
    }
    if (!isAllowed(seen)) {
      state.refused += 1;
      response.statusCode = 401;
      return { message: 'not let in' };
    }
    return seen.url.pathname.startsWith('/v2') ? { data: [] } : [];
  });
  return { ...server, state };
}
