import type { Facts } from './book.ts';
import type { Secret, SecretStore } from './secret-store.ts';

interface RemovedConnection {
  readonly facts: Facts;
  /** Null: it was not to be had, or there was none. */
  readonly secret: Secret | null;
  /** Of its own proxy; null: there was none. */
  readonly proxyPassword: string | null;
  /** Where it stood; `left`: it stays in the keychain, as the person said. */
  readonly place: 'keychain' | 'session' | 'left' | 'missing';
}

/** How long the removal of a connection can be undone, in milliseconds. */
const undoMs = 600_000;

/**
 * The connection that was removed last, for as long as that can be undone. Its secret is out of the keychain by then and
 * nowhere but here, in the memory of this process: it is gone with the next removal, with the process, or when the time has
 * run out.
 */
export function createLastRemoved() {
  let last: RemovedConnection | null = null;
  let ending: NodeJS.Timeout | undefined;
  const put = (removed: RemovedConnection | null): void => {
    clearTimeout(ending);
    last = removed;
    if (removed) ending = setTimeout(put, undoMs, null).unref();
  };
  return {
    put,
    /** Gives it out of hand; null: it can't be undone any more. */
    take(id: string): RemovedConnection | null {
      if (last?.facts.id !== id) return null;
      const found = last;
      put(null);
      return found;
    },
    /** What must never be seen, for redaction. */
    secrets(): string[] {
      const proxy = last?.proxyPassword ? [last.proxyPassword] : [];
      if (!last?.secret) return proxy;
      const { secret } = last;
      const own =
        secret.method === 'api_key'
          ? [secret.apiKey]
          : [secret.tokens.jwt, ...(secret.tokens.refreshToken === null ? [] : [secret.tokens.refreshToken])];
      return [...proxy, ...own];
    },
  };
}

/** A connection before it goes, with its secret as far as it can be had. */
export async function removedConnection(
  facts: Facts,
  secretStore: SecretStore | null,
): Promise<Omit<RemovedConnection, 'proxyPassword'>> {
  const secret = (await secretStore?.read().catch(() => null)) ?? null;
  const { place, trouble } = secretStore?.state() ?? { place: 'missing' as const, trouble: undefined };
  // What only the keychain’s trouble kept out of it goes there as soon as that is over.
  return { facts, secret, place: place === 'session' && trouble !== undefined ? 'keychain' : place };
}
