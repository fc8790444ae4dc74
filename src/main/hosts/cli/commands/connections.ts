import * as z from 'zod';
import {
  type Connection,
  connectionColor,
  connectionDraft,
  type Credential,
} from '../../../../shared/connections/connections.ts';
import type { DiagnosisStep } from '../../../../shared/contract/connections.ts';
import { invalidInput, AppError } from '../../../../shared/errors/errors.ts';
import { environmentPassphrase } from '../../../core/connections/connections.ts';
import { sourceAt } from '../../../core/files/files.ts';
import { readRegular } from '../../../core/files/regular-file.ts';
import {
  command,
  flag,
  group,
  option,
  plainText,
  readPiped,
  type Cli,
  chooseConnection,
  withApp,
  type Session,
} from '../command.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { path } from '../options.ts';
import { tableLines, type Column } from '../table.ts';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { abortable } from '../../../../shared/abort.ts';
import type { Messages } from '../output.ts';

/** Maximum length of credentials. */
const maxBytes = 16 * 1024;

interface SecretInput {
  /** The prompt: "API key". */
  readonly what: string;
  readonly messages: Messages;
  readonly signal: AbortSignal;
}

/**
 * Credentials from stdin: everything without the last line end, or a typed line, which isn't shown.
 * @throws AppError `invalid_input` if there are none, `cancelled`
 */
async function readSecret({ what, messages, signal }: SecretInput): Promise<string> {
  const { stdin } = process;
  const secret = stdin.isTTY ? await typed(stdin, what, messages, signal) : await readPiped(maxBytes, signal);
  if (secret !== '') return secret;
  throw invalidInput(`There is no ${what} on stdin. Pipe it in, or type it and press Enter.`, {
    field: 'stdin',
  });
}

async function typed(
  stdin: ReadStream,
  what: string,
  messages: Messages,
  signal: AbortSignal,
): Promise<string> {
  messages.say(`Type or paste the ${what} and press Enter. It is not shown.`);
  // The line editor echoes to this stream instead of the terminal.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true });
  // In raw mode Ctrl-C is an ordinary key, which only the line editor receives. On Windows `process.kill` would end the
  // process at once.
  lines.once('SIGINT', () => process.emit('SIGINT'));
  try {
    const line = new Promise<string>((resolve) => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(''));
    });
    return await abortable(line, signal);
  } finally {
    lines.close();
  }
}

const columns: readonly Column<Connection>[] = [
  { name: 'name', of: ({ name }) => name },
  { name: 'data', of: ({ dataUrl }) => dataUrl },
  { name: 'platform', of: ({ platformUrl }) => platformUrl },
  { name: 'method', of: ({ method }) => method },
  { name: 'secret', of: ({ secret }) => secret },
  { name: 'read-only', of: ({ readOnly }) => (readOnly ? 'yes' : '') },
];

const nameArgument = { name: option(z.string(), '<name>', '') };

const list = command({
  summary: 'list connections',
  arguments: {},
  options: {},
  async run(_values, cli) {
    const connections = await withApp(cli, ({ client, options }) => client.connections.list({}, options));
    if (!cli.json) await cli.out.lines(tableLines(columns, connections));
    return { summary: { connections } };
  },
});

const remove = command({
  summary: 'remove a connection and its credentials',
  arguments: nameArgument,
  options: { leaveSecret: flag('remove it even if its credentials can’t be removed from the keychain') },
  async run({ name, leaveSecret }, cli) {
    await withApp(cli, async (session) => {
      const { client, options } = session;
      const connection = await chooseConnection(session, cli, name);
      const connections = await client.connections.list({}, options);
      if (connections.find(({ id }) => id === connection)?.secret === 'environment')
        throw invalidInput(
          `“${name}” is set by the environment. Unset the WELLBENCH variables to remove it.`,
        );
      await client.connections.remove({ connection, leaveSecret }, options);
    });
    return { summary: { removed: name } };
  },
});

/** A process that ends can't keep credentials for its session. */
async function needKeychain({ client, options }: Session, { messages }: Cli): Promise<void> {
  const { trouble } = await client.connections.keychain({}, options);
  if (trouble === null) return;
  messages.say(
    'The credentials weren’t saved, because they can’t be stored in a keychain. To connect without a keychain, set ' +
      'WELLBENCH_DATA_URL, WELLBENCH_PLATFORM_URL, and WELLBENCH_API_KEY, or WELLBENCH_EMAIL with WELLBENCH_PASSWORD.',
  );
  throw new AppError('keychain_unavailable', { trouble });
}

