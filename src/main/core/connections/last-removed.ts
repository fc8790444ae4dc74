import { passphrasesIn } from './client-certificates.ts';
import type { ConnectionProfile } from './registry.ts';
import type { Secret, SecretStore } from './secret-store.ts';
import { clearTimeout, setTimeout } from '../../world/time.ts';

export interface RemovedConnection {
  readonly profile: ConnectionProfile;
  /** Null: there was none, or it couldn't be read. */
  readonly secret: Secret | null;
  /** The password of its proxy; null: none. */
  readonly proxyPassword: string | null;
  /** The secret of its client certificate; null: none. */
  readonly certificateSecret: string | null;
  /** Where the secret was; `left`: it remains in the keychain, by the user's choice. */
  readonly place: 'keychain' | 'session' | 'left' | 'missing';
}

/** How long a removal can be undone, in milliseconds. */
const undoMs = 600_000;

/**
 * The last removed connection, while the removal can be undone. Its secret is no longer in the keychain, only
 * in this process's memory, until the next removal, the end of the process, or the timeout.
 */
export function createLastRemoved() {
  let lastRemoved: RemovedConnection | null = null;
  let expiryTimer: NodeJS.Timeout | undefined;
  const put = (removed: RemovedConnection | null): void => {
    clearTimeout(expiryTimer);
    lastRemoved = removed;
    if (removed) expiryTimer = setTimeout(put, undoMs, null).unref();
  };
  return {
    put,
    /** Returns and clears the connection; null: it can't be undone anymore. */
    take(id: string): RemovedConnection | null {
      if (lastRemoved?.profile.id !== id) return null;
      const removed = lastRemoved;
      put(null);
      return removed;
    },
    /** Texts to redact. */
    secrets(): string[] {
      const { proxyPassword = null, certificateSecret = null } = lastRemoved ?? {};
      const proxy = [
        ...(proxyPassword === null ? [] : [proxyPassword]),
        ...(certificateSecret === null ? [] : passphrasesIn([certificateSecret])),
      ];
      if (!lastRemoved?.secret) return proxy;
      const { secret } = lastRemoved;
      const ownSecrets =
        secret.method === 'api_key'
          ? [secret.apiKey]
          : [secret.tokens.jwt, ...(secret.tokens.refreshToken === null ? [] : [secret.tokens.refreshToken])];
      return [...proxy, ...ownSecrets];
    },
  };
}

/** Captures a connection before its removal, with its secret if it can be read. */
export async function captureConnection(
  profile: ConnectionProfile,
  secretStore: SecretStore | null,
): Promise<Omit<RemovedConnection, 'proxyPassword' | 'certificateSecret'>> {
  const secret = (await secretStore?.read().catch(() => null)) ?? null;
  const { place, trouble } = secretStore?.state() ?? { place: 'missing' as const, trouble: undefined };
  // A secret that was in memory only because the keychain failed is restored to the keychain.
  return { profile, secret, place: place === 'session' && trouble !== undefined ? 'keychain' : place };
}
