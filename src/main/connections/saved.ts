import { randomUUID } from 'node:crypto';
import type {
  Connection,
  ConnectionChange,
  ConnectionDraft,
  Credential,
} from '../../shared/connections/connections.ts';
import { invalidInput } from '../../shared/errors/errors.ts';
import type { ConnectionBook, Entry, Facts } from './book.ts';
import { afterChange, emailOf, factsOf, isOther, profileOf, proxyOf, freeColor, freeName } from './facts.ts';
import type { Profile, ProfileStore } from './profiles.ts';
import type { ProxyPasswords } from './proxy-passwords.ts';
import type { ServiceNetworkOptions } from '../services/open.ts';
import { prove } from './check.ts';
import { createLastRemoved, removedConnection } from './removed.ts';
import { type Secret, sessionSecretStore, type SecretStore, type SecretState } from './secret-store.ts';

export interface SavedDependencies {
  readonly book: ConnectionBook;
  /** Null: nothing is saved, as in a process that has no folder. */
  readonly profiles: ProfileStore | null;
  readonly secretStore: (
    id: string,
    place: SecretState['place'],
    onChange: (state: SecretState) => void,
  ) => SecretStore;
  readonly entry: (facts: Facts, secretStore: SecretStore) => Entry;
  readonly way: (
    facts: Pick<Facts, 'id' | 'dataUrl' | 'platformUrl' | 'authorities' | 'proxy'>,
    proxyPassword?: () => Promise<string | null>,
  ) => ServiceNetworkOptions;
  readonly proxyPasswords: ProxyPasswords;
  /** The certificates in a file that a person chose. */
  readonly authorities: (caFile: string) => Promise<string[]>;
  /** Does small work on disk later, one after the other. */
  readonly later: (work: () => Promise<unknown>) => void;
}

/** A day, in milliseconds: when a key was last accepted is written down no more often. */
const day = 86_400_000;

/** The connections that a person keeps, on disk and in the book, and what they do with them. */
export class SavedConnections {
  readonly #by: SavedDependencies;
  readonly #removed = createLastRemoved();
  #line: Promise<unknown> = Promise.resolve();

  constructor(dependencies: SavedDependencies) {
    this.#by = dependencies;
  }

  /** Brings the book up to what is on disk, which other processes may have changed. @throws AppError as the store */
  load(): Promise<void> {
    return this.#inLine(() => this.#load());
  }