async function credentialFrom(email: string | undefined, { messages, signal }: Cli): Promise<Credential> {
  if (email === undefined)
    return { method: 'api_key', apiKey: await readSecret({ what: 'API key', messages, signal }) };
  return { method: 'login', email, password: await readSecret({ what: 'password', messages, signal }) };
}

const isKept = ({ secret, keychain, extraKeychain }: Connection): boolean =>
  secret === 'keychain' && keychain === undefined && extraKeychain === undefined;

/** The keychain may have been locked between the check and the write, or its entry may be damaged. */
function needKept(connection: Connection): Connection {
  if (isKept(connection)) return connection;
  const { keychain, extraKeychain } = connection;
  throw new AppError('keychain_unavailable', { trouble: keychain ?? extraKeychain ?? 'other' });
}

const email = z.string().min(3).max(320).optional();
const { dataUrl, platformUrl } = connectionDraft.shape;

/** `connections add NAME`: saves a connection; its credentials come from stdin. */
const add = command({
  summary: 'save a connection; its credentials are read from stdin',
  arguments: { name: option(z.string(), '<name>', 'a name of your choice') },
  options: {
    dataUrl: option(dataUrl, '<url>', 'address of the data service'),
    platformUrl: option(platformUrl, '<url>', 'address of the platform service'),
    email: option(
      email,
      '<email>',
      'sign in with this email and a password from stdin; default: an API key from stdin',
    ),
    caFile: option(path.optional(), '<file>', 'CA certificates, in PEM or DER'),
    clientCert: option(
      path.optional(),
      '<file>',
      'client certificate, in PKCS#12 or PEM; set its passphrase in WELLBENCH_CLIENT_PASSPHRASE',
    ),
    clientKey: option(
      path.optional(),
      '<file>',
      'PEM file with the key of the client certificate, if separate',
    ),
    color: option(connectionColor.optional(), '<color>', 'color in the window'),
    readOnly: flag('never insert records'),
    saveAnyway: flag('save an API key even if a service rejects it or doesn’t respond'),
  },
  async run({ email: emailOption, caFile, clientCert, clientKey, color, ...draft }, cli) {
    if (clientKey !== undefined && clientCert === undefined)
      throw invalidInput('Add --client-cert, the certificate of this key.', { field: '--client-key' });
    const connection = await withApp(cli, async (session) => {
      const { app, client, options } = session;
      await needKeychain(session, cli);
      const tokenOf = async (at: string) => (await app.files.grantSource(sourceAt(at))).token;
      const passphrase = environmentPassphrase(cli.env);
      const request = {
        ...draft,
        credential: await credentialFrom(emailOption, cli),
        color,
        caFile: caFile && (await tokenOf(caFile)),
        clientCertificate:
          clientCert === undefined
            ? undefined
            : {
                file: await tokenOf(clientCert),
                keyFile: clientKey && (await tokenOf(clientKey)),
                passphrase: passphrase ?? undefined,
              },
      };
      const added = await client.connections.add(request, options);
      // Also after Ctrl-C.
      if (!isKept(added)) await client.connections.remove({ connection: added.id, leaveSecret: true });
      return needKept(added);
    });
    if (!cli.json) cli.messages.say(`Saved as “${connection.name}”. Its credentials are in the keychain.`);
    return { summary: connection };
  },
});

/** `connections authenticate NAME`: replaces credentials; the new ones are tested before the old ones are removed. */
const authenticate = command({
  summary: 'replace the API key or sign in again; read from stdin',
  arguments: nameArgument,
  options: { email: option(email, '<email>', 'sign in with this email; default: unchanged') },
  async run({ name, email: emailOption }, cli) {
    const connection = await withApp(cli, async (session) => {
      const { client, options } = session;
      const id = await chooseConnection(session, cli, name);
      const saved = (await client.connections.list({}, options)).find((listed) => listed.id === id);
      await needKeychain(session, cli);
      const savedEmail = saved?.method === 'login' ? saved.email : undefined;
      const credential = await credentialFrom(emailOption ?? savedEmail, cli);
      return needKept(await client.connections.authenticate({ connection: id, credential }, options));
    });
    if (!cli.json) cli.messages.say(`The credentials of “${connection.name}” were replaced.`);
    return { summary: connection };
  },
});

