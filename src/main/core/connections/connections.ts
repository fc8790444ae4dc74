import {
  type Connection,
  type ConnectionChange,
  type Credential,
  credential as credentialSchema,
  serviceUrl,
} from '../../../shared/connections/connections.ts';
import type { ConnectionOrDraft, DiagnosisEvent } from '../../../shared/contract/connections.ts';
import type { calls } from '../../../shared/contract/contract.ts';
import {
  AppError,
  invalidInput,
  isAppError,
  type Issue,
  type KeychainTrouble,
  toAppError,
  type RefusalReason,
} from '../../../shared/errors/errors.ts';
import { append } from '../../../shared/lists.ts';
import type { Notice } from '../../../shared/workspace/workspace.ts';
import { createBroadcast } from '../broadcast.ts';
import type { Files } from '../files/files.ts';
import type { ModuleHandlers } from '../handlers.ts';
import type { Keychain } from '../keychain/keychain.ts';
import { createQueue } from '../queue.ts';
import { readClientCertificate } from '../wire/http/client-certificate.ts';
import type { Environment, ResolveProxy } from '../wire/http/routes.ts';
import {
  parseApiKey,
  apiKeyCredential,
  replaceable,
  type ReplaceableCredential,
} from '../wire/services/credentials.ts';
import type { Services } from '../wire/services/services.ts';
import { randomUUID } from '../../world/random.ts';
import { wallMs, clearInterval, setInterval } from '../../world/time.ts';
import { Certificates, environmentCertificate, environmentId, summarizeAuthorities } from './certificates.ts';
import { checkServices, diagnose, type DiagnosisTarget } from './check.ts';
import {
  applyChange,
  type ConnectionProfile,
  exportProfiles,
  type ProfileStore,
  profilesFromText,
  profileOf,
  SavedConnections,
} from './profiles.ts';
import { sampleId } from '../../../shared/jobs/job-states.ts';
import { createSample, openDemoWorker, type OpenDemo } from './sample.ts';
import {
  createSecretStores,
  ExtraPasswords,
  keychainService,
  troubleOf,
  type SecretStore,
} from './secrets.ts';
import { basename } from 'node:path';
import type { CredentialSource, Http } from '../wire/http/http.ts';
import { credentialSource, openServices, type ServiceNetworkOptions } from '../wire/services/open.ts';
import { SignInCredential } from '../wire/services/token.ts';
import type { TokenStore } from '../wire/services/tokens.ts';

/** The services of a connection, with a credential source that can be replaced while they are in use. */
export interface OpenConnection {
  readonly services: Services;
  readonly credential: ReplaceableCredential;
  /** Uses the secret that is stored now. */
  renew(): void;
}

interface RegistryEntry {
  profile: ConnectionProfile;
  /** Null: the environment provides the credentials. */
  readonly secretStore: SecretStore | null;
  /** Why the password of its proxy, or the secret of its certificate, isn't in the keychain. */
  readonly extraTrouble?: (profile: ConnectionProfile) => KeychainTrouble | undefined;
  /** Why the services refuse the credentials; null if they don't. */
  refusal: RefusalReason | null;
  /** The function that it gets returns the current profile. */
  readonly open: (profile: () => ConnectionProfile) => OpenConnection;
}

