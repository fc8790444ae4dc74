import { describeNotice } from '../../../shared/workspace/workspace.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { noDialogs } from '../no-dialogs.ts';
import { createApp, type App } from '../../app.ts';
import type { Services } from '../../core/wire/services/services.ts';
import type { Cli } from './context.ts';

/** The core, opened for one command. */
export interface Session {
  readonly app: App;
  readonly client: App['client'];
  /** To be passed with every call, so that Ctrl-C aborts it. */
  readonly options: { readonly signal: AbortSignal };
}

/** The core, with the connection of a command. */
export interface ConnectedSession extends Session {
  readonly connection: string;
  /** Its data service, for what is read beside the call of a command. @throws AppError `invalid_input` */
  readonly data: () => Services['data'];
}

/**
 * Opens the core, runs the work with it, and always closes it again.
 * @throws AppError file_unwritable, disk_full, file_too_new if the data folder can’t be used; errors of the work
 */
export async function withApp<T>(cli: Cli, work: (session: Session) => Promise<T>): Promise<T> {
  const { dataFolder, env, signal } = cli;
  const app = await createApp({
    host: 'command-line',
    fileMode: 'dialog',
    dataFolder,
    env,
    warn: (sentence) => cli.messages.say(sentence),
    notice: (notice) => cli.messages.say(describeNotice(notice)),
    // Files are arguments here; there are no file dialogs.
    choose: () => noDialogs,
  });
  try {
    return await work({ app, client: app.client, options: { signal } });
  } finally {
    await app.close();
  }
}

/**
 * The id of the connection to use: the named one, else that of the environment variables.
 * @throws AppError connection_unknown; invalid_input that names the missing environment variables
 */
export async function chooseConnection({ app, client }: Session, named: string | undefined): Promise<string> {
  if (named === undefined) return (await app.connections.fromEnvironment()).id;
  const connections = await client.connections.list();
  const connection =
    connections.find(({ name }) => name === named) ?? connections.find(({ id }) => id === named);
  if (!connection) throw new AppError('connection_unknown', { connection: named });
  return connection.id;
}

/** The service's clock in Unix milliseconds. @throws AppError of the connection; `cancelled` */
export const serviceNow = async (
  { data, options }: ConnectedSession,
  dataset: DatasetAddress,
): Promise<number> => data().askNow(dataset, options);

/**
 * Like {@link withApp}, with a connection.
 * @throws AppError connection_unknown; invalid_input that names the missing environment variables
 */
export async function withConnection<T>(
  cli: Cli,
  work: (session: ConnectedSession) => Promise<T>,
): Promise<T> {
  return withApp(cli, async (session) => {
    const connection = await chooseConnection(session, cli.connection);
    return work({ ...session, connection, data: () => session.app.connections.services(connection).data });
  });
}
