import type { Connection } from '../../../shared/connections/connections.ts';
import type { calls } from '../../../shared/contract/contract.ts';
import { AppError, toAppError, type KeychainTrouble } from '../../../shared/errors/errors.ts';
import type { Notice } from '../../../shared/workspace/workspace.ts';
import { readRegular } from '../files/regular-file.ts';
import type { Files } from '../files/files.ts';
import type { ModuleHandlers } from '../handlers.ts';
import { readClientCertificate } from '../wire/http/client-certificate.ts';
import type { ResolveProxy } from '../wire/http/routes.ts';
import { createBroadcast } from '../broadcast.ts';
import type { Keychain } from '../keychain/keychain.ts';
import { createQueue } from '../queue.ts';
import type { Services } from '../wire/services/services.ts';
import { parseAuthorities } from './authorities.ts';
import { createRegistry, toConnection, type ConnectionRegistry, type ConnectionProfile } from './registry.ts';
import { checkServices } from './check.ts';
import { ClientCertificates } from './client-certificates.ts';
import { environmentId, isInEnvironment, readEnvironment, type Environment } from './environment.ts';
import { createEntryFactory } from './entries.ts';
import { createDiagnosis } from './diagnosis.ts';
import type { ProfileStore } from './stored-profiles.ts';
import { ExtraPasswords } from './extra-passwords.ts';
import { openDemoWorker, type OpenDemo, createSample, sampleId } from './sample.ts';
import { SavedConnections } from './saved.ts';
import { keychainService, createSecretStores, troubleOf } from './secret-store.ts';
import { exportProfiles, profilesFromText } from './transfer.ts';

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
  const registry = createRegistry(() => changes.send(registry.list()));
  const proxyPasswords = new ExtraPasswords(keychain ?? null, 'proxy');
  const certificates = new ClientCertificates({ keychain: keychain ?? null, files: options.files, env });
  const readProxyPassword = (id: string) => proxyPasswords.read(id);
  const entryFactory = createEntryFactory({
    env,
    proxyPassword: readProxyPassword,
    clientCertificate: (stored) => certificates.forNetwork(stored),
    onNotice,
    resolveProxy,
    fieldUnits: options.fieldUnits,
    poll: { reload: () => saved.load(), intervalMs: options.pollIntervalMs ?? pollIntervalMs },
    onRefused: (id, reason) => registry.setRefusal(id, reason),
    onKeyAccepted: (id) => saved.recordAccepted(id),
  });
  const background = createQueue();
  const authorities = (caFile: string) => readAuthorities(options.files, caFile);
  const saved = new SavedConnections({
    registry,
    profiles: options.profiles ?? null,
    secretStore: createSecretStores(keychain ?? null, options.lockFolder ?? null),
    ...entryFactory,
    authorities,
    certificates,
    proxyPasswords,
    enqueue: (work) => void background(work).catch((error: unknown) => warn(toAppError(error).message)),
  });
  const sample = createSample(registry, entryFactory.entry, options.openDemo ?? (() => openDemoWorker(env)));
  const diagnosis = createDiagnosis(registry, entryFactory, {
    env,
    about: options.about,
    authorities,
    certificates,
    readProxyPassword,
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
    restore: ({ connection }) => saved.restore(connection),
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
      ...saved.secrets(),
      ...proxyPasswords.secrets(),
      ...certificates.secrets(),
    ],
    async close(): Promise<void> {
      saved.close();
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

async function readAuthorities(files: Pick<Files, 'source'> | undefined, caFile: string): Promise<string[]> {
  if (!files) throw new AppError('internal', { problem: 'there are no files here' });
  const { path, name } = files.source(caFile);
  return parseAuthorities(await readRegular(path, name), name);
}
