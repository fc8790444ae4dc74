import * as z from 'zod';
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
} from '../../../shared/errors/errors.ts';
import { append } from '../../../shared/lists.ts';
import type { Notice } from '../../../shared/workspace/workspace.ts';
import { createBroadcast } from '../broadcast.ts';
import type { Files } from '../files/files.ts';
import type { ModuleHandlers } from '../handlers.ts';
import type { Keychain } from '../keychain/keychain.ts';
import { createQueue } from '../queue.ts';
import { readClientCertificate } from '../wire/http/client-certificate.ts';
import type { Environment } from '../wire/http/proxies.ts';
import type { ResolveProxy } from '../wire/http/routes.ts';
import { parseApiKey } from '../wire/services/api-key.ts';
import type { Services } from '../wire/services/services.ts';
import { randomUUID } from '../../world/random.ts';
import { Worker } from '../../world/threads.ts';
import { wallMs } from '../../world/time.ts';
import { workerUrl } from '../../world/workers.ts';
import { Certificates, environmentCertificate, environmentId } from './certificates.ts';
import { checkServices, diagnose, type DiagnosisTarget } from './check.ts';
import {
  applyChange,
  exportProfiles,
  freeName,
  type ProfileStore,
  profilesFromText,
  profileOf,
  SavedConnections,
} from './profiles.ts';
import {
  type ConnectionProfile,
  ConnectionRegistry,
  createEntryFactory,
  type EntryFactory,
  type ReadPassword,
  type RegistryEntry,
  toConnection,
} from './registry.ts';
import {
  createSecretStores,
  ExtraPasswords,
  keychainService,
  sessionSecretStore,
  troubleOf,
} from './secrets.ts';

export { environmentId, environmentPassphrase } from './certificates.ts';
export { openProfiles } from './profiles.ts';

const startMessage = z.looseObject({
  dataUrl: z.string(),
  platformUrl: z.string(),
  apiKeys: z.looseObject({ write: z.string() }),
});

/** The sample services, listening on this computer. */
export type OpenDemo = Awaited<ReturnType<typeof openDemoWorker>>;

/** The size of the sample workspace, the same on every computer unless these variables are set. */
const sampleShape = z.object({
  WELLBENCH_SAMPLE_WELLS: z.coerce.number().int().min(1).max(50_000).default(30),
  WELLBENCH_SAMPLE_RECORDS: z.coerce.number().int().min(1).max(10_000_000).default(200_000),
  WELLBENCH_SAMPLE_LIVE: z.enum(['on', 'off']).default('on'),
});

/**
 * Starts both sample services in a worker thread.
 * @throws AppError `invalid_input` with the variable that is out of range; `internal` when they don't start
 */
async function openDemoWorker(env: Environment) {
  const shape = sampleShape.safeParse(env);
  if (!shape.success) {
    const issues = shape.error.issues.map(({ message, path }) => ({
      message,
      place: { field: path.join('.') },
    }));
    throw new AppError('invalid_input', { issues });
  }
  const { WELLBENCH_SAMPLE_WELLS: wells, WELLBENCH_SAMPLE_RECORDS: records } = shape.data;
  const live = shape.data.WELLBENCH_SAMPLE_LIVE === 'on';
  const worker = new Worker(workerUrl('demo'), { workerData: { wells, records, seed: 1, live } });
  let hasExited = false;
  const exit = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      hasExited = true;
      resolve();
    });
  });
  const { dataUrl, platformUrl, apiKeys } = await firstMessage(worker, exit);
  // The worker doesn't keep the process running.
  worker.unref();
  return {
    dataUrl,
    platformUrl,
    apiKey: apiKeys.write,
    /** False once the worker has exited. */
    isRunning: () => !hasExited,
    async close(): Promise<void> {
      if (hasExited) return;
      worker.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
      worker.postMessage('close');
      await exit;
    },
  };
}

async function firstMessage(worker: Worker, exit: Promise<void>): Promise<z.infer<typeof startMessage>> {
  const startError = (problem: string) =>
    new AppError('internal', { problem: `the sample workspace ${problem}` });
  return new Promise((resolve, reject) => {
    // A later error ends the worker, which `isRunning` reports.
    worker.on('error', (error) => reject(startError(`could not start: ${error.message}`)));
    worker.once('message', (message: unknown) => {
      const parsed = startMessage.safeParse(message);
      if (parsed.success) resolve(parsed.data);
      else reject(startError('sent an unexpected message'));
    });
    void exit.then(() => reject(startError('stopped before it was ready')));
  });
}

const sampleId = 'sample';

/** Opens the sample workspace: started once, reused while it runs. */
function createSample(
  registry: ConnectionRegistry,
  entryOf: EntryFactory['entry'],
  openDemo: () => Promise<OpenDemo>,
) {
  let demo: Promise<OpenDemo> | null = null;

  async function openOnce(): Promise<Connection> {
    const current = await demo?.catch(() => null);
    const isRunning = current?.isRunning() === true;
    if (isRunning && registry.has(sampleId)) return toConnection(registry.entry(sampleId));
    const { dataUrl, platformUrl, apiKey } = isRunning ? current : await (demo = openDemo());
    const profile: ConnectionProfile = {
      id: sampleId,
      name: freeName(
        'Sample workspace',
        registry.list().filter(({ id }) => id !== sampleId),
      ),
      color: 'green',
      dataUrl,
      platformUrl,
      method: 'api_key',
      readOnly: false,
      sample: true,
      authorities: [],
      saved: false,
    };
    const secretStore = sessionSecretStore(sampleId);
    await secretStore.write({ method: 'api_key', apiKey });
    return registry.put(entryOf(profile, secretStore));
  }
  let pendingOpen: Promise<Connection> | null = null;
  return {
    open(): Promise<Connection> {
      pendingOpen ??= openOnce().finally(() => {
        pendingOpen = null;
      });
      return pendingOpen;
    },
    async close(): Promise<void> {
      const current = await demo?.catch(() => null);
      demo = null;
      await current?.close();
    },
  };
}

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
 * The connection of the environment.
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
  /** The client certificate of the saved connection. */
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
    if (!credential) throw invalidInput('Enter the credentials too.', { field: 'credential' });
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
  /** Folder of the locks for renewing tokens. */
  readonly lockFolder?: string | undefined;
  /** Resolves tokens of CA files. */
  readonly files?: Pick<Files, 'source'> | undefined;
  /** Units of a dataset's fields that the application remembers; absent: none. */
  readonly fieldUnits?: Services['data']['fieldUnits'] | undefined;
  /** The system's proxy resolution. */
  readonly resolveProxy?: ResolveProxy | undefined;
  /** The version and host of Wellbench, for reports. */
  readonly about?: { readonly version: string; readonly host: string } | undefined;
  /** Polling interval for changes by other processes while a job waits for sign-in, in milliseconds. */
  readonly pollIntervalMs?: number | undefined;
  /** Shows a warning to the user. */
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
    if (registry.has(environmentId)) return toConnection(registry.entry(environmentId));
    const { profile, credential } = readEnvironment(env);
    return registry.put(entryFactory.fixed(profile, credential));
  };
  /** All connections. Invalid variables are reported when their connection is used, not here. */
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
    /** @throws AppError `connection_unknown` */
    get: (id: string): Connection => toConnection(registry.entry(id)),
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
