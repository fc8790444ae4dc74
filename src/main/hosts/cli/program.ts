import { Command, CommanderError } from 'commander';
import * as z from 'zod';
import packageJson from '../../../../package.json' with { type: 'json' };
import { invalidInput } from '../../../shared/errors/errors.ts';
import type { AppError } from '../../../shared/errors/errors.ts';
import { describeIssue } from '../../../shared/errors/issue-words.ts';
import { dataFolder } from '../../features/workspace/data-folder.ts';
import { commands } from './commands.ts';
import type { Cli, Outcome } from './context.ts';
import type { ExitCode } from './exit-codes.ts';

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

const afterHelp = `
The connection is set by --connection, or by the variables WELLBENCH_DATA_URL,
WELLBENCH_PLATFORM_URL and WELLBENCH_API_KEY, or WELLBENCH_EMAIL with WELLBENCH_PASSWORD.

Exit codes: 0 done; 1 failed; 2 wrong use or invalid input, nothing was sent; 3 finished, but rows were
rejected or are unknown, or a quality limit was exceeded; 4 not authenticated or no permission; 130 canceled.`;

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

/** Parses the arguments, runs the command that they name, and returns the exit code. @throws AppError, ReaderGone */
export async function runProgram(
  argv: readonly string[],
  host: Pick<Cli, 'env' | 'signal' | 'out' | 'messages'>,
): Promise<ExitCode> {
  let outcome: Outcome = {};
  const program = createProgram();
  for (const [name, { summary }] of Object.entries(commands)) program.command(name).description(summary);
  program.hook('preAction', (_program, action) => refuseEmpty(action));
  program.hook('preSubcommand', async (_program, command) => {
    const { json, connection, dataDir } = globals.parse(program.opts());
    const cli: Cli = {
      ...host,
      json,
      connection,
      dataFolder: dataFolder(dataDir, host.env),
      run: (work) => async () => {
        outcome = await work();
        host.messages.clear();
        if (json && outcome.summary) await host.out.write(`${JSON.stringify(outcome.summary)}\n`);
        if (outcome.error) throw outcome.error;
      },
    };
    const entry = commands[command.name()];
    z.config({ customError: describeIssue });
    if (entry) (await entry.load())(command, cli);
  });
  try {
    await program.parseAsync(commandArguments(argv), { from: 'user' });
  } catch (cause) {
    if (!(cause instanceof CommanderError)) throw cause;
    if (cause.exitCode === 0) return 0;
    if (cause.code === 'commander.help') throw invalidInput('Enter a command. --help lists all commands.');
    throw wrongUse(cause);
  }
  return outcome.exitCode ?? 0;
}
