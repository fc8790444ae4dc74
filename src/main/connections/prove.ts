import type { Credential } from '../../shared/connections.ts';
import { apiKeyIn } from '../services/api-key.ts';
import { logInOnce, openServices, type Way } from '../services/open.ts';
import { askBoth, assertAccepted } from './check.ts';
import type { Secret } from './secret.ts';

/**
 * Makes of what a person typed the secret that is kept: logs in, because a password is not kept; looks at a key.
 * @param verify whether a key, too, is tried at the services
 * @throws AppError `invalid_input` for a key that a header can't hold, `not_authenticated` for what is refused, or why
 * the services could not be asked
 */
export async function prove(
  credential: Credential,
  way: Way,
  { verify, signal }: { verify: boolean; signal?: AbortSignal | undefined },
): Promise<Secret> {
  if (credential.method === 'login')
    return { method: 'login', tokens: await logInOnce(way, credential, signal) };
  const apiKey = apiKeyIn(credential.apiKey);
  if (!verify) return { method: 'api_key', apiKey };
  const services = openServices({ ...way, credential: { method: 'api_key', apiKey } });
  try {
    assertAccepted(await askBoth(services, signal));
    return { method: 'api_key', apiKey };
  } finally {
    await services.close();
  }
}
