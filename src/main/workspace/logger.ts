import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../shared/errors/errors.ts';
import { redact } from '../http/redact.ts';
import { takeLock } from '../files/lock.ts';

interface LoggerOptions {
  readonly folder: string;
  /** What must never be seen, as far as it is known now; what looks like a secret is hidden anyway. */
  readonly secrets: () => readonly string[];
  /** A file that has so many bytes gives way to a new one. */
  readonly mostBytes?: number;
  /** How many files there are at most. */
  readonly files?: number;
}

/** The one log of the application. Every line is redacted before it goes anywhere. */
export type Logger = ReturnType<typeof createLogger>;

const name = 'wellbench.log';
/** A longer line is cut: a log is for sentences. */
const longest = 8000;

/**
 * Logs to a file that rotates. Several processes may write to it: each line is one write to its end. Lines are written
 * at once, so that the last ones before a crash are there; a log that can't be written stops nothing.
 */
export function createLogger({ folder, secrets, mostBytes = 1_000_000, files = 5 }: LoggerOptions) {
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
    info: (sentence: string): void => write('info ', sentence),
    warn: (sentence: string): void => write('warn ', sentence),
    /** A fault of our own, with where it came from. */
    fault: (error: unknown): void => write('fault', inWords(error)),
    /** A text without secrets, for whoever shows one elsewhere. */
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

type Environment = Readonly<Record<string, string | undefined>>;

const proxyVariables = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'];

/** A password with a sign that is no escape, such as `100%`, is taken as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Users and passwords of proxies: as they stand in the variables, as they are meant, and as a header has them. */
function ofProxies(env: Environment): string[] {
  return proxyVariables.flatMap((name) => {
    const address = env[name.toLowerCase()] ?? env[name] ?? '';
    const [, login = ''] = /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^/]*)@/i.exec(address.trim()) ?? [];
    const [, password = ''] = /^[^:]*:(.*)$/s.exec(login) ?? [];
    const meant = login.split(':').map(decoded).join(':');
    return [login, password, meant, decoded(password), Buffer.from(meant).toString('base64')];
  });
}

/** What must never be shown of an environment, longest first: whatever is part of something longer goes with it. */
export function secretsIn(env: Environment): string[] {
  const key = (env['WELLBENCH_API_KEY'] ?? '').trim();
  const own = [key, key.replace(/^.*\s/s, ''), env['WELLBENCH_PASSWORD'] ?? ''];
  const all = new Set([...own, ...ofProxies(env)].filter((text) => text.length >= 4));
  return [...all].sort((a, b) => b.length - a.length);
}
