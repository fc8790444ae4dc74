import { type Command, Option } from 'commander';
import {
  type Connection,
  connectionColor,
  connectionDraft,
  type Credential,
} from '../../../shared/connections/connections.ts';
import { invalidInput, AppError } from '../../../shared/errors/errors.ts';
import type { Cli } from '../context.ts';
import { chooseConnection, withApp, type Session } from '../session.ts';
import { tableLines, type Column } from '../table.ts';
import * as z from 'zod';
import { sourceAt } from '../../files/files.ts';
import { parseOptions, parsePath } from '../options.ts';
import { readSecret } from '../secret-input.ts';
import type { DiagnosisStep } from '../../../shared/connections/diagnosis.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { readRegular } from '../../files/regular-file.ts';

const columns: readonly Column<Connection>[] = [
  { name: 'name', of: ({ name }) => name },
  { name: 'data', of: ({ dataUrl }) => dataUrl },
  { name: 'platform', of: ({ platformUrl }) => platformUrl },
  { name: 'method', of: ({ method }) => method },
  { name: 'secret', of: ({ secret }) => secret },
  { name: 'read-only', of: ({ readOnly }) => (readOnly ? 'yes' : '') },
];

function defineList(command: Command, cli: Cli): void {
  command.description('list connections').action(
    cli.run(async () => {
      const connections = await withApp(cli, ({ client, options }) => client.connections.list({}, options));
      if (!cli.json) await cli.out.lines(tableLines(columns, connections));
      return { summary: { connections } };
    }),
  );
}

function defineRemove(command: Command, cli: Cli): void {
  command
    .description('remove a connection and its credentials')
    .argument('<name>')
    .option('--leave-secret', 'remove it even if its credentials can’t be removed from the keychain')
    .action(
      cli.run(async (name: string, { leaveSecret = false }: { leaveSecret?: boolean }) => {
        await withApp(cli, async (session) => {
          const connection = await chooseConnection(session, name);
          const found = (await session.client.connections.list({}, session.options)).find(
            ({ id }) => id === connection,
          );
          if (found?.secret === 'environment')
            throw invalidInput(
              `“${name}” is set by the environment. Unset the WELLBENCH variables to remove it.`,
            );
          await session.client.connections.remove({ connection, leaveSecret }, session.options);
        });
        return { summary: { removed: name } };
      }),
    );
}

/** `connections list|add|test|remove` and other commands for saved connections. */
export function define(command: Command, cli: Cli): void {
  defineList(command.command('list'), cli);
  defineAdd(command.command('add'), cli);
  defineTest(command.command('test'), cli);
  defineAuthenticate(command.command('authenticate'), cli);
  defineRemove(command.command('remove'), cli);
  defineExport(command.command('export'), cli);
  defineImport(command.command('import'), cli);
}

const { dataUrl, platformUrl } = connectionDraft.shape;
const typedOptions = z.object({
  dataUrl,
  platformUrl,
  email: z.string().min(3).max(320).optional(),
  color: connectionColor.optional(),
  readOnly: z.boolean().default(false),
  caFile: z.string().optional(),
  saveAnyway: z.boolean().default(false),
});

/** A process that ends can't keep credentials for its session. */
async function needKeychain({ client, options }: Session, { messages }: Cli): Promise<void> {
  const { trouble } = await client.connections.keychain({}, options);
  if (trouble === null) return;
  messages.say(
    'The connection wasn’t saved, because its credentials can’t be stored in a keychain. To connect without a keychain, set ' +
      'WELLBENCH_DATA_URL, WELLBENCH_PLATFORM_URL and WELLBENCH_API_KEY, or WELLBENCH_EMAIL with WELLBENCH_PASSWORD.',
  );
  throw new AppError('keychain_unavailable', { trouble });
}

async function credentialFrom(email: string | undefined, { messages, signal }: Cli): Promise<Credential> {
  if (email === undefined)
    return { method: 'api_key', apiKey: await readSecret({ what: 'API key', messages, signal }) };
  return { method: 'login', email, password: await readSecret({ what: 'password', messages, signal }) };
}

/** The keychain may have been locked between the check and the write. */
async function needKept(connection: Connection, { client, options }: Session): Promise<Connection> {
  if (connection.secret === 'keychain') return connection;
  await client.connections.remove({ connection: connection.id, leaveSecret: true }, options);
  throw new AppError('keychain_unavailable', { trouble: connection.keychain ?? 'other' });
}

/** `connections add NAME`: saves a connection; its credentials come from stdin. */
function defineAdd(command: Command, cli: Cli): void {
  command
    .description('save a connection; its credentials are read from stdin')
    .argument('<name>', 'a name of your choice')
    .requiredOption('--data-url <url>', 'address of the data service')
    .requiredOption('--platform-url <url>', 'address of the platform service')
    .option('--email <email>', 'sign in with this email and a password from stdin; otherwise an API key')
    .option('--ca-file <file>', 'CA certificates, in PEM or DER')
    .addOption(new Option('--color <color>', 'color in the window').choices(connectionColor.options))
    .option('--read-only', 'never insert records')
    .option('--save-anyway', 'save an API key even if a service rejects it or doesn’t respond')
    .action(
      cli.run(async (name: string, typed: unknown) => {
        const { email, caFile, color, ...draftOptions } = parseOptions(typedOptions, typed);
        const connection = await withApp(cli, async (session) => {
          const { app, client, options } = session;
          await needKeychain(session, cli);
          const path = caFile === undefined ? undefined : parsePath(caFile, 'ca-file');
          const file = path === undefined ? undefined : await app.files.grantSource(sourceAt(path));
          const credential = await credentialFrom(email, cli);
          const draft = {
            ...draftOptions,
            name,
            credential,
            ...(color ? { color } : {}),
            ...(file ? { caFile: file.token } : {}),
          };
          return needKept(await client.connections.add(draft, options), session);
        });
        if (!cli.json)
          cli.messages.say(`Saved as “${connection.name}”. Its credentials are in the keychain.`);
        return { summary: connection };
      }),
    );
}