/** The exit code of the error; a missing permission or wrong credentials take precedence. */
function exitCodeOf(steps: readonly DiagnosisStep[]): ExitCode {
  const codes = steps
    .filter(({ state }) => state === 'failed')
    .map(({ code }): ExitCode => (code === null ? 1 : exitCodes[code]));
  return codes.find((code) => code === 4) ?? codes[0] ?? 0;
}

/** The result for one service: its response, else the step before it that failed. */
function ofService(service: 'data' | 'platform', steps: readonly DiagnosisStep[]) {
  const ownStep = steps.find(({ step }) => step === service);
  const failed = steps.find(
    ({ state, host }) => state === 'failed' && (host === null || host === (ownStep?.host ?? null)),
  );
  const telling =
    ownStep?.state === 'skipped' ? (failed ?? steps.find(({ step }) => step === 'auth') ?? ownStep) : ownStep;
  const { found = '', advice = null, code = null, ms = 0 } = telling ?? {};
  return { ok: ownStep?.state === 'ok', ms, message: [found, advice ?? ''].join(' ').trim(), code };
}

function lineOf({ step, host, state, ms, found, advice }: DiagnosisStep): string {
  const about = host === null ? step : `${step} ${host}`;
  return `${about}: ${state} (${ms} ms). ${found}${advice ? ` ${advice}` : ''}`;
}

/** `connections test [NAME]`: each step of the connection to the services, with what to do if one fails. */
const test = command({
  summary: 'check the connection step by step',
  arguments: {
    name: option(z.string().optional(), '[name]', 'default: from --connection or the environment'),
  },
  options: { report: flag('write a report for your IT department; contains no credentials') },
  async run({ name, report: asReport }, cli) {
    const { steps, report } = await withApp(cli, async (session) => {
      const { client, options } = session;
      const connection = await chooseConnection(session, cli, name);
      const finished: DiagnosisStep[] = [];
      for await (const event of await client.connections.diagnose({ connection }, options)) {
        if (event.kind === 'end') return { steps: finished, report: event.report };
        finished.push(event);
        if (!cli.json && !asReport) await cli.out.report([lineOf(event)]);
      }
      return { steps: finished, report: '' };
    });
    if (asReport) await cli.out.report([report.trimEnd()]);
    const exitCode = exitCodeOf(steps);
    const services = { data: ofService('data', steps), platform: ofService('platform', steps) };
    return { summary: { ok: exitCode === 0, ...services, steps, report }, exitCode };
  },
});

/** `connections export [NAME]…`: profiles without credentials, on stdout. */
const exportProfiles = command({
  summary: 'write connections, without credentials, to stdout',
  arguments: { names: option(z.array(z.string()), '[names...]', 'default: --connection, or all') },
  options: {},
  async run({ names }, cli) {
    const { text } = await withApp(cli, async (session) => {
      const connections: string[] = [];
      for (const name of names.length === 0 && cli.connection !== undefined ? [cli.connection] : names)
        connections.push(await chooseConnection(session, cli, name));
      return session.client.connections.exportProfiles(
        connections.length > 0 ? { connections } : {},
        session.options,
      );
    });
    if (!cli.json) await cli.out.write(text);
    return { summary: { text } };
  },
});

/** `connections import FILE`: exported profiles; each still needs credentials. */
const importProfiles = command({
  summary: 'import connections from a file; each needs credentials afterwards',
  arguments: { file: option(path, '<file>', '') },
  options: {},
  async run({ file }, cli) {
    const text = plainText(await readRegular(file, file));
    const { added, problems } = await withApp(cli, ({ client, options }) =>
      client.connections.importProfiles({ text }, options),
    );
    for (const problem of problems) cli.messages.say(problem);
    if (!cli.json) await cli.out.lines(added.map(({ name }) => name));
    return { summary: { added, problems } };
  },
});

/** `connections list|add|test|remove` and other commands for saved connections. */
export const connections = group({
  list,
  add,
  test,
  authenticate,
  remove,
  export: exportProfiles,
  import: importProfiles,
});
