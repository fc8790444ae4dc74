import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../shared/errors/errors.ts';
import { redact } from '../http/redact.ts';
import { takeLock } from '../files/lock.ts';

export interface LoggerOptions {
  readonly folder: string;
  /** What must never be seen, as far as it is known now; what looks like a secret is hidden anyway. */
  readonly secrets: () => readonly string[];
  /** A file that has so many bytes gives way to a new one. */
  readonly mostBytes?: number;
  /** How many files there are at most. */
  readonly files?: number;
}

/** The one log of the application. Every line is redacted before it goes anywhere. */
export interface Logger {
  info(sentence: string): void;
  warn(sentence: string): void;
  /** A fault of our own, with where it came from. */
  fault(error: unknown): void;
  /** A text without secrets, for whoever shows one elsewhere. */
  clean(text: string): string;
}

const name = 'wellbench.log';
/** A longer line is cut: a log is for sentences. */
const longest = 8000;

/**
 * Logs to a file that rotates. Several processes may write to it: each line is one write to its end. Lines are written
 * at once, so that the last ones before a crash are there; a log that can't be written stops nothing.
 */
export function createLogger({ folder, secrets, mostBytes = 1_000_000, files = 5 }: LoggerOptions): Logger {
  const path = join(folder, name);
  const clean = (text: string): string => redact(text, secrets());

  function write(level: string, text: string): void {
    const line = clean(text).replaceAll(/\r?\n/g, '\n    ').slice(0, longest);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      rotate(path, mostBytes, files);
      appendFileSync(path, `${new Date().toISOString()} ${process.pid} ${level} ${line}\n`, { mode: 0o600 });
    } catch {
      // Nobody can be told that the log can't be written.
    }
  }
  return {
    info: (sentence) => write('info ', sentence),
    warn: (sentence) => write('warn ', sentence),
    fault: (error) => write('fault', inWords(error)),
    clean,
  };
}

// `util` is taken where it is used: an `import` of all of it is felt in each start.
const shown = (value: unknown): string => process.getBuiltinModule('node:util').inspect(value, { depth: 3 });

function inWords(error: unknown): string {
  if (!(error instanceof AppError)) return shown(error);
  const { cause } = error;
  return cause === undefined ? error.message : `${error.message} Cause: ${shown(cause)}`;
}

const numbered = (path: string, n: number): string => (n === 0 ? path : path.replace(/log$/, `${n}.log`));

/** Moves each file on by one when the newest is full; one process at a time does so. */
function rotate(path: string, mostBytes: number, files: number): void {
  const isFull = (): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) >= mostBytes;
  if (!isFull()) return;
  const lock = takeLock(`${path}.lock`);
  if (!lock) return;
  try {
    if (!isFull()) return;
    for (let n = files - 2; n >= 0; n -= 1) {
      if (statSync(numbered(path, n), { throwIfNoEntry: false }))
        renameSync(numbered(path, n), numbered(path, n + 1));
    }
  } finally {
    lock.release();
  }
}
