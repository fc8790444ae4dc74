import { join } from 'node:path';
import { AppError } from '../../shared/errors/errors.ts';
import { decodePart, redact } from './wire/http/redact.ts';
import { takeLock } from './files/lock.ts';
import { appendFileSync, mkdirSync, renameSync, statSync } from '../world/files.ts';
import { wallMs } from '../world/time.ts';

interface LoggerOptions {
  readonly folder: string;
  /** Texts to redact, beside everything that looks like a secret. */
  readonly secrets: () => readonly string[];
  readonly maxBytes?: number;
  readonly maxFiles?: number;
}

/** The log of the application. Every line is redacted. */
export type Logger = ReturnType<typeof createLogger>;

const name = 'wellbench.log';
/** A longer line is cut: a log is for sentences. */
const maxLineLength = 8000;

/**
 * Logs to rotating files, which several processes may append to. Lines are written synchronously, so the last
 * ones before a crash are there; write failures are ignored.
 */
export function createLogger({ folder, secrets, maxBytes = 1_000_000, maxFiles = 5 }: LoggerOptions) {
  const path = join(folder, name);
  const clean = (text: string): string => redact(text, secrets());

  function write(level: string, text: string): void {
    const line = clean(text.slice(0, maxLineLength * 10))
      .replaceAll(/\r?\n/g, '\n    ')
      .slice(0, maxLineLength);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      rotate(path, maxBytes, maxFiles);
      appendFileSync(path, `${new Date(wallMs()).toISOString()} ${process.pid} ${level} ${line}\n`, {
        mode: 0o600,
      });
    } catch {
      // A failure to log can't be logged.
    }
  }
  return {
    info: (sentence: string): void => write('info ', sentence),
    warn: (sentence: string): void => write('warn ', sentence),
    /** Logs a defect with its stack. */
    fault: (error: unknown): void => write('fault', describeFault(error)),
    /** Redacts a text that is shown elsewhere. */
    clean,
  };
}

// `util` is taken where it is used: an `import` of all of it is felt in each start.
const inspected = (value: unknown): string =>
  process.getBuiltinModule('node:util').inspect(value, { depth: 3 });

function describeFault(error: unknown): string {
  if (!(error instanceof AppError)) return inspected(error);
  const { cause } = error;
  return cause === undefined ? error.message : `${error.message} Cause: ${inspected(cause)}`;
}

const numbered = (path: string, n: number): string => (n === 0 ? path : path.replace(/log$/, `${n}.log`));

/** Moves each file on by one when the newest is full; one process at a time does so. */
function rotate(path: string, maxBytes: number, maxFiles: number): void {
  const isFull = (): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) >= maxBytes;
  if (!isFull()) return;
  const lock = takeLock(`${path}.lock`);
  if (!lock) return;
  try {
    if (!isFull()) return;
    for (let n = maxFiles - 2; n >= 0; n -= 1) {
      if (statSync(numbered(path, n), { throwIfNoEntry: false }))
        renameSync(numbered(path, n), numbered(path, n + 1));
    }
  } finally {
    lock.release();
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

const proxyVariables = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'];

/** Users and passwords of proxies: as in the variables, decoded, and as in a header. */
function proxySecrets(env: Environment): string[] {
  return proxyVariables.flatMap((name) => {
    const address = env[name.toLowerCase()] ?? env[name] ?? '';
    const [, login = ''] = /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^/]*)@/i.exec(address.trim()) ?? [];
    const [, password = ''] = /^[^:]*:(.*)$/s.exec(login) ?? [];
    const decodedLogin = login.split(':').map(decodePart).join(':');
    return [
      login,
      password,
      decodedLogin,
      decodePart(password),
      Buffer.from(decodedLogin).toString('base64'),
    ];
  });
}

/** The secrets in an environment, longest first, so one that contains another is replaced as a whole. */
export function environmentSecrets(env: Environment): string[] {
  const key = (env['WELLBENCH_API_KEY'] ?? '').trim();
  const ownSecrets = [
    key,
    key.replace(/^.*\s/s, ''),
    env['WELLBENCH_PASSWORD'] ?? '',
    env['WELLBENCH_CLIENT_PASSPHRASE'] ?? '',
  ];
  const all = new Set([...ownSecrets, ...proxySecrets(env)].filter((text) => text.length >= 4));
  return [...all].sort((a, b) => b.length - a.length);
}
