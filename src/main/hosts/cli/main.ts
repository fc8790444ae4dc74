import { Command, CommanderError } from 'commander';
import * as z from 'zod';
import packageJson from '../../../../package.json' with { type: 'json' };
import { describeIssue } from '../../../shared/errors/issue-words.ts';
import { dataFolder } from '../../core/files/data-folder.ts';
import { refuseRepeated, type Cli, type Outcome, type DefineCommand } from './command.ts';
import { invalidInput, toAppError, type AppError, visibleText } from '../../../shared/errors/errors.ts';
import { redact, redactValue } from '../../core/wire/http/redact.ts';
import { environmentSecrets } from '../../core/logger.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';
import { createMessages, type MessageStream, createOutput, ReaderGone, type TextStream } from './output.ts';
import type { PlatformResource } from '../../../shared/wells/platform-filters.ts';

interface Entry {
  readonly summary: string;
  /** Loads the command: only the requested one is loaded, because the others would slow each start. */
  readonly load: () => Promise<DefineCommand>;
}

const entry = (summary: string, load: Entry['load']): Entry => ({ summary, load });

const read = (name: 'find' | 'aggregate' | 'count' | 'pipeline', summary: string): Entry =>
  entry(summary, async () => (await import('./commands/reads.ts'))[name]);

const platform = (resource: PlatformResource): Entry =>
  entry(`list ${resource.replace('_', ' ')}, filtered`, async () =>
    (await import('./commands/platform.ts')).platform(resource),
  );

const commands: Readonly<Record<string, Entry>> = {
  app: entry(
    'open the app; the default without a command',
    async () => (await import('./commands/app.ts')).app,
  ),
  demo: entry('run the demo services until stopped', async () => (await import('./commands/demo.ts')).demo),
  serve: entry(
    'serve the app to a browser on this computer',
    async () => (await import('./commands/serve.ts')).serve,
  ),
  open: entry(
    'print a new sign-in link for a running serve',
    async () => (await import('./commands/open.ts')).open,
  ),
  connections: entry(
    'list, add, test, remove, export, or import connections',
    async () => (await import('./commands/connections.ts')).connections,
  ),
  wells: platform('wells'),
  assets: platform('assets'),
  programs: platform('programs'),
  pads: platform('pads'),
  rigs: platform('rigs'),
  'drillout-units': platform('drillout_units'),
  'frac-fleets': platform('frac_fleets'),
  datasets: entry('list dataset definitions', async () => (await import('./commands/datasets.ts')).datasets),
  dataset: entry('show one dataset definition', async () => (await import('./commands/dataset.ts')).dataset),
  find: read('find', 'read up to 10,000 records'),
  count: read('count', 'count records'),
  aggregate: read('aggregate', 'match, group, and project records'),
  pipeline: read('pipeline', 'run an aggregation pipeline'),
  export: entry(
    'export all matching records to a file',
    async () => (await import('./commands/export.ts')).exportRecords,
  ),
  mirror: entry(
    'keep a folder of Parquet files up to date with a dataset',
    async () => (await import('./commands/mirror.ts')).mirror,
  ),
  inspect: entry(
    'show the format, columns, and warnings of a file',
    async () => (await import('./commands/inspect.ts')).inspect,
  ),
  quality: entry(
    'find gaps, repeats, nulls, flat lines, and spikes in records or a file',
    async () => (await import('./commands/quality.ts')).quality,
  ),
  upload: entry('upload the rows of a file', async () => (await import('./commands/upload.ts')).upload),
  'mapping-schema': entry(
    'print the JSON Schema of mapping files',
    async () => (await import('./commands/mapping-schema.ts')).mappingSchema,
  ),
  sql: entry('run SQL over files and Parquet folders', async () => (await import('./commands/sql.ts')).sql),
  jobs: entry(
    'list, show, resume, cancel, or discard jobs',
    async () => (await import('./commands/jobs.ts')).jobs,
  ),
};

/** Options for which whitespace is a valid value. */
const blankValues = new Set(['delimiter']);

