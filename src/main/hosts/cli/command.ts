import { Argument, Option, type Command } from 'commander';
import * as z from 'zod';
import { abortable } from '../../../shared/abort.ts';
import { AppError, invalidInput } from '../../../shared/errors/errors.ts';
import { describeKeychain } from '../../../shared/errors/sentences.ts';
import { resolve } from 'node:path';
import { readRegular } from '../../core/files/regular-file.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Messages, Output } from './output.ts';
import { describeNotice } from '../../../shared/workspace/workspace.ts';
import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { noDialogs } from '../no-dialogs.ts';
import type { App } from '../../app.ts';
import { elapsedMs } from '../../world/time.ts';
import type { Services } from '../../core/wire/services/services.ts';

export interface Cli {
  readonly json: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly dataFolder: string;
  /** The connection named on the command line, if any. */
  readonly connection: string | undefined;
  /** The command that resumes a job, with the data folder and the connection of this one. */
  resumeCommand(job: string): string;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  readonly out: Output;
  readonly messages: Messages;
  /** A command's action in the form that Commander expects; its result becomes the last line and the exit code. */
  run(work: () => Promise<Outcome>): () => Promise<void>;
}

export interface Outcome {
  /** The last line of stdout with `--json`; absent if the command printed it itself. */
  readonly summary?: object;
  /** Default: 0, or the code of the error. */
  readonly exitCode?: ExitCode;
  /** An error that accompanies a summary, for example of a job that stopped halfway. */
  readonly error?: AppError;
}

/** Adds arguments, options, and an action, or subcommands, to a command of Commander. */
export type DefineCommand = (command: Command, cli: Cli) => void;

type OptionTypes = Readonly<Record<string, z.ZodType>>;

/** How help shows the value of an option or argument. */
const help = z.registry<{ readonly value: string; readonly text: string }>();

/**
 * Declares an option or an argument. Its type validates and converts the value, and determines in help and while parsing
 * whether it is required, whether it can be repeated, its choices, and its default.
 * @param value how help names the value, such as `<file>`; in brackets if it can be omitted; empty for a flag
 */
export function option<T extends z.ZodType>(type: T, value: string, text: string): T {
  const described = type.clone();
  help.add(described, { value, text });
  return described;
}

/** The input of an option with several values: each text is a list. */
export const listInput = z.array(z.string());

const jsonValue = '<json>';

/** How help says that the value of an option can be in a file or on stdin; undefined: it can't. */
function fileHelp(type: z.ZodType): string | undefined {
  if (inputOf(type) === listInput) return '; @FILE or - reads them';
  return help.get(type)?.value === jsonValue ? '; @FILE or - reads it' : undefined;
}

/** Declares an option without a value. */
export const flag = (text: string) => option(z.boolean().default(false), '', text);

/** The name of an option on the command line: `maxGap` and `max_gap` are `max-gap`. */
export const optionName = (name: string): string =>
  name.replaceAll('_', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The type of the text that a user enters, without defaults and conversions. */
function inputOf(type: z.core.$ZodType): z.core.$ZodType {
  if (type instanceof z.ZodOptional || type instanceof z.ZodDefault) return inputOf(type.unwrap());
  return type instanceof z.ZodPipe ? inputOf(type.in) : type;
}

/** The default that help shows, as it would be entered. */
function defaultOf(type: z.ZodType): string | undefined {
  const value: unknown = type instanceof z.ZodDefault ? type.def.defaultValue : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

const collect = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value];

function commanderOption(name: string, type: z.ZodType): Option {
  const { value = '', text } = help.get(type) ?? {};
  const shown = `${text}${fileHelp(type) ?? ''}`;
  const created = new Option(`--${optionName(name)} ${value}`.trimEnd(), shown);
  const input = inputOf(type);
  if (input instanceof z.ZodEnum) created.choices(input.options.map(String));
  if (input instanceof z.ZodArray) created.argParser(collect);
  const defaultText = defaultOf(type);
  if (defaultText !== undefined) created.default(defaultText);
  return created.makeOptionMandatory(!type.safeParse(undefined).success);
}

/** Refuses an option that is set twice, unless it takes a list: only the last value would count. */
export function refuseRepeated(command: Command, repeated: Option): void {
  if (repeated.isBoolean() || repeated.parseArg === collect) return;
  const field = repeated.name();
  let isSet = false;
  command.on(`option:${field}`, () => {
    if (isSet) throw invalidInput(`--${field} is set twice. Set it once.`, { field });
    isSet = true;
  });
}

function commanderArgument(type: z.ZodType): Argument {
  const { value = '', text } = help.get(type) ?? {};
  return new Argument(value, text).default(defaultOf(type));
}

/** The values of options, validated. @throws AppError invalid_input that names each invalid option */
export function parseOptions<S extends z.ZodType>(schema: S, values: unknown): z.infer<S> {
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ message, path }) => {
    const name = path[0];
    return name === undefined ? { message } : { message, place: { field: optionName(String(name)) } };
  });
  throw new AppError('invalid_input', { issues });
}

