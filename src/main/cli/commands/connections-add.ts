import { Option } from 'commander';
import type { Command } from 'commander';
import * as z from 'zod';
import { connectionColor, connectionDraft } from '../../../shared/connections/connections.ts';
import type { Connection, Credential } from '../../../shared/connections/connections.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import { sourceAt } from '../../files/files.ts';
import type { Cli } from '../context.ts';
import { parseOptions, parsePath } from '../options.ts';
import { readSecret } from '../secret-input.ts';
import { chooseConnection, withApp } from '../session.ts';
import type { Session } from '../session.ts';

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

/** A process that ends has no session to keep a secret for. */
async function needKeychain({ client, options }: Session, { messages }: Cli): Promise<void> {
  const { trouble } = await client.connections.keychain({}, options);
  if (trouble === null) return;
  messages.say(
    'A connection is saved only with its secret in the keychain, so nothing was saved. Without one, set ' +
      'WELLBENCH_DATA_URL, WELLBENCH_PLATFORM_URL and WELLBENCH_API_KEY, or WELLBENCH_EMAIL with WELLBENCH_PASSWORD.',
  );
  throw new AppError('keychain_unavailable', { trouble });
}

async function credentialFrom(email: string | undefined, { messages, signal }: Cli): Promise<Credential> {
  if (email === undefined)
    return { method: 'api_key', apiKey: await readSecret({ what: 'API key', messages, signal }) };
  return { method: 'login', email, password: await readSecret({ what: 'password', messages, signal }) };
}

/** Between the look at the keychain and the secret's coming there it may have been locked. */
async function needKept(connection: Connection, { client, options }: Session): Promise<Connection> {
  if (connection.secret === 'keychain') return connection;
  await client.connections.remove({ connection: connection.id, leaveSecret: true }, options);
  throw new AppError('keychain_unavailable', { trouble: connection.keychain ?? 'other' });
}

/** `connections add NAME`: saves one; its secret comes from stdin. */
export function defineAdd(command: Command, cli: Cli): void {
  command
    .description('save one; its secret comes from stdin')
    .argument('<name>', 'a name of your own')
    .requiredOption('--data-url <url>', 'address of the data service')
    .requiredOption('--platform-url <url>', 'address of the platform service')
    .option('--email <email>', 'log in with this e-mail; the secret is then its password, else an API key')
    .option('--ca-file <file>', 'certificates of your company’s authority, in PEM or DER')
    .addOption(new Option('--color <color>', 'to tell it by').choices(connectionColor.options))
    .option('--read-only', 'never insert records')
    .option('--save-anyway', 'save an API key although a service refuses it or does not answer')
    .action(
      cli.run(async (name: string, typed: unknown) => {
        const { email, caFile, color, ...asked } = parseOptions(typedOptions, typed);
        const connection = await withApp(cli, async (session) => {
          const { app, client, options } = session;
          await needKeychain(session, cli);
          const path = caFile === undefined ? undefined : parsePath(caFile, 'ca-file');
          const file = path === undefined ? undefined : await app.files.grantSource(sourceAt(path));
          const credential = await credentialFrom(email, cli);
          const draft = {
            ...asked,
            name,
            credential,
            ...(color ? { color } : {}),
            ...(file ? { caFile: file.token } : {}),
          };
          return needKept(await client.connections.add(draft, options), session);
        });
        if (!cli.json) cli.messages.say(`Saved as “${connection.name}”; its secret is in the keychain.`);
        return { summary: connection };
      }),
    );
}

/** `connections authenticate NAME`: another key or login; the new one is tried before the old one is dropped. */
export function defineAuthenticate(command: Command, cli: Cli): void {
  command
    .description('give one another key, or log in again; the secret comes from stdin')
    .argument('<name>')
    .option('--email <email>', 'log in with this e-mail; default: the way it was')
    .action(
      cli.run(async (name: string, typed: unknown) => {
        const { email } = parseOptions(typedOptions.pick({ email: true }), typed);
        const connection = await withApp(cli, async (session) => {
          const { client, options } = session;
          const id = await chooseConnection(session, name);
          const known = (await client.connections.list({}, options)).find((one) => one.id === id);
          await needKeychain(session, cli);
          const asked = email ?? (known?.method === 'login' ? known.email : undefined);
          const credential = await credentialFrom(asked, cli);
          return client.connections.authenticate({ connection: id, credential }, options);
        });
        if (!cli.json) cli.messages.say(`“${connection.name}” was accepted.`);
        return { summary: connection };
      }),
    );
}