/**
 * Rejects empty values: an empty variable in a script must not widen what a command reads or writes.
 * @throws AppError invalid_input that names the option or argument
 */
function refuseEmpty(action: Command): void {
  for (let command: Command | null = action; command; command = command.parent)
    for (const option of command.options) {
      const name = option.attributeName();
      if (command.getOptionValueSource(name) !== 'cli') continue;
      const value: unknown = command.getOptionValue(name);
      // Of several values separated by commas, at least one is required.
      const isEmpty = Array.isArray(value)
        ? value.some((item) => /^[\s,]*$/.test(String(item)))
        : value === '' || (typeof value === 'string' && value.trim() === '' && !blankValues.has(name));
      if (isEmpty)
        throw invalidInput(`${option.long ?? name} is empty. Set a value, or remove it.`, {
          field: option.long?.replace(/^--/, '') ?? name,
        });
    }
  const at = action.args.findIndex((text) => text.trim() === '');
  if (at !== -1) throw invalidInput(`Argument ${at + 1} is empty. Set a value, or remove it.`);
}

const globals = z.object({
  json: z.boolean().default(false),
  connection: z.string().optional(),
  dataDir: z.string().optional(),
});

/** An option for a shell; nothing if it isn't set. */
function argument(name: string, value: string | undefined): string[] {
  if (value === undefined) return [];
  return [name, /^[\w./:\\-]+$/.test(value) ? value : `"${value}"`];
}

const afterHelp = `
The connection is set by --connection, or by the variables WELLBENCH_DATA_URL,
WELLBENCH_PLATFORM_URL, and WELLBENCH_API_KEY, or WELLBENCH_EMAIL with WELLBENCH_PASSWORD.

Exit codes: 0 done; 1 failed; 2 wrong use or invalid input, nothing was sent; 3 finished, but rows were
rejected or are unknown, an export doesn’t have as many rows as the service counts, a mirror couldn’t be
verified, a quality limit was exceeded, or compared records differ; 4 not authenticated or no permission;
130 canceled.`;

function createProgram(): Command {
  return new Command('wellbench')
    .description('Find wells, query their data, export results, and upload files.')
    .usage('[COMMAND] [options]')
    .option('--connection <name>', 'a saved connection; default: from the environment')
    .option('--data-dir <dir>', 'folder for settings and jobs; or WELLBENCH_DATA_DIR')
    .option('--json', 'print one JSON object as the last line of stdout, errors on stderr')
    .version(packageJson.version)
    .helpCommand(false)
    .addHelpText('after', afterHelp)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .configureHelp({ showGlobalOptions: true });
}

/** Commander's errors with Wellbench's messages. */
function wrongUse({ message }: CommanderError): AppError {
  const usageMessage = message
    .replace(/^error: /, '')
    .replace(/\.$/, '')
    .replaceAll('\n', ' ');
  return invalidInput(`${usageMessage}. See --help.`);
}

/** The arguments of Commander: without any, the app is opened, and some people try `help find` first. */
function commandArguments(argv: readonly string[]): readonly string[] {
  if (argv.length === 0) return ['app'];
  return argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv;
}

/**
 * Parses the arguments, runs the command that they name, and returns the exit code.
 * @param fail prints the error of a command that has a result too
 * @throws AppError, ReaderGone
 */
