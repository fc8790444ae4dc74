import type { Connection } from '../../shared/connections/connections.ts';
import { AppError, type RefusalReason } from '../../shared/errors/errors.ts';
import type { ReplaceableCredential } from '../services/replaceable.ts';
import type { Services } from '../services/services.ts';
import { shownAuthorities } from './authorities.ts';
import type { SecretStore } from './secret-store.ts';

/** What is known of a connection; it holds no secret. */
export interface Facts extends Pick<
  Connection,
  'id' | 'name' | 'color' | 'dataUrl' | 'platformUrl' | 'method' | 'readOnly' | 'sample' | 'proxy'
> {
  readonly email?: string | undefined;
  /** Certificates in PEM that are trusted beside the system's. */
  readonly authorities: readonly string[];
  /** Whether its profile is on disk; else it lives as long as this process. */
  readonly saved: boolean;
  /** When its key was last seen to be accepted, or its login was given: ISO 8601, UTC. */
  readonly acceptedAt?: string | undefined;
}

/** Services of a connection with the credential that can be replaced while they are in use. */
export interface OpenConnection {
  readonly services: Services;
  readonly credential: ReplaceableCredential;
  /** Goes on with the secret that stands in its place now. */
  renew(): void;
}

export interface Entry {
  facts: Facts;
  /** Null: its secret comes from the environment. */
  readonly secretStore: SecretStore | null;
  /** Why the services let its secret in no more; null: they do, as far as it is known. */
  refusal: RefusalReason | null;
  /** Opens the services; given the facts as they are then, and later as they become. */
  readonly open: (facts: () => Facts) => OpenConnection;
}

/** The connections that this process knows: saved ones, and those of this session. */
export type ConnectionBook = ReturnType<typeof createBook>;

/** A connection as it is shown. */
export function shownConnection({ facts, secretStore, refusal }: Entry): Connection {
  const { authorities, email, acceptedAt: _unshown, ...rest } = facts;
  const { place, trouble } = secretStore?.state() ?? { place: 'environment' as const, trouble: undefined };
  return {
    ...rest,
    secret: place,
    ...(trouble === undefined ? {} : { keychain: trouble }),
    ...(refusal === null ? {} : { refused: refusal }),
    ...(email === undefined ? {} : { email }),
    ...(authorities.length === 0 ? {} : { authorities: shownAuthorities(authorities) }),
  };
}

/** Whether requests go another way, so that what is open has to be opened anew. */
function leadsElsewhere(a: Facts, b: Facts): boolean {
  const way = ({ dataUrl, platformUrl, authorities, proxy }: Facts) =>
    [dataUrl, platformUrl, proxy?.address, proxy?.user, ...authorities].join(' ');
  return way(a) !== way(b);
}

/** @param onChange told after each change */
export function createBook(onChange: () => void) {
  const entries = new Map<string, Entry>();
  const open = new Map<string, OpenConnection>();

  function entry(id: string): Entry {
    const found = entries.get(id);
    if (!found) throw new AppError('connection_unknown', { connection: id });
    return found;
  }
  async function shut(id: string): Promise<void> {
    const found = open.get(id);
    open.delete(id);
    await found?.services.close();
  }
  return {
    list: (): Connection[] => [...entries.values()].map(shownConnection),
    has: (id: string): boolean => entries.has(id),
    /** @throws AppError `connection_unknown` */
    entry,
    /** Puts a connection in; one with the same id is closed and replaced. */
    async put(made: Entry): Promise<Connection> {
      const { id } = made.facts;
      entries.set(id, made);
      await shut(id);
      onChange();
      return shownConnection(made);
    },
    /** Changes what is known of it. Services that go another way from now on are closed. @throws `connection_unknown` */
    async update(id: string, change: Partial<Facts>): Promise<Connection> {
      const found = entry(id);
      const before = found.facts;
      found.facts = { ...before, ...change };
      if (leadsElsewhere(before, found.facts)) {
        found.refusal = null;
        await shut(id);
      }
      onChange();
      return shownConnection(found);
    },
    /** Opens the services at the first call. @throws AppError `connection_unknown`, and what opening throws */
    open(id: string): OpenConnection {
      const found = entry(id);
      const opened = open.get(id) ?? found.open(() => found.facts);
      open.set(id, opened);
      return opened;
    },
    /** Notes whether the secret of a connection is let in. What is not in the book is left alone. */
    refuse(id: string, why: RefusalReason | null): void {
      const found = entries.get(id);
      if (!found || found.refusal === why) return;
      found.refusal = why;
      onChange();
    },
    /** If it is open: goes on with the secret that stands in its place now. */
    renew: (id: string): void => open.get(id)?.renew(),
    /** What is open now, without opening anything. */
    opened: (): OpenConnection[] => [...open.values()],
    /** Closes and forgets it. @throws AppError `connection_unknown` */
    async remove(id: string): Promise<void> {
      entry(id);
      entries.delete(id);
      await shut(id);
      onChange();
    },
    async close(): Promise<void> {
      entries.clear();
      await Promise.all([...open.keys()].map(shut));
    },
  };
}
