import type { AppError } from '../../../shared/errors/errors.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Messages, Output } from './output.ts';

/** The context of every command, beside its own arguments. */
export interface Cli {
  readonly json: boolean;
  readonly env: NodeJS.ProcessEnv;
  /** The folder for settings and jobs. */
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

/** The result of a command. */
export interface Outcome {
  /** The last line of stdout with `--json`; absent if the command printed it itself. */
  readonly summary?: object;
  /** Default: 0, or the code of the error. */
  readonly exitCode?: ExitCode;
  /** An error that accompanies a summary, for example of a job that stopped halfway. */
  readonly error?: AppError;
}