async function runProgram(
  argv: readonly string[],
  host: Pick<Cli, 'env' | 'signal' | 'out' | 'messages'>,
  fail: (error: AppError) => ExitCode,
): Promise<ExitCode> {
  let outcome: Outcome = {};
  const program = createProgram();
  for (const global of program.options) refuseRepeated(program, global);
  for (const [name, { summary }] of Object.entries(commands)) program.command(name).description(summary);
  program.hook('preAction', (_program, action) => refuseEmpty(action));
  program.hook('preSubcommand', async (_program, command) => {
    const { json, connection, dataDir } = globals.parse(program.opts());
    const cli: Cli = {
      ...host,
      json,
      connection,
      dataFolder: dataFolder(dataDir, host.env),
      resumeCommand: (job) =>
        [
          'wellbench jobs resume',
          job,
          ...argument('--data-dir', dataDir),
          ...argument('--connection', connection),
        ].join(' '),
      run: (work) => async () => {
        outcome = await work();
        host.messages.clear();
        if (json && outcome.summary) await host.out.report([JSON.stringify(outcome.summary)]);
      },
    };
    const named = commands[command.name()];
    z.config({ customError: describeIssue });
    if (named) (await named.load())(command, cli);
  });
  try {
    await program.parseAsync(commandArguments(argv), { from: 'user' });
  } catch (cause) {
    if (!(cause instanceof CommanderError)) throw cause;
    if (cause.exitCode === 0) return 0;
    if (cause.code === 'commander.help') throw invalidInput('Enter a command. --help lists all commands.');
    throw wrongUse(cause);
  }
  const { error, exitCode } = outcome;
  const errorCode = error && fail(error);
  return exitCode ?? errorCode ?? 0;
}

const drained = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.write('', () => resolve());
  });

/** Runs the command line, then ends the process. */
export async function main(argv: readonly string[]): Promise<void> {
  const { env, stdout, stderr } = process;
  const interrupts = listenForInterrupts();
  const { code, fail } = runToEnd(argv, { env, stdout, stderr, signal: interrupts.signal });
  process.on('uncaughtException', (error) => process.exit(fail(error)));
  const exitCode = await code;
  await Promise.all([drained(stdout), drained(stderr)]);
  // A thread that waits for the disk can delay the end; nothing needs an orderly stop now.
  interrupts.ignore();
  // Open handles, such as a connection kept for reuse, need not be waited for.
  process.exit(exitCode);
}

/** The environment of a command: that of the process, except in tests. */
interface ProcessContext {
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: TextStream;
  readonly stderr: MessageStream;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Whether the arguments include `--json`; needed before they are parsed, because parsing can fail. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).includes('--json');
}

/** Prints an error on stderr: a message, or with `--json` one object. Returns the exit code. */
function report(error: AppError, json: boolean, { env, stderr }: ProcessContext): ExitCode {
  const secrets = environmentSecrets(env);
  const say = (text: string): boolean => stderr.write(`${stderr.isTTY ? visibleText(text) : text}\n`);
  // Loaded on use: importing all of `util` slows each start.
  if (env['WELLBENCH_DEBUG']) say(redact(process.getBuiltinModule('node:util').inspect(error), secrets));
  say(json ? JSON.stringify(redactValue(error.toBody(), secrets)) : redact(error.message, secrets));
  return exitCodes[error.code];
}

/** `code` never rejects; `fail` prints an uncaught error. */
export function runToEnd(argv: readonly string[], context: ProcessContext) {
  const { env, stdout, stderr, signal } = context;
  const messages = createMessages(stderr);
  const fail = (cause: unknown): ExitCode => {
    messages.clear();
    return cause instanceof ReaderGone ? 0 : report(toAppError(cause), wantsJson(argv), context);
  };
  const host = { env, signal, out: createOutput(stdout), messages };
  return { code: runProgram(argv, host, fail).catch(fail), fail };
}

/**
 * One Ctrl-C can arrive twice, from the terminal and from a parent process: signals closer together than this count as
 * one.
 */
const repeatedSignalMs = 1000;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Listens for the first interrupt, which aborts the signal, so that running work stops and can be resumed; a second, later one
 * has its default effect.
 */
export function listenForInterrupts(): { readonly signal: AbortSignal; ignore(): void } {
  const controller = new AbortController();
  /** Leaves further signals to the system, which ends the process at once. */
  const ignore = (): void => {
    for (const signal of signals) process.off(signal, interrupt);
  };
  const interrupt = (): void => {
    if (controller.signal.aborted) return;
    controller.abort();
    setTimeout(ignore, repeatedSignalMs).unref();
  };
  for (const signal of signals) process.on(signal, interrupt);
  return { signal: controller.signal, ignore };
}
