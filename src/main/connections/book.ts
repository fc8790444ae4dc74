import type { Connection, Credential } from '../../shared/connections.ts';
import { AppError } from '../../shared/errors.ts';
import type { Services } from '../services/services.ts';

/** A connection of this session: its profile, how to open it, and what is open. */
interface Entry {
  readonly profile: Connection;
  /** Null once the services are open: from then on they alone hold what proves who asks. */
  credential: Credential | null;
  services: Services | null;
}

/**
 * The connections of this session, in memory. Profiles hold no secret: saving them to disk, and their
 * secrets to the keychain, belongs here.
 */
export interface ConnectionBook {
  list(): Connection[];
  /** Puts a connection in; one with the same id is closed and replaced. */
  put(profile: Connection, credential: Credential): Promise<Connection>;
  has(id: string): boolean;
  /** @throws AppError `connection_unknown` */
  get(id: string): Connection;
  /** Opens the services at the first call. @throws AppError `connection_unknown`, and what opening throws */
  services(id: string): Services;
  /** Closes and forgets it. @throws AppError `connection_unknown` */
  remove(id: string): Promise<void>;
  close(): Promise<void>;
}

/** @param open opens the services of a connection */
export function createBook(open: (profile: Connection, credential: Credential) => Services): ConnectionBook {
  const entries = new Map<string, Entry>();

  function entry(id: string): Entry {
    const found = entries.get(id);
    if (!found) throw new AppError('connection_unknown', { connection: id });
    return found;
  }
  async function drop(id: string): Promise<void> {
    const found = entries.get(id);
    entries.delete(id);
    await found?.services?.close();
  }
  return {
    list: () => [...entries.values()].map(({ profile }) => profile),
    has: (id) => entries.has(id),
    get: (id) => entry(id).profile,
    async put(profile, credential) {
      await drop(profile.id);
      entries.set(profile.id, { profile, credential, services: null });
      return profile;
    },
    services(id) {
      const found = entry(id);
      if (found.credential !== null) {
        found.services = open(found.profile, found.credential);
        found.credential = null;
      }
      if (found.services === null) throw new AppError('connection_unknown', { connection: id });
      return found.services;
    },
    async remove(id) {
      entry(id);
      await drop(id);
    },
    async close() {
      await Promise.all([...entries.keys()].map(drop));
    },
  };
}
