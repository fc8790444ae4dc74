import type { AppError } from '../../shared/errors/errors.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Messages, Output } from './output.ts';

/** What every command is given beside its own arguments. */
export interface Cli {
  readonly json: boolean;
  readonly env: NodeJS.ProcessEnv;
  /** The folder for settings and jobs. */
  readonly dataFolder: string;
  /** The connection that was named, if one was. */
  readonly connection: string | undefined;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  readonly out: Output;
  readonly messages: Messages;
  /** A command's function as Commander wants it; what it gives becomes the last line and the exit code. */
  run<A extends unknown[]>(work: (...args: A) => Promise<Outcome>): (...args: A) => Promise<void>;
}

/** How a command ended. */
export interface Outcome {
  /** The last line of stdout with `--json`; absent where the command has written it itself. */
  readonly summary?: object;
  /** Default: 0; with an error, the error's. */
  readonly exitCode?: ExitCode;
  /** What went wrong although there is a summary, as with a job that stopped halfway. */
  readonly error?: AppError;
}