  /** @throws AppError as proving the credential and as the store; nothing is kept then */
  async add(draft: ConnectionDraft, signal?: AbortSignal): Promise<Connection> {
    const { dataUrl, platformUrl, readOnly, credential } = draft;
    const authorities = draft.caFile ? await this.#by.authorities(draft.caFile) : [];
    const target = { id: randomUUID(), dataUrl, platformUrl, authorities, proxy: proxyOf(draft.proxy) };
    const password = draft.proxy?.password ?? null;
    const way = this.#by.way(target, async () => password);
    const secret = await prove(credential, way, { services: triedAt(draft), signal });
    const facts: Facts = {
      ...target,
      name: draft.name,
      color: draft.color,
      method: credential.method,
      email: emailOf(credential),
      readOnly,
      sample: false,
      saved: this.#by.profiles !== null,
      ...(draft.saveAnyway ? {} : { acceptedAt: new Date().toISOString() }),
    };
    const remember = draft.remember !== false;
    return this.#inLine(async () => {
      const kept = await this.#keep(facts, secret, remember);
      if (password !== null) await this.#by.proxyPasswords.write(kept.id, password, remember);
      return kept;
    });
  }

  /** Puts profiles in that have no secret yet. @throws AppError as the store */
  addProfiles(made: readonly Omit<Profile, 'id' | 'secret'>[]): Promise<Connection[]> {
    return this.#inLine(async () => {
      const ids = new Set<string>();
      await this.#by.profiles?.change((all) => {
        const next = [...all];
        for (const one of made) {
          const others = [...this.#by.book.list(), ...next];
          const id = randomUUID();
          ids.add(id);
          const told = { name: freeName(one.name, others), color: freeColor(one.color, others) };
          next.push({ ...one, ...told, id, secret: 'none' });
        }
        return next;
      });
      await this.#load();
      return this.#by.book.list().filter(({ id }) => ids.has(id));
    });
  }

  /** @throws AppError `invalid_input` when the secret would go to another host unasked; as `add` */
  async change(input: ConnectionChange, signal?: AbortSignal): Promise<Connection> {
    const { connection: id, credential } = input;
    const { facts: before, secretStore } = this.#own(id);
    const { proxyPasswords } = this.#by;
    const { after, wanted, proxyPassword } = await afterChange(before, input, this.#by.authorities);
    const password = proxyPassword === undefined ? await proxyPasswords.read(id) : proxyPassword;
    const way = this.#by.way(after, async () => password);
    const secret = credential && (await prove(credential, way, { services: triedAt(input), signal }));
    return this.#inLine(async () => {
      const others = this.#by.book.list().filter((one) => one.id !== id);
      const name = wanted.name === undefined ? before.name : freeName(wanted.name, others);
      const change = { ...wanted, name };
      await this.#write(id, change);
      if (proxyPassword === null) await proxyPasswords.forget(id);
      else if (proxyPassword !== undefined)
        await proxyPasswords.write(id, proxyPassword, secretStore.state().place === 'keychain');
      const connection = await this.#by.book.update(id, change);
      return secret ? this.#replaceSecret(id, secret, emailOf(credential)) : connection;
    });
  }

  /** Another key or login, tried before the old one is dropped. @throws AppError as `add` */
  async authenticate(id: string, credential: Credential, signal?: AbortSignal): Promise<Connection> {
    const { facts } = this.#own(id);
    const secret = await prove(credential, this.#by.way(facts), { services: 'either', signal });
    return this.#inLine(() => this.#replaceSecret(id, secret, emailOf(credential)));
  }

  /** @throws AppError `connection_unknown`; `keychain_unavailable` unless the secret may be left where it is */
  remove(id: string, leaveSecret: boolean): Promise<void> {
    return this.#inLine(async () => {
      const { secretStore, facts } = this.#by.book.entry(id);
      const onDisk = (await this.#by.profiles?.read())?.find((one) => one.id === id);
      const proxyPassword = facts.proxy?.user === undefined ? null : await this.#by.proxyPasswords.read(id);
      const removed = { ...(await removedConnection(facts, secretStore)), proxyPassword };
      let left = false;
      await secretStore?.forget().catch((error: unknown) => {
        // Where it never was in the keychain, nothing is left behind there.
        if (onDisk?.secret === 'keychain' && !leaveSecret) throw error;
        left = onDisk?.secret === 'keychain';
      });
      if (facts.saved) await this.#by.profiles?.change((all) => all.filter((one) => one.id !== id));
      await this.#by.book.remove(id);
      if (facts.proxy) await this.#by.proxyPasswords.forget(id);
      if (secretStore && !facts.sample) this.#removed.put(left ? { ...removed, place: 'left' } : removed);
    });
  }

  /**
   * Brings back the connection that was removed last, with its secret where it was.
   * @throws AppError `invalid_input` when that can't be undone any more; as the store
   */
  restore(id: string): Promise<Connection> {
    return this.#inLine(async () => {
      const removed = this.#removed.take(id);
      if (!removed) throw invalidInput('This can’t be undone anymore. Add the connection again.');
      const { facts, secret, place, proxyPassword } = removed;
      if (proxyPassword !== null)
        await this.#by.proxyPasswords.write(id, proxyPassword, place === 'keychain');
      if (secret) return this.#keep(facts, secret, place !== 'session');
      const secretStore = this.#secretStore(id, place === 'left' ? 'keychain' : 'missing');
      await this.#by.profiles?.change((all) => [...all, profileOf(facts, placeOf(secretStore))]);
      return this.#by.book.put(this.#by.entry(facts, secretStore));
    });
  }

  /** What must never be seen of what was removed, for redaction. */
  secrets(): string[] {
    return this.#removed.secrets();
  }

  close(): void {
    this.#removed.put(null);
  }

  /** Remembers that a service let the key of a connection in. */
  accepted(id: string): void {
    if (!this.#by.book.has(id)) return;
    const { facts } = this.#by.book.entry(id);
    if (!facts.saved || Date.now() - Date.parse(facts.acceptedAt ?? '1970-01-01') < day) return;
    const acceptedAt = new Date().toISOString();
    void this.#by.book.update(id, { acceptedAt });
    this.#by.later(() => this.#write(id, { acceptedAt }));
  }

  /** What changes the list happens one after the other in this process. */
  #inLine<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#line.then(work);
    this.#line = result.catch(() => undefined);
    return result;
  }

  async #load(): Promise<void> {
    const { book, profiles, entry } = this.#by;
    if (!profiles) return;
    const found = await profiles.read();
    for (const one of found) {
      const facts = factsOf(one);
      if (book.has(one.id)) await this.#renew(one, facts);
      else
        await book.put(
          entry(facts, this.#secretStore(one.id, one.secret === 'keychain' ? 'keychain' : 'missing')),
        );
    }
    const known = new Set(found.map(({ id }) => id));
    for (const { id, saved } of book.list()) if (saved && !known.has(id)) await book.remove(id);
  }

  /** Takes over what another process wrote, another key among it. */
  async #renew({ id, secret }: Profile, found: Facts): Promise<void> {
    const { book } = this.#by;
    const { facts: before, secretStore } = book.entry(id);
    // What this process has seen accepted is written down a little later.
    const isBehind = (before.acceptedAt ?? '') > (found.acceptedAt ?? '');
    const facts = isBehind ? { ...found, acceptedAt: before.acceptedAt } : found;
    if (!isOther(before, facts)) return;
    await book.update(id, facts);
    if (before.method === facts.method && before.acceptedAt === facts.acceptedAt) return;
    book.renew(id);
    // It was missing when this process looked last, and another process has put one there.
    if (secret === 'keychain' && secretStore?.state().place === 'missing')
      await secretStore.read().catch(() => null);
  }

  async #keep(facts: Facts, secret: Secret, remember: boolean): Promise<Connection> {
    const { book, profiles, entry } = this.#by;
    await this.#load();
    const { id } = facts;
    const others = book.list();
    const named = { ...facts, name: freeName(facts.name, others), color: freeColor(facts.color, others) };
    const secretStore = remember
      ? this.#secretStore(id, 'missing')
      : sessionSecretStore(id, () => this.#changed(id));
    await secretStore.write(secret);
    await profiles
      ?.change((all) => [...all, profileOf(named, placeOf(secretStore))])
      .catch(async (error: unknown) => {
        await secretStore.forget().catch(() => undefined);
        throw error;
      });
    return book.put(entry(named, secretStore));
  }

  /** Puts another secret in the place of the old one, which is dropped only now that the new one is good. */
  async #replaceSecret(id: string, secret: Secret, email: string | undefined): Promise<Connection> {
    const { secretStore } = this.#own(id);
    await secretStore.alone(() => secretStore.write(secret));
    const { method } = secret;
    // It was accepted just now; other processes know by this that there is another one.
    const acceptedAt = new Date().toISOString();
    await this.#write(id, { method, email, acceptedAt, secret: placeOf(secretStore) });
    const connection = await this.#by.book.update(id, { method, email, acceptedAt });
    this.#by.book.renew(id);
    return connection;
  }

  #secretStore(id: string, place: SecretState['place']): SecretStore {
    return this.#by.secretStore(id, place, (state) => {
      this.#changed(id);
      const secret = state.place === 'keychain' ? 'keychain' : 'none';
      // A secret that can't be looked at now may still be there.
      if (this.#by.book.has(id) && (state.trouble === undefined || secret === 'keychain'))
        this.#by.later(() => this.#write(id, { secret }));
    });
  }

  #changed(id: string): void {
    if (this.#by.book.has(id)) void this.#by.book.update(id, {});
  }

  async #write(id: string, change: Partial<Profile>): Promise<void> {
    await this.#by.profiles?.change((all) => all.map((one) => (one.id === id ? { ...one, ...change } : one)));
  }

  /** @throws AppError `connection_unknown`; `invalid_input` for one that is not the person's own */
  #own(id: string): { facts: Facts; secretStore: SecretStore } {
    const { facts, secretStore } = this.#by.book.entry(id);
    if (secretStore === null)
      throw invalidInput(
        `“${facts.name}” is set by the environment. Change the WELLBENCH variables instead.`,
      );
    if (facts.sample)
      throw invalidInput('The sample workspace can’t be changed. Add a connection of your own.');
    return { facts, secretStore };
  }
}

/** Where a key or login is tried before it is kept. */
const triedAt = ({ saveAnyway }: { readonly saveAnyway?: boolean | undefined }) =>
  saveAnyway ? 'none' : 'both';

function placeOf(secretStore: SecretStore): Profile['secret'] {
  return secretStore.state().place === 'keychain' ? 'keychain' : 'none';
}
