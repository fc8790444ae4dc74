import type { Credential } from '../../shared/connections/connections.ts';
import { AppError, isAppError } from '../../shared/errors/errors.ts';
import { apiKeyIn } from '../services/api-key.ts';
import { logInOnce, openServices, openWith, type Way } from '../services/open.ts';
import type { Services } from '../services/services.ts';
import { loginCredential } from '../services/token.ts';
import { memoryTokens, type Tokens } from '../services/tokens.ts';
import { areSwapped, askBoth, askBothOrSwapped, assertAccepted, assertBothAccept } from './check.ts';
import type { Secret } from './secret.ts';

export interface ProveOptions {
  /** `both`: both services have to accept it; `either`: one that is down does not count; `none`: they are not asked. */
  readonly services: 'both' | 'either' | 'none';
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes of what a person typed the secret that is kept: logs in, because a password is not kept; looks at a key; and
 * tries it at the services.
 * @throws AppError `invalid_input` for a key that a header can't hold, `not_authenticated` for what is refused,
 * `addresses_swapped`, or why a service could not be asked
 */
export async function prove(
  credential: Credential,
  way: Way,
  { services: wanted, signal }: ProveOptions,
): Promise<Secret> {
  if (credential.method === 'login') {
    const tokens = await logInOnce(way, credential, signal).catch(async (error: unknown) => {
      throw isAppError(error, 'not_found') && (await areSwapped(way, signal))
        ? new AppError('addresses_swapped', {})
        : error;
    });
    return { method: 'login', tokens: wanted === 'both' ? await tried(tokens, way, signal) : tokens };
  }
  const apiKey = apiKeyIn(credential.apiKey);
  if (wanted === 'none') return { method: 'api_key', apiKey };
  await used(openServices({ ...way, credential: { method: 'api_key', apiKey } }), async (services) => {
    if (wanted === 'both') assertBothAccept(await askBothOrSwapped(services, way, signal));
    else assertAccepted(await askBoth(services, signal));
  });
  return { method: 'api_key', apiKey };
}

/** The tokens after both services were asked with them: they may have been renewed on the way. */
async function tried(first: Tokens, way: Way, signal: AbortSignal | undefined): Promise<Tokens> {
  const store = memoryTokens();
  await store.write(first);
  const { services } = openWith(way, (http) => loginCredential({ http, login: null, store }));
  await used(services, async () => assertBothAccept(await askBothOrSwapped(services, way, signal)));
  return (await store.read()) ?? first;
}

async function used(services: Services, work: (services: Services) => Promise<void>): Promise<void> {
  try {
    await work(services);
  } finally {
    await services.close();
  }
}