function toConnection({ profile, secretStore, extraTrouble, refusal }: RegistryEntry): Connection {
  const { authorities, clientCertificate, email, replacedAt, acceptedAt: _acceptedAt, ...rest } = profile;
  const { place, trouble } = secretStore?.state() ?? { place: 'environment' as const, trouble: undefined };
  const extraKeychain = extraTrouble?.(profile);
  return {
    ...rest,
    secret: place,
    ...(trouble === undefined ? {} : { keychain: trouble }),
    ...(extraKeychain === undefined ? {} : { extraKeychain }),
    ...(refusal === null ? {} : { refused: refusal }),
    ...(email === undefined ? {} : { email }),
    ...(replacedAt === undefined ? {} : { replacedAt }),
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

/** The connections of this process: saved ones, and those of this session. */
export class ConnectionRegistry {
  readonly #entries = new Map<string, RegistryEntry>();
  readonly #open = new Map<string, OpenConnection>();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  async #closeServices(id: string): Promise<void> {
    const existing = this.#open.get(id);
    this.#open.delete(id);
    await existing?.services.close();
  }

  list(): Connection[] {
    return [...this.#entries.values()].map(toConnection);
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /** @throws AppError `connection_unknown` */
  entry(id: string): RegistryEntry {
    const existing = this.#entries.get(id);
    if (!existing) throw new AppError('connection_unknown', { connection: id });
    return existing;
  }

  /** @throws AppError `connection_unknown` */
  get(id: string): Connection {
    return toConnection(this.entry(id));
  }

  /** Adds a connection; closes and replaces one with the same id. */
  async put(newEntry: RegistryEntry): Promise<Connection> {
    const { id } = newEntry.profile;
    this.#entries.set(id, newEntry);
    await this.#closeServices(id);
    this.#onChange();
    return toConnection(newEntry);
  }

  /**
   * Changes a profile and closes the services if their addresses or proxy changed.
   * @throws AppError `connection_unknown`
   */
  async update(id: string, change: Partial<ConnectionProfile>): Promise<Connection> {
    const existing = this.entry(id);
    const previous = existing.profile;
    existing.profile = { ...previous, ...change };
    const isRerouted = hasOtherRoute(previous, existing.profile);
    if (isRerouted || previous.replacedAt !== existing.profile.replacedAt) existing.refusal = null;
    if (isRerouted) {
      // Who waits for other credentials there asks the services that are opened next.
      this.renew(id);
      await this.#closeServices(id);
    }
    this.#onChange();
    return toConnection(existing);
  }

  /** The services, opened at the first call. @throws AppError `connection_unknown`, `invalid_input` */
  open(id: string): OpenConnection {
    const existing = this.entry(id);
    const openServices = this.#open.get(id) ?? existing.open(() => existing.profile);
    this.#open.set(id, openServices);
    return openServices;
  }

  /** Null clears the refusal. Unknown ids are ignored. */
  setRefusal(id: string, reason: RefusalReason | null): void {
    const existing = this.#entries.get(id);
    if (!existing || existing.refusal === reason) return;
    existing.refusal = reason;
    this.#onChange();
  }

  /** If it is open: uses the secret that is stored now. */
  renew(id: string): void {
    this.#open.get(id)?.renew();
  }

  openServices(): OpenConnection[] {
    return [...this.#open.values()];
  }

  /** Closes and removes a connection. @throws AppError `connection_unknown` */
  async remove(id: string): Promise<void> {
    this.entry(id);
    this.#entries.delete(id);
    await this.#closeServices(id);
    this.#onChange();
  }

  async close(): Promise<void> {
    this.#entries.clear();
    await Promise.all([...this.#open.keys()].map((id) => this.#closeServices(id)));
  }
}

interface EntryOptions {
  readonly env: Environment;
  readonly onNotice?: ((notice: Notice) => void) | undefined;
  readonly resolveProxy?: ResolveProxy | undefined;
  readonly poll: PollOptions;
  readonly isReadOnly: (profile: ConnectionProfile) => Promise<boolean>;
  readonly proxyPasswords: ExtraPasswords;
  readonly certificates: Certificates;
  /** Called with the reason when credentials are refused, and with null when they are accepted. */
  readonly onRefused: (id: string, reason: RefusalReason | null) => void;
  /** Units of a dataset's fields that the application remembers; absent: none. */
  readonly fieldUnits?: Services['data']['fieldUnits'] | undefined;
  readonly onKeyAccepted: (id: string) => void;
}

/** Reads the password of a proxy; null: it has none. */
type ReadPassword = () => Promise<string | null>;

export type EntryFactory = Omit<ReturnType<typeof createEntryFactory>, 'fixed'>;

function createEntryFactory(options: EntryOptions) {
  const { env, onNotice, resolveProxy, poll, fieldUnits, onRefused, onKeyAccepted } = options;
  /** @param password reads the proxy's password; default: the stored one */
  const networkOptions = (
    { id, dataUrl, platformUrl, authorities, clientCertificate, proxy }: ConnectionProfile,
    password = () => options.proxyPasswords.get(id),
  ): ServiceNetworkOptions => ({
    dataUrl,
    platformUrl,
    authorities,
    clientCertificate: options.certificates.forNetwork(clientCertificate),
    env,
    resolveProxy,
    proxy: proxy && { ...proxy, password },
    onRetry: (notice) => onNotice?.({ ...notice, connection: id }),
    onSkipped: (notice) => onNotice?.({ ...notice, connection: id }),
    onClock: (notice) => onNotice?.({ ...notice, connection: id }),
  });

  function openConnection(
    now: () => ConnectionProfile,
    source: (http: Http) => CredentialSource,
    isReplaceable: boolean,
    password?: ReadPassword,
  ): OpenConnection {
    const { services, credential, signInHttp } = openServices(networkOptions(now(), password), (http) =>
      replaceable(source(http), (reason) => onRefused(now().id, reason)),
    );
    const data = { ...services.data, ...(fieldUnits && { fieldUnits }) };
    const wait = (signal?: AbortSignal) => waitForNewCredentials(credential, poll, signal);
    const guarded = guardInserts({ ...services, data }, now, options.isReadOnly);
    return {
      services: isReplaceable ? { ...guarded, waitForSignIn: wait } : guarded,
      credential,
      renew: () => credential.replace(source(signInHttp)),
    };
  }

  return {
    networkOptions,
    /** A connection whose secret is stored. */
    entry: (
      profile: ConnectionProfile,
      secretStore: SecretStore,
      password?: ReadPassword,
    ): RegistryEntry => ({
      profile,
      secretStore,
      extraTrouble: ({ id, clientCertificate }) =>
        options.proxyPasswords.trouble(id) ?? options.certificates.trouble(clientCertificate),
      refusal: null,
      open(now) {
        const onAccepted = () => onKeyAccepted(profile.id);
        const source = (http: Http) => storedCredential(http, now(), secretStore, onAccepted);
        return openConnection(now, source, !profile.sample, password);
      },
    }),
    /** An entry with given credentials that can't be replaced, such as those of the environment. */
    fixed: (profile: ConnectionProfile, credential: Credential, password?: ReadPassword): RegistryEntry => ({
      profile,
      secretStore: null,
      refusal: null,
      open: (now) => openConnection(now, (http) => credentialSource(credential, http), false, password),
    }),
  };
}

function storedCredential(
  http: Http,
  { method, acceptedAt }: ConnectionProfile,
  secretStore: SecretStore,
  onAccepted: () => void,
): CredentialSource {
  if (method === 'login')
    return new SignInCredential({ http, login: null, store: tokenStoreOver(secretStore) });
  const read = async (): Promise<string | null> => {
    const secret = await secretStore.read();
    return secret?.method === 'api_key' ? secret.apiKey : null;
  };
  return apiKeyCredential({ read, wasAccepted: acceptedAt !== undefined, onAccepted });
}

function tokenStoreOver(secretStore: SecretStore): TokenStore {
  return {
    async read() {
      const secret = await secretStore.read();
      return secret?.method === 'login' ? secret.tokens : null;
    },
    async write(tokens) {
      // Another process may have replaced the sign-in by an API key, which stays.
      if (!tokens && (await secretStore.read().catch(() => null))?.method === 'api_key') return;
      await secretStore.write(tokens && { method: 'login', tokens });
    },
    withLock: (work) => secretStore.withLock(work),
  };
}

interface PollOptions {
  /** Loads changes by other processes, such as a sign-in. */
  readonly reload: () => Promise<void>;
  readonly intervalMs: number;
}

/**
 * Resolves when a connection gets other credentials, in this or another process, or those it has are accepted.
 * @returns whether they are other ones
 * @throws AppError `cancelled` when the signal aborts
 */
async function waitForNewCredentials(
  credential: Pick<ReplaceableCredential, 'waitForReplacement'>,
  { reload, intervalMs }: PollOptions,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  // A failed reload is repeated at the next interval.
  const timer = setInterval(() => void reload().catch(() => undefined), intervalMs).unref();
  try {
    return await credential.waitForReplacement(signal);
  } finally {
    clearInterval(timer);
  }
}

/**
 * Makes inserts throw `connection_read_only` before anything is sent, if the connection is read-only at that
 * moment, in this or another process.
 */
function guardInserts(
  services: Services,
  now: () => ConnectionProfile,
  isReadOnly: EntryOptions['isReadOnly'],
): Services {
  const { data } = services;
  return {
    ...services,
    data: {
      ...data,
      insert: async (...call) => {
        if (await isReadOnly(now())) throw new AppError('connection_read_only', { connection: now().name });
        return data.insert(...call);
      },
    },
  };
}

export { environmentId, environmentPassphrase } from './certificates.ts';
export { openProfiles } from './profiles.ts';

const variables = {
  dataUrl: 'WELLBENCH_DATA_URL',
  platformUrl: 'WELLBENCH_PLATFORM_URL',
  apiKey: 'WELLBENCH_API_KEY',
  email: 'WELLBENCH_EMAIL',
  password: 'WELLBENCH_PASSWORD',
} as const;

/** Whether any variable of a connection is set. */
function isInEnvironment(env: Environment): boolean {
  return Object.values(variables).some((name) => (env[name] ?? '') !== '');
}

/**
 * @throws AppError `invalid_input` with an issue for each variable that is missing or malformed; no issue
 *   contains a value
 */
function readEnvironment(env: Environment): { profile: ConnectionProfile; credential: Credential } {
  const issues: Issue[] = [];
  const dataUrl = readUrl(env, variables.dataUrl, issues);
  const platformUrl = readUrl(env, variables.platformUrl, issues);
  const credential = readCredential(env, issues);
  if (issues.length > 0 || credential === null) throw new AppError('invalid_input', { issues });
  const profile: ConnectionProfile = {
    id: environmentId,
    name: new URL(dataUrl).host,
    color: 'grey',
    dataUrl,
    platformUrl,
    method: credential.method,
    readOnly: false,
    sample: false,
    authorities: [],
    clientCertificate: environmentCertificate(env),
    saved: false,
  };
  return { profile, credential };
}

function readUrl(env: Environment, name: string, issues: Issue[]): string {
  const text = env[name]?.trim() ?? '';
  const parsed = serviceUrl.safeParse(text);
  if (text !== '' && parsed.success) return parsed.data;
  const message =
    text === '' ? 'This variable is not set.' : (parsed.error?.issues[0]?.message ?? 'Not an address.');
  issues.push({ message, place: { field: name } });
  return '';
}

function readCredential(env: Environment, issues: Issue[]): Credential | null {
  const { apiKey, email, password } = variables;
  if (env[apiKey]) return readKey(env[apiKey], issues);
  if (!env[email] && !env[password]) {
    const message = `This variable is not set. Set it, or ${email} and ${password}.`;
    issues.push({ message, place: { field: apiKey } });
    return null;
  }
  for (const name of [email, password]) {
    if (!env[name]) issues.push({ message: 'This variable is not set.', place: { field: name } });
  }
  if (!env[email] || !env[password]) return null;
  const login = credentialSchema.safeParse({
    method: 'login',
    email: env[email].trim(),
    password: env[password],
  });
  if (login.success) return login.data;
  for (const { path, message } of login.error.issues) {
    issues.push({ message, place: { field: path[0] === 'password' ? password : email } });
  }
  return null;
}

function readKey(text: string, issues: Issue[]): Credential | null {
  try {
    return { method: 'api_key', apiKey: parseApiKey(text, variables.apiKey) };
  } catch (error) {
    if (!isAppError(error, 'invalid_input')) throw error;
    append(issues, error.details.issues);
    return null;
  }
}

interface DiagnosisOptions {
  readonly env: Environment;
  readonly about?: { readonly version: string; readonly host: string } | undefined;
  readonly certificates: Certificates;
  readonly proxyPasswords: ExtraPasswords;
}

/** A connection to diagnose. Closing it closes its services, unless the registry owns them. */
interface OpenTarget extends DiagnosisTarget {
  readonly close: () => Promise<void>;
}

interface TargetSecrets {
  readonly password: ReadPassword;
  readonly savedCertificate?: ConnectionProfile['clientCertificate'];
}

/** Diagnoses and tests connections: of the registry, drafts, and changes; drafts are not saved. */
function createDiagnosis(
  registry: ConnectionRegistry,
  entryFactory: ReturnType<typeof createEntryFactory>,
  { env, about, certificates, proxyPasswords }: DiagnosisOptions,
) {
  async function openTarget(input: ConnectionOrDraft): Promise<OpenTarget> {
    if ('change' in input) return openChange(input.change);
    if ('draft' in input) {
      const { credential, proxy } = input.draft;
      const profile = await profileOf(input.draft, certificates);
      return openUnsaved(profile, credential, { password: async () => proxy?.password ?? null });
    }
    const { profile, secretStore } = registry.entry(input.connection);
    return {
      networkOptions: entryFactory.networkOptions(profile),
      method: profile.method,
      secretStore,
      connection: registry.open(input.connection),
      close: async () => undefined,
    };
  }

  /** Uses the stored secret if no other is entered and the hosts don't change. */
  async function openChange(change: ConnectionChange): Promise<OpenTarget> {
    const { profile: saved, secretStore } = registry.entry(change.connection);
    const { after: changedProfile, proxyPassword } = await applyChange(saved, change, certificates);
    const password = async () =>
      proxyPassword === undefined ? proxyPasswords.get(change.connection) : proxyPassword;
    // A separate id: the results must not affect the connection itself.
    const profile: ConnectionProfile = { ...changedProfile, id: randomUUID() };
    const secrets = { password, savedCertificate: saved.clientCertificate };
    return change.credential || !secretStore
      ? openUnsaved(profile, change.credential ?? null, secrets)
      : openEntry(entryFactory.entry(profile, secretStore, password), secrets);
  }

  /** @throws AppError `invalid_input` for an invalid key, or without credentials */
  function openUnsaved(profile: ConnectionProfile, credential: Credential | null, secrets: TargetSecrets) {
    if (!credential) throw invalidInput('Enter the credentials.', { field: 'credential' });
    const unsaved = { ...profile, method: credential.method };
    return openEntry(entryFactory.fixed(unsaved, credential, secrets.password), secrets);
  }

  function openEntry(entry: RegistryEntry, { password, savedCertificate }: TargetSecrets): OpenTarget {
    const { profile, secretStore, open } = entry;
    const connection = open(() => profile);
    return {
      networkOptions: entryFactory.networkOptions(profile, password),
      method: profile.method,
      secretStore,
      connection,
      async close() {
        certificates.forget(profile.clientCertificate, savedCertificate);
        await connection.services.close();
      },
    };
  }

  async function* events(input: ConnectionOrDraft, signal?: AbortSignal): AsyncGenerator<DiagnosisEvent> {
    const target = await openTarget(input);
    const environment = { version: about?.version ?? '', host: about?.host ?? '', env, now: wallMs() };
    try {
      yield* diagnose(target, environment, signal ?? new AbortController().signal);
    } finally {
      await target.close();
    }
  }
  return { openTarget, diagnose: events };
}

export interface ConnectionsOptions {
  /** Source of the connection variables and the proxy variables. */
  readonly env: Environment;
  readonly onNotice?: ((notice: Notice) => void) | undefined;
  /** Starts the sample services; default: in a worker thread. */
  readonly openDemo?: (() => Promise<OpenDemo>) | undefined;
  /** Where connections are saved; absent: they exist until this process ends. */
  readonly profiles?: ProfileStore | undefined;
  /** Where secrets are stored; absent: in memory. */
  readonly keychain?: Keychain | undefined;
  /** Whether credentials stay as they are if the keychain refuses new ones, because this process ends soon. */
  readonly needsKeychain?: boolean | undefined;
  /** Folder of the locks for renewing tokens. */
  readonly lockFolder?: string | undefined;
  /** Resolves tokens of CA files. */
  readonly files?: Pick<Files, 'source'> | undefined;
  /** Units of a dataset's fields that the application remembers; absent: none. */
  readonly fieldUnits?: Services['data']['fieldUnits'] | undefined;
  readonly resolveProxy?: ResolveProxy | undefined;
  /** The version and host of Wellbench, for reports. */
  readonly about?: { readonly version: string; readonly host: string } | undefined;
  /** Polling interval for changes by other processes while a job waits for sign-in, in milliseconds. */
  readonly pollIntervalMs?: number | undefined;
  readonly warn?: ((sentence: string) => void) | undefined;
}

export type Connections = ReturnType<typeof createConnections>;

const pollIntervalMs = 2000;

/** An account that no connection has, to test whether the keychain is unlocked. */
const probeAccount = 'nobody';

/** The connections and their operations. */
export function createConnections(options: ConnectionsOptions) {
  const { env, onNotice, resolveProxy, keychain, warn = () => undefined } = options;
  const changes = createBroadcast<Connection[]>(() => 'all');
  const registry = new ConnectionRegistry(() => changes.send(registry.list()));
  const proxyPasswords = new ExtraPasswords(keychain ?? null, 'proxy');
  const certificates = new Certificates({ keychain: keychain ?? null, files: options.files, env });
  const entryFactory = createEntryFactory({
    env,
    proxyPasswords,
    certificates,
    onNotice,
    resolveProxy,
    fieldUnits: options.fieldUnits,
    poll: { reload: () => saved.load(), intervalMs: options.pollIntervalMs ?? pollIntervalMs },
    isReadOnly: (profile) => saved.isReadOnly(profile),
    onRefused: (id, reason) => registry.setRefusal(id, reason),
    onKeyAccepted: (id) => saved.recordAccepted(id),
  });
  const background = createQueue();
  const saved = new SavedConnections({
    registry,
    profiles: options.profiles ?? null,
    secretStore: createSecretStores(keychain ?? null, options.lockFolder ?? null),
    ...entryFactory,
    certificates,
    proxyPasswords,
    needsKeychain: options.needsKeychain ?? false,
    enqueue: (work) => void background(work).catch((error: unknown) => warn(toAppError(error).message)),
  });
  const sample = createSample(registry, entryFactory.entry, options.openDemo ?? (() => openDemoWorker(env)));
  const diagnosis = createDiagnosis(registry, entryFactory, {
    env,
    about: options.about,
    certificates,
    proxyPasswords,
  });

  const fromEnvironment = async (): Promise<Connection> => {
    if (registry.has(environmentId)) return registry.get(environmentId);
    const { profile, credential } = readEnvironment(env);
    return registry.put(entryFactory.fixed(profile, credential));
  };
  /** Invalid variables are reported when their connection is used, not here. */
  const listAll = async (): Promise<Connection[]> => {
    await saved.load();
    if (isInEnvironment(env) && !registry.has(environmentId)) await fromEnvironment().catch(() => undefined);
    return registry.list();
  };
  const handlers: ModuleHandlers<(typeof calls)['connections']> = {
    list: listAll,
    add: (draft, { signal }) => saved.add(draft, signal),
    openSample: () => sample.open(),
    async test(input, { signal }) {
      const { connection: target, networkOptions, close } = await diagnosis.openTarget(input);
      const { clientCertificate } = networkOptions;
      try {
        // The form shows beside the field what is wrong with the certificate.
        if (clientCertificate && !('connection' in input)) await readClientCertificate(clientCertificate);
        return await checkServices(target.services, networkOptions, signal);
      } finally {
        await close();
      }
    },
    async remove({ connection, leaveSecret }) {
      await saved.remove(connection, leaveSecret ?? false);
      if (connection === sampleId) await sample.close();
      return {};
    },
    duplicate: ({ connection }) => saved.duplicate(connection),
    change: (change, { signal }) => saved.change(change, signal),
    authenticate: ({ connection, credential }, { signal }) =>
      saved.authenticate(connection, credential, signal),
    diagnose: async (input, { signal }) => diagnosis.diagnose(input, signal),
    async exportProfiles({ connections }) {
      await saved.load();
      return exportProfiles(profilesIn(registry), connections);
    },
    async importProfiles({ text }) {
      await saved.load();
      const { profiles, problems } = profilesFromText(text, profilesIn(registry));
      return { added: await saved.addProfiles(profiles), problems };
    },
    keychain: async () => ({ trouble: await keychainTrouble(keychain) }),
  };
  return {
    handlers,
    /** Yields all connections, then again after each change, until the signal aborts. */
    watch: (signal: AbortSignal | undefined): AsyncGenerator<Connection[]> =>
      changes.listen(signal, async () => [await listAll()]),
    /** Reads the saved connections at startup; failures become warnings. */
    load: (): Promise<void> => saved.load().catch((error: unknown) => warn(toAppError(error).message)),
    /**
     * The services of a connection, opened at the first call.
     * @throws AppError `connection_unknown`, `invalid_input`
     */
    services: (id: string): Services => registry.open(id).services,
    /**
     * The services that a job started with; others may have different records.
     * @throws AppError `connection_unknown`, `invalid_input` if the connection has another address now
     */
    servicesOfJob({ id, dataUrl }: Pick<Connection, 'id' | 'dataUrl'>): Services {
      if (registry.has(id) && registry.get(id).dataUrl === dataUrl) return registry.open(id).services;
      if (id === sampleId)
        throw invalidInput('The sample workspace creates new data at each start. Discard this job.');
      throw invalidInput(
        `This job started with ${dataUrl}, but the connection now has the address ${registry.get(id).dataUrl}. Correct the connection.`,
      );
    },
    /** @throws AppError `connection_unknown` */
    get: (id: string): Connection => registry.get(id),
    /** Why the keychain refused credentials that only this process has now; undefined: there are none. */
    unsaved: (): KeychainTrouble | undefined =>
      registry.list().find(({ secret, keychain: trouble }) => secret === 'session' && trouble)?.keychain,
    /**
     * The connection of WELLBENCH_DATA_URL, WELLBENCH_PLATFORM_URL, and WELLBENCH_API_KEY or WELLBENCH_EMAIL
     * and WELLBENCH_PASSWORD.
     * @throws AppError `invalid_input` with each variable that is missing or malformed
     */
    fromEnvironment,
    /** Texts to redact. */
    secrets: (): string[] => [
      ...registry.openServices().flatMap(({ credential }) => [...credential.secrets()]),
      ...proxyPasswords.secrets(),
      ...certificates.secrets(),
    ],
    async close(): Promise<void> {
      await registry.close();
      await sample.close();
      await background(async () => undefined);
    },
  };
}

const profilesIn = (registry: ConnectionRegistry): ConnectionProfile[] =>
  registry.list().map(({ id }) => registry.entry(id).profile);

const keychainTrouble = async (keychain: Keychain | undefined): Promise<KeychainTrouble | null> =>
  keychain ? keychain.getPassword(keychainService, probeAccount).then(() => null, troubleOf) : 'off';