/**
 * A command by its table of arguments and options, from which help, parsing, and validation follow.
 * @param run receives the validated values by their names
 */
export function command<A extends OptionTypes, O extends OptionTypes>({
  summary,
  arguments: argumentTypes,
  options: optionTypes,
  run,
}: {
  /** What a subcommand does, in help. */
  readonly summary?: string;
  readonly arguments: A;
  readonly options: O;
  readonly run: (values: z.infer<z.ZodObject<A & O>>, cli: Cli) => Promise<Outcome>;
}): DefineCommand {
  const schema = z.object({ ...argumentTypes, ...optionTypes });
  return (target, cli) => {
    if (summary !== undefined) target.description(summary);
    for (const type of Object.values(argumentTypes)) target.addArgument(commanderArgument(type));
    const options = Object.entries(optionTypes).map(
      ([name, type]) => [name, commanderOption(name, type), fileHelp(type) !== undefined] as const,
    );
    for (const [, created] of options) {
      target.addOption(created);
      refuseRepeated(target, created);
    }
    target.action(
      cli.run(async () => {
        const values: Record<string, unknown> = {};
        for (const [at, name] of Object.keys(argumentTypes).entries())
          values[name] = target.processedArgs[at];
        const texts: Record<string, readonly string[]> = {};
        for (const [name, created, mayBeFile] of options) {
          const value: unknown = target.getOptionValue(created.attributeName());
          values[name] = value;
          if (mayBeFile && value !== undefined) texts[optionName(name)] = listInput.parse([value].flat());
        }
        const read = await readTexts(texts, cli.signal);
        for (const [name] of options) {
          const inputs = read[optionName(name)];
          if (inputs) values[name] = Array.isArray(values[name]) ? inputs : inputs[0];
        }
        return run(parseOptions(schema, values), cli);
      }),
    );
  };
}

/** A command that only has subcommands. */
export const group =
  (subcommands: Readonly<Record<string, DefineCommand>>): DefineCommand =>
  (target, cli) => {
    for (const [name, define] of Object.entries(subcommands)) define(target.command(name), cli);
  };

/** Maximum length of a text from a file or stdin, in bytes: a query of 250,000 characters of any kind. */
const maxBytes = 1024 * 1024;

/** The text of a file or a pipe, without its mark and its last line end. Windows PowerShell writes files in UTF-16. */
export const plainText = (bytes: Buffer): string =>
  bytes
    .toString(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf16le' : 'utf8')
    .replace(/^\uFEFF/, '')
    .replace(/\r?\n$/, '');

async function readStdin(max: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    const piece = Buffer.from(chunk);
    bytes += piece.length;
    if (bytes > max) throw invalidInput(`Longer than ${max / 1024} KB. Shorten it.`, { field: 'stdin' });
    chunks.push(piece);
  }
  return plainText(Buffer.concat(chunks));
}

/**
 * Everything on stdin, without the last line end.
 * @param max in bytes
 * @throws AppError `invalid_input` if it is longer; `cancelled`
 */
export const readPiped = (max: number, signal: AbortSignal): Promise<string> =>
  abortable(readStdin(max), signal);

/**
 * Reads texts of options that are in files or on stdin, since a command line has at most 32,000 characters on Windows: `@FILE`
 * and `-`. Others are returned as they are.
 * @param texts those of each option, by its name
 * @throws AppError `file_unreadable`; `invalid_input` if a text is empty or too long, or two are on stdin; `cancelled`
 */
