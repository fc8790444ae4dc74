import { basename } from 'node:path';
import type { Connection } from '../../../shared/connections/connections.ts';
import { AppError, type RefusalReason } from '../../../shared/errors/errors.ts';
import type { ReplaceableCredential } from '../wire/services/replaceable.ts';
import type { Services } from '../wire/services/services.ts';
import { summarizeAuthorities } from './authorities.ts';
import type { SecretStore } from './secret-store.ts';
import type { StoredClientCertificate } from './stored-profiles.ts';

/** A connection without its secret. */
export interface ConnectionProfile extends Pick<
  Connection,
  'id' | 'name' | 'color' | 'dataUrl' | 'platformUrl' | 'method' | 'readOnly' | 'sample' | 'proxy'
> {
  readonly email?: string | undefined;
  /** Trusted certificates in PEM, beside the system's. */
  readonly authorities: readonly string[];
  readonly clientCertificate?: StoredClientCertificate;
  /** Whether its profile is on disk; else it exists until this process ends. */
  readonly saved: boolean;
  /** When its key was last accepted or its sign-in succeeded: ISO 8601, UTC. */
  readonly acceptedAt?: string | undefined;
  /** When its secret was replaced: ISO 8601, UTC. */
  readonly replacedAt?: string | undefined;
}

/** The services of a connection, with a credential source that can be replaced while they are in use. */
export interface OpenConnection {
  readonly services: Services;
  readonly credential: ReplaceableCredential;
  /** Uses the secret that is stored now. */
  renew(): void;
}

export interface RegistryEntry {
  profile: ConnectionProfile;
  /** Null: the environment provides the credentials. */
  readonly secretStore: SecretStore | null;
  /** Why the services refuse the credentials; null if they don't. */
  refusal: RefusalReason | null;
  /** Opens the services. The function that it gets returns the current profile. */
  readonly open: (profile: () => ConnectionProfile) => OpenConnection;
}

/** The connections of this process: saved ones, and those of this session. */
export type ConnectionRegistry = ReturnType<typeof createRegistry>;

/** A connection as the contract shows it. */
export function toConnection({ profile, secretStore, refusal }: RegistryEntry): Connection {
  const {
    authorities,
    clientCertificate,
    email,
    acceptedAt: _acceptedAt,
    replacedAt: _replacedAt,
    ...rest
  } = profile;
  const { place, trouble } = secretStore?.state() ?? { place: 'environment' as const, trouble: undefined };
  return {
    ...rest,
    secret: place,
    ...(trouble === undefined ? {} : { keychain: trouble }),
    ...(refusal === null ? {} : { refused: refusal }),
    ...(email === undefined ? {} : { email }),
    ...(clientCertificate ? { clientCertificate: basename(clientCertificate.path) } : {}),
    ...(clientCertificate?.keyPath === undefined ? {} : { clientKey: basename(clientCertificate.keyPath) }),
    ...(authorities.length === 0 ? {} : { authorities: summarizeAuthorities(authorities) }),
  };
}

/** Whether two profiles reach the services differently, so that open services must be reopened. */
function hasOtherRoute(a: ConnectionProfile, b: ConnectionProfile): boolean {
  const routeKey = ({ dataUrl, platformUrl, authorities, clientCertificate, proxy }: ConnectionProfile) =>
    JSON.stringify([dataUrl, platformUrl, proxy, clientCertificate, authorities]);
  return routeKey(a) !== routeKey(b);
}

/**
 * @param onChange called after each change
 */
export function createRegistry(onChange: () => void) {
  const entries = new Map<string, RegistryEntry>();
  const open = new Map<string, OpenConnection>();

  function entry(id: string): RegistryEntry {
    const existing = entries.get(id);
    if (!existing) throw new AppError('connection_unknown', { connection: id });
    return existing;
  }
  async function closeServices(id: string): Promise<void> {
    const existing = open.get(id);
    open.delete(id);
    await existing?.services.close();
  }
  return {
    list: (): Connection[] => [...entries.values()].map(toConnection),
    has: (id: string): boolean => entries.has(id),
    /** @throws AppError `connection_unknown` */
    entry,
    /** Adds a connection; closes and replaces one with the same id. */
    async put(newEntry: RegistryEntry): Promise<Connection> {
      const { id } = newEntry.profile;
      entries.set(id, newEntry);
      await closeServices(id);
      onChange();
      return toConnection(newEntry);
    },
    /**
     * Changes a profile and closes the services if their addresses or proxy changed.
     * @throws AppError `connection_unknown`
     */
    async update(id: string, change: Partial<ConnectionProfile>): Promise<Connection> {
      const existing = entry(id);
      const previous = existing.profile;
      existing.profile = { ...previous, ...change };
      if (hasOtherRoute(previous, existing.profile)) {
        existing.refusal = null;
        await closeServices(id);
      }
      onChange();
      return toConnection(existing);
    },
    /**
     * The services, opened at the first call.
     * @throws AppError `connection_unknown`, `invalid_input`
     */
    open(id: string): OpenConnection {
      const existing = entry(id);
      const openServices = open.get(id) ?? existing.open(() => existing.profile);
      open.set(id, openServices);
      return openServices;
    },
    /** Sets or clears the refusal of a connection; unknown ids are ignored. */
    setRefusal(id: string, reason: RefusalReason | null): void {
      const existing = entries.get(id);
      if (!existing || existing.refusal === reason) return;
      existing.refusal = reason;
      onChange();
    },
    /** If it is open: uses the secret that is stored now. */
    renew: (id: string): void => open.get(id)?.renew(),
    /** All open connections. */
    openServices: (): OpenConnection[] => [...open.values()],
    /**
     * Closes and removes a connection.
     * @throws AppError `connection_unknown`
     */
    async remove(id: string): Promise<void> {
      entry(id);
      entries.delete(id);
      await closeServices(id);
      onChange();
    },
    async close(): Promise<void> {
      entries.clear();
      await Promise.all([...open.keys()].map(closeServices));
    },
  };
}
