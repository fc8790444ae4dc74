import type { Connection } from '../../shared/connections/connections.ts';
import type { calls } from '../../shared/contract/contract.ts';
import { AppError, isAppError, toAppError } from '../../shared/errors/errors.ts';
import type { Notice } from '../../shared/workspace/workspace.ts';
import { readRegular } from '../files/regular-file.ts';
import type { Files } from '../files/files.ts';
import type { RoomHandlers } from '../handlers.ts';
import type { ResolveProxy } from '../http/routes.ts';
import { createBroadcast } from '../jobs/broadcast.ts';
import type { Keychain } from '../keychain/keychain.ts';
import type { Services } from '../services/services.ts';
import { authoritiesIn } from './authorities.ts';
import { createBook, shownConnection, type ConnectionBook, type Facts } from './book.ts';
import { checkServices } from './check.ts';
import { environmentId, inEnvironment, readEnvironment, type Environment } from './environment.ts';
import { entriesOver } from './entries.ts';
import { createDiagnosis } from './diagnosis.ts';
import type { ProfileStore } from './profiles.ts';
import { ProxyPasswords } from './proxy-passwords.ts';
import { openDemoWorker, type OpenDemo, createSample, sampleId } from './sample.ts';
import { SavedConnections } from './saved.ts';
import { keychainService, secretStoresIn } from './secret-store.ts';
import { exportProfiles, profilesFromText } from './transfer.ts';

export interface ConnectionsOptions {
  /** Where the connection variables and the proxy variables are read. */
  readonly env: Environment;
  readonly onNotice?: ((notice: Notice) => void) | undefined;
  /** Starts the demo services; in a worker thread by default. */
  readonly openDemo?: (() => Promise<OpenDemo>) | undefined;
  /** Where connections are saved; absent: they live as long as this process. */
  readonly profiles?: ProfileStore | undefined;
  /** Where their secrets are kept; absent: for this session only. */
  readonly keychain?: Keychain | undefined;
  /** Folder for the locks under which logins are renewed. */
  readonly lockFolder?: string | undefined;
  /** Knows the CA files that a person chose. */
  readonly files?: Pick<Files, 'source'> | undefined;
  /** Asks the system for the way to an address. */
  readonly resolveProxy?: ResolveProxy | undefined;
  /** For reports: which Wellbench this is. */
  readonly about?: { readonly version: string; readonly host: string } | undefined;
  /** How often what another process wrote is looked at while a job waits for a login, in milliseconds. */
  readonly lookEveryMs?: number | undefined;
  /** Told what a person should hear of, in a sentence. */
  readonly warn?: ((sentence: string) => void) | undefined;
}

export type Connections = ReturnType<typeof createConnections>;

const lookEveryMs = 2000;

/** An account that no connection has: asked for to see whether the keychain is open. */
const nobody = 'nobody';