async function readTexts(
  texts: Readonly<Record<string, readonly string[]>>,
  signal: AbortSignal,
): Promise<Record<string, string[]>> {
  const piped = Object.entries(texts).flatMap(([name, all]) =>
    all.filter((text) => text === '-').map(() => name),
  );
  const [, second] = piped;
  if (second !== undefined)
    throw invalidInput('Only one option can be read from stdin. Pass the other one as @FILE.', {
      field: second,
    });
  const read = async (name: string, text: string): Promise<string> => {
    const isFile = text.startsWith('@');
    if (text !== '-' && !isFile) return text;
    const file = text.slice(1);
    const content = isFile
      ? plainText(await readRegular(resolve(file), file, maxBytes))
      : await readPiped(maxBytes, signal);
    // As an empty option: an empty file must not select everything.
    if (content.trim() !== '') return content;
    const source = isFile ? file : 'stdin';
    throw invalidInput(`${source} is empty. Write the value in it, or remove the option.`, { field: name });
  };
  const entries = Object.entries(texts).map(
    async ([name, all]) => [name, await Promise.all(all.map((text) => read(name, text)))] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

/** The core, opened for one command. */
export interface Session {
  readonly app: App;
  readonly client: App['client'];
  /** To be passed with every call, so that Ctrl-C aborts it. */
  readonly options: { readonly signal: AbortSignal };
}

export interface ConnectedSession extends Session {
  readonly connection: string;
  /** For what a command reads without a call. @throws AppError `invalid_input` */
  readonly services: () => Services;
}

/** How much later than an announced wait another one has to end so that it is announced as well, in milliseconds. */
const tellingMs = 5000;

/**
 * Opens the core, runs the work with it, and always closes it again.
 * @throws AppError file_unwritable, disk_full, file_too_new if the data folder can’t be used; errors of the work
 */
export async function withApp<T>(cli: Cli, work: (session: Session) => Promise<T>): Promise<T> {
  const { dataFolder, env, signal } = cli;
  // Loaded on use: the help and the options of a command need none of it.
  const { createApp } = await import('../../app.ts');
  /** When the retries that were announced begin, by host. */
  const waits = new Map<string, number>();
  const app = await createApp({
    host: 'command-line',
    fileMode: 'dialog',
    dataFolder,
    env,
    warn: (sentence) => cli.messages.say(sentence),
    notice(notice) {
      // Requests that run at once wait for the same link.
      if (notice.kind === 'retry') {
        const now = elapsedMs();
        const end = now + notice.nextTryMs;
        const announced = waits.get(notice.host) ?? 0;
        if (now < announced && end < announced + tellingMs) return;
        waits.set(notice.host, end);
      }
      cli.messages.say(describeNotice(notice));
    },
    // Files are arguments here; there are no file dialogs.
    choose: () => noDialogs,
  });
  try {
    return await work({ app, client: app.client, options: { signal } });
  } finally {
    const trouble = app.connections.unsaved();
    if (trouble) cli.messages.say(`Warning: The renewed sign-in wasn’t saved. ${describeKeychain(trouble)}`);
    await app.close();
  }
}

/**
 * The id of the connection to use: the one named by an argument or by `--connection`, else that of the environment variables.
 * @throws AppError connection_unknown; invalid_input that names the missing environment variables, or for two names
 */
export async function chooseConnection(
  { app, client }: Session,
  cli: Cli,
  named = cli.connection,
): Promise<string> {
  if (cli.connection !== undefined && cli.connection !== named)
    throw invalidInput('Two connections are set. Remove --connection.', { field: 'connection' });
  if (named === undefined) return (await app.connections.fromEnvironment()).id;
  const connections = await client.connections.list();
  const connection =
    connections.find(({ name }) => name === named) ?? connections.find(({ id }) => id === named);
  if (!connection) throw new AppError('connection_unknown', { connection: named });
  return connection.id;
}

/** The service's clock in Unix milliseconds. @throws AppError of the connection; `cancelled` */
export const serviceNow = async (
  { services, options }: ConnectedSession,
  dataset: DatasetAddress,
): Promise<number> => services().data.askNow(dataset, options);

/**
 * Like {@link withApp}, with a connection.
 * @throws AppError connection_unknown; invalid_input that names the missing environment variables
 */
export async function withConnection<T>(
  cli: Cli,
  work: (session: ConnectedSession) => Promise<T>,
): Promise<T> {
  return withApp(cli, async (session) => {
    const { connections } = session.app;
    const connection = await chooseConnection(session, cli);
    return work({ ...session, connection, services: () => connections.services(connection) });
  });
}
