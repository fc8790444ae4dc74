import { randomUUID } from 'node:crypto';
import type { Connection, ConnectionDraft, Credential } from '../../shared/connections.ts';
import type { calls } from '../../shared/contract.ts';
import { AppError } from '../../shared/errors.ts';
import type { Notice } from '../../shared/workspace.ts';
import type { RoomHandlers } from '../handlers.ts';
import { apiKeyIn } from '../services/api-key.ts';
import { openServices } from '../services/open.ts';
import type { Services } from '../services/services.ts';
import { createBook, type ConnectionBook } from './book.ts';
import { checkServices } from './check.ts';
import { environmentId, inEnvironment, readEnvironment, type Environment } from './environment.ts';
import { freeColor, freeName } from './names.ts';
import { withoutInserts } from './read-only.ts';
import { openDemoWorker, type OpenDemo } from './sample.ts';

export interface ConnectionsOptions {
  /** Where the connection variables and the proxy variables are read. */
  readonly env: Environment;
  readonly onNotice?: (notice: Notice) => void;
  /** Starts the demo services; in a worker thread by default. */
  readonly openDemo?: () => Promise<OpenDemo>;
}

export interface Connections {
  readonly handlers: RoomHandlers<(typeof calls)['connections']>;
  /** The services of a connection, opened at the first call. @throws AppError `connection_unknown` */
  services(connectionId: string): Services;
  /** @throws AppError `connection_unknown` */
  get(connectionId: string): Connection;
  /**
   * The connection of WELLBENCH_DATA_URL, WELLBENCH_PLATFORM_URL and WELLBENCH_API_KEY, or WELLBENCH_EMAIL
   * with WELLBENCH_PASSWORD. @throws AppError `invalid_input` that names each variable that is missing or
   * malformed
   */
  fromEnvironment(): Promise<Connection>;
  close(): Promise<void>;
}

export const sampleId = 'sample';

/** The connections of this session and what a person does with them. */
export function createConnections(options: ConnectionsOptions): Connections {
  const open = (profile: Pick<Connection, 'dataUrl' | 'platformUrl'>, credential: Credential): Services =>
    openServices({ ...profile, credential, env: options.env, onRetry: options.onNotice });
  const book = createBook((profile, credential) => {
    const services = open(profile, credential);
    return profile.readOnly ? withoutInserts(services, profile) : services;
  });
  const sample = createSample(book, options.openDemo ?? openDemoWorker);
  const fromEnvironment = async (): Promise<Connection> => {
    if (book.has(environmentId)) return book.get(environmentId);
    const { profile, credential } = readEnvironment(options.env);
    return book.put(profile, credential);
  };
  /** Variables that describe no connection are spoken of when it is asked for, not here. */
  const ifInEnvironment = async (): Promise<void> => {
    if (!inEnvironment(options.env) || book.has(environmentId)) return;
    await fromEnvironment().catch(() => undefined);
  };
  return {
    handlers: {
      async list() {
        await ifInEnvironment();
        return book.list();
      },
      add: (draft) => addDraft(book, draft),
      openSample: () => sample.open(),
      async test(input, { signal }) {
        if ('connection' in input) return checkServices(book.services(input.connection), signal);
        const services = open(input.draft, checkedCredential(input.draft.credential));
        try {
          return await checkServices(services, signal);
        } finally {
          await services.close();
        }
      },
      async remove({ connection }) {
        await book.remove(connection);
        if (connection === sampleId) await sample.close();
        return {};
      },
    },
    services: (id) => book.services(id),
    get: (id) => book.get(id),
    fromEnvironment,
    async close() {
      await book.close();
      await sample.close();
    },
  };
}

async function addDraft(book: ConnectionBook, draft: ConnectionDraft): Promise<Connection> {
  const { dataUrl, platformUrl, readOnly } = draft;
  const credential = checkedCredential(draft.credential);
  const others = book.list();
  const profile: Connection = {
    id: randomUUID(),
    name: freeName(draft.name, others),
    color: freeColor(draft.color, others),
    dataUrl,
    platformUrl,
    method: credential.method,
    secret: 'session',
    readOnly,
    sample: false,
  };
  return book.put(profile, credential);
}

/** @throws AppError `invalid_input` for an API key that a header can't hold */
function checkedCredential(credential: Credential): Credential {
  if (credential.method === 'login') return credential;
  return { method: 'api_key', apiKey: apiKeyIn(credential.apiKey) };
}

/** The sample workspace: started once, used again while it lives. */
function createSample(book: ConnectionBook, openDemo: () => Promise<OpenDemo>) {
  let demo: Promise<OpenDemo> | null = null;

  async function opened(): Promise<Connection> {
    const running = await demo?.catch(() => null);
    if (running?.alive() && book.has(sampleId)) return book.get(sampleId);
    demo = running?.alive() ? demo : openDemo();
    if (!demo) throw new AppError('internal', { problem: 'the sample workspace is gone' });
    const { dataUrl, platformUrl, apiKey } = await demo;
    const profile: Connection = {
      id: sampleId,
      name: freeName(
        'Sample workspace',
        book.list().filter(({ id }) => id !== sampleId),
      ),
      color: 'green',
      dataUrl,
      platformUrl,
      method: 'api_key',
      secret: 'session',
      readOnly: false,
      sample: true,
    };
    return book.put(profile, { method: 'api_key', apiKey });
  }
  let opening: Promise<Connection> | null = null;
  return {
    open(): Promise<Connection> {
      opening ??= opened().finally(() => {
        opening = null;
      });
      return opening;
    },
    async close(): Promise<void> {
      const running = await demo?.catch(() => null);
      demo = null;
      await running?.close();
    },
  };
}