/** `connections authenticate NAME`: replaces credentials; the new ones are tested before the old ones are removed. */
function defineAuthenticate(command: Command, cli: Cli): void {
  command
    .description('replace the API key or sign in again; read from stdin')
    .argument('<name>')
    .option('--email <email>', 'sign in with this email; default: unchanged')
    .action(
      cli.run(async (name: string, typed: unknown) => {
        const { email } = parseOptions(typedOptions.pick({ email: true }), typed);
        const connection = await withApp(cli, async (session) => {
          const { client, options } = session;
          const id = await chooseConnection(session, name);
          const known = (await client.connections.list({}, options)).find((one) => one.id === id);
          await needKeychain(session, cli);
          const emailOption = email ?? (known?.method === 'login' ? known.email : undefined);
          const credential = await credentialFrom(emailOption, cli);
          return client.connections.authenticate({ connection: id, credential }, options);
        });
        if (!cli.json) cli.messages.say(`“${connection.name}” was accepted.`);
        return { summary: connection };
      }),
    );
}

interface Diagnosis {
  readonly steps: DiagnosisStep[];
  readonly report: string;
}

/** The exit code of the error; a missing permission or wrong credentials take precedence. */
function exitCodeOf(steps: readonly DiagnosisStep[]): ExitCode {
  const codes = steps
    .filter(({ state }) => state === 'failed')
    .map(({ code }): ExitCode => (code === null ? 1 : exitCodes[code]));
  return codes.find((code) => code === 4) ?? codes[0] ?? 0;
}

/** The result for one service: its response, else the step before it that failed. */
function ofService(service: 'data' | 'platform', steps: readonly DiagnosisStep[]) {
  const own = steps.find(({ step }) => step === service);
  const failed = steps.find(
    ({ state, host }) => state === 'failed' && (host === null || host === (own?.host ?? null)),
  );
  const telling =
    own?.state === 'skipped' ? (failed ?? steps.find(({ step }) => step === 'auth') ?? own) : own;
  const { found = '', advice = null, code = null, ms = 0 } = telling ?? {};
  return { ok: own?.state === 'ok', ms, message: [found, advice ?? ''].join(' ').trim(), code };
}

function lineOf({ step, host, state, ms, found, advice }: DiagnosisStep): string {
  const about = host === null ? step : `${step} ${host}`;
  return `${about}: ${state} (${ms} ms). ${found}${advice ? ` ${advice}` : ''}`;
}

/** `connections test [NAME]`: each step of the connection to the services, with what to do if one fails. */
function defineTest(command: Command, cli: Cli): void {
  command
    .description('check the connection step by step')
    .argument('[name]', 'default: from --connection or the environment')
    .option('--report', 'write a report for your IT department; contains no credentials')
    .action(
      cli.run(async (name: string | undefined, { report: asReport }: { report?: boolean }) => {
        const { steps, report } = await withApp(cli, async (session): Promise<Diagnosis> => {
          const connection = await chooseConnection(session, name ?? cli.connection);
          const found: DiagnosisStep[] = [];
          for await (const event of await session.client.connections.diagnose(
            { connection },
            session.options,
          )) {
            if (event.kind === 'end') return { steps: found, report: event.report };
            found.push(event);
            if (!cli.json && !asReport) await cli.out.lines([lineOf(event)]);
          }
          return { steps: found, report: '' };
        });
        if (asReport) await cli.out.write(report);
        const exitCode = exitCodeOf(steps);
        const services = { data: ofService('data', steps), platform: ofService('platform', steps) };
        return { summary: { ok: exitCode === 0, ...services, steps, report }, exitCode };
      }),
    );
}

/** `connections export [NAME]…`: profiles without credentials, on stdout. */
function defineExport(command: Command, cli: Cli): void {
  command
    .description('write connections, without credentials, to stdout')
    .argument('[names...]', 'default: all')
    .action(
      cli.run(async (names: string[]) => {
        const { text } = await withApp(cli, async (session) => {
          const connections: string[] = [];
          for (const name of names) connections.push(await chooseConnection(session, name));
          return session.client.connections.exportProfiles(
            connections.length > 0 ? { connections } : {},
            session.options,
          );
        });
        if (!cli.json) await cli.out.write(text);
        return { summary: { text } };
      }),
    );
}

/** `connections import FILE`: exported profiles; each still needs credentials. */
function defineImport(command: Command, cli: Cli): void {
  command
    .description('import connections from a file; each needs credentials afterwards')
    .argument('<file>')
    .action(
      cli.run(async (file: string) => {
        const text = (await readRegular(parsePath(file, 'file'), file)).toString('utf8');
        const { added, problems } = await withApp(cli, ({ client, options }) =>
          client.connections.importProfiles({ text }, options),
        );
        for (const problem of problems) cli.messages.say(problem);
        if (!cli.json) await cli.out.lines(added.map(({ name }) => name));
        return { summary: { added, problems } };
      }),
    );
}