/** The connections that there are and what a person does with them. */
export function createConnections(options: ConnectionsOptions) {
  const { env, onNotice, resolveProxy, keychain, warn = () => undefined } = options;
  const changes = createBroadcast<Connection[]>(() => 'all');
  const book = createBook(() => changes.send(book.list()));
  const proxyPasswords = new ProxyPasswords(keychain ?? null);
  const keptProxyPassword = (id: string) => proxyPasswords.read(id);
  const made = entriesOver({
    env,
    proxyPassword: keptProxyPassword,
    onNotice,
    resolveProxy,
    lookAgain: { look: () => saved.load(), everyMs: options.lookEveryMs ?? lookEveryMs },
    refused: (id, why) => book.refuse(id, why),
    accepted: (id) => saved.accepted(id),
  });
  const background = createBackground(warn);
  const authorities = (caFile: string) => readAuthorities(options.files, caFile);
  const saved = new SavedConnections({
    book,
    profiles: options.profiles ?? null,
    secretStore: secretStoresIn(keychain ?? null, options.lockFolder ?? null),
    entry: made.entry,
    way: made.way,
    authorities,
    proxyPasswords,
    later: background.later,
  });
  const sample = createSample(book, made.entry, options.openDemo ?? (() => openDemoWorker(env)));
  const diagnosis = createDiagnosis(book, made, {
    env,
    about: options.about,
    authorities,
    keptProxyPassword,
  });

  const fromEnvironment = async (): Promise<Connection> => {
    if (book.has(environmentId)) return shownConnection(book.entry(environmentId));
    const { facts, credential } = readEnvironment(env);
    return book.put(made.fixed(facts, credential));
  };
  /** All there are now. Variables that describe no connection are spoken of when it is asked for, not here. */
  const listed = async (): Promise<Connection[]> => {
    await saved.load();
    if (inEnvironment(env) && !book.has(environmentId)) await fromEnvironment().catch(() => undefined);
    return book.list();
  };
  return {
    handlers: handlersOver({ book, saved, sample, diagnosis, keychain, listed }),
    /** All connections at the start, and again whenever one changes. */
    watch: (signal: AbortSignal | undefined): AsyncGenerator<Connection[]> =>
      changes.listen(signal, async () => [await listed()]),
    /** Reads the saved connections, so that they are known from the start; what stands in the way is told as a warning. */
    load: (): Promise<void> => saved.load().catch((error: unknown) => warn(toAppError(error).message)),
    /** The services of a connection, opened at the first call. @throws AppError `connection_unknown` */
    services: (id: string): Services => book.open(id).services,
    /** @throws AppError `connection_unknown` */
    get: (id: string): Connection => shownConnection(book.entry(id)),
    /**
     * The connection of WELLBENCH_DATA_URL, WELLBENCH_PLATFORM_URL and WELLBENCH_API_KEY, or WELLBENCH_EMAIL
     * with WELLBENCH_PASSWORD. @throws AppError `invalid_input` that names each variable that is missing or
     * malformed
     */
    fromEnvironment,
    /** What must never be seen, as far as it is known now: for redaction. */
    secrets: (): string[] => [
      ...book.opened().flatMap(({ credential }) => [...credential.secrets()]),
      ...saved.secrets(),
      ...proxyPasswords.secrets(),
    ],
    async close(): Promise<void> {
      saved.close();
      await book.close();
      await sample.close();
      await background.done();
    },
  };
}

interface Parts {
  readonly book: ConnectionBook;
  readonly saved: SavedConnections;
  readonly sample: ReturnType<typeof createSample>;
  readonly diagnosis: ReturnType<typeof createDiagnosis>;
  readonly keychain: Keychain | undefined;
  readonly listed: () => Promise<Connection[]>;
}

function handlersOver({
  book,
  saved,
  sample,
  diagnosis,
  keychain,
  listed,
}: Parts): RoomHandlers<(typeof calls)['connections']> {
  return {
    list: listed,
    add: (draft, { signal }) => saved.add(draft, signal),
    openSample: () => sample.open(),
    async test(input, { signal }) {
      const { opened, way, close } = await diagnosis.openTarget(input);
      try {
        return await checkServices(opened.services, way, signal);
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
    change: (change, { signal }) => saved.change(change, signal),
    authenticate: ({ connection, credential }, { signal }) =>
      saved.authenticate(connection, credential, signal),
    diagnose: async (input, { signal }) => diagnosis.diagnose(input, signal),
    async exportProfiles({ connections }) {
      await saved.load();
      return exportProfiles(factsIn(book), connections);
    },
    async importProfiles({ text }) {
      await saved.load();
      const { profiles, problems } = profilesFromText(text, factsIn(book));
      return { added: await saved.addProfiles(profiles), problems };
    },
    keychain: async () => ({ trouble: await troubleOf(keychain) }),
  };
}

/** Small work on disk, one after the other; what fails is told as a warning. */
function createBackground(warn: (sentence: string) => void) {
  let line: Promise<unknown> = Promise.resolve();
  return {
    later(work: () => Promise<unknown>): void {
      line = line.then(work).catch((error: unknown) => warn(toAppError(error).message));
    },
    done: () => line,
  };
}

const factsIn = (book: ConnectionBook): Facts[] => book.list().map(({ id }) => book.entry(id).facts);

async function troubleOf(keychain: Keychain | undefined) {
  try {
    if (!keychain) return 'off' as const;
    await keychain.getPassword(keychainService, nobody);
    return null;
  } catch (error) {
    return isAppError(error, 'keychain_unavailable') ? error.details.trouble : ('other' as const);
  }
}

async function readAuthorities(files: Pick<Files, 'source'> | undefined, caFile: string): Promise<string[]> {
  if (!files) throw new AppError('internal', { problem: 'there are no files here' });
  const { path, name } = files.source(caFile);
  return authoritiesIn(await readRegular(path, name), name);
}
