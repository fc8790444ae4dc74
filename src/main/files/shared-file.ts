import { copyFile, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { AppError } from '../../shared/errors/errors.ts';
import { alone } from './lock.ts';
import { renameFile, writeWhole } from './disk.ts';
import { isMissing, reasonInWords, writeError } from './file-errors.ts';

const envelope = z.looseObject({ format: z.int() });

/** What of a file can be read; null: it is damaged. `partly`: something of it had to be left out. */
type Readable<T> = { readonly value: T; readonly partly: boolean } | null;

/** A JSON file with a format, the newest of which is the one that this version writes. */
export interface VersionedFile<T> {
  readonly path: string;
  readonly format: number;
  readonly read: (content: unknown) => Readable<T>;
}

/** Reads a list in a file by its name; an item that is damaged does not take the others with it. */
export function listIn<T>(name: string, item: z.ZodType<T>) {
  const schema = z.object({ [name]: z.array(z.unknown()) });
  return (content: unknown): Readable<T[]> => {
    const list = schema.safeParse(content).data?.[name];
    if (!list) return null;
    const value = list.map((one) => item.safeParse(one)).filter(({ success }) => success);
    return { value: value.flatMap(({ data }) => data ?? []), partly: value.length < list.length };
  };
}

/** @returns null: there is no such file; `found` is null where it is damaged. @throws AppError `file_too_new`, `file_unreadable` */
async function contentOf<T>({
  path,
  format,
  read,
}: VersionedFile<T>): Promise<{ found: Readable<T> } | null> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw new AppError('file_unreadable', { file: basename(path), reason: reasonInWords(error) });
  });
  if (text === null) return null;
  const content = parsed(text);
  const head = envelope.safeParse(content);
  if (head.success && head.data.format > format)
    throw new AppError('file_too_new', { file: basename(path), format: head.data.format });
  return { found: head.success ? read(content) : null };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Reads a JSON file of ours. A damaged one is set aside under another name, of one that is damaged in part a copy is;
 * nothing is ever lost by reading. To be called by whoever may write the file.
 * @returns `aside`: the name under which what could not be read was put
 * @throws AppError `file_too_new`: it was left alone; `file_unreadable`
 */
export async function readVersioned<T>(
  file: VersionedFile<T>,
): Promise<{ value: T | null; aside: string | null }> {
  const content = await contentOf(file);
  const found = content?.found ?? null;
  if (content === null || (found && !found.partly)) return { value: found?.value ?? null, aside: null };
  const aside = `${file.path}.damaged-${Date.now()}`;
  if (found) await copyFile(file.path, aside);
  else await renameFile(file.path, aside);
  return { value: found?.value ?? null, aside: basename(aside) };
}

/** Writes a JSON file of ours, whole or not at all. @throws AppError `disk_full`, `file_unwritable` */
export const writeVersioned = (path: string, format: number, content: object): Promise<void> =>
  writeText(path, JSON.stringify({ format, ...content }));

/** Writes a text, whole or not at all. @throws AppError `disk_full`, `file_unwritable`, with a name in place of the path */
export async function writeText(path: string, text: string): Promise<void> {
  await writeWhole(path, text).catch((cause: unknown) => {
    throw writeError(cause, basename(path));
  });
}

export interface SharedFileOptions<T> extends Pick<VersionedFile<T>, 'format' | 'read'> {
  readonly dataFolder: string;
  /** Of `<name>.json`, and of its lock. */
  readonly name: string;
  /** What it holds until something is kept. */
  readonly nothing: T;
  /** What it holds, in words: "saved queries". */
  readonly what: string;
  /** Told what was damaged, and where it was put. */
  readonly warn: (sentence: string) => void;
}

/** How long another process may be busy with the file, in milliseconds. */
const patienceMs = 10_000;

/**
 * A small file of a person's in the data folder, written whole under `<name>.lock`, beneath which it is read again first,
 * so that several windows and hosts change it side by side.
 */
export function openSharedFile<T>(options: SharedFileOptions<T>) {
  const { dataFolder, name, format, read, nothing, what, warn } = options;
  const file = `${name}.json`;
  const path = join(dataFolder, file);
  const reason = 'another process has been changing it for a while';
  const busy = () => new AppError('file_unwritable', { file, reason });
  let problem: string | null = null;
  // The lock alone lets a later change of this process go first.
  let previous: Promise<unknown> = Promise.resolve();

  /**
   * Does the work while no other process changes the file, with what it holds now; work of this process in the order in
   * which it was requested.
   * @throws AppError `file_unwritable` when it was held all the while, `file_too_new`, `file_unreadable`
   */
  function locked<R>(work: (now: T) => Promise<R>): Promise<R> {
    const result = previous.then(() =>
      alone(join(dataFolder, `${name}.lock`), patienceMs, busy, async () => {
        const { value, aside } = await readVersioned({ path, format, read });
        if (aside !== null) {
          const lost = value === null ? `The ${what}` : `Some of the ${what}`;
          problem = `${lost} could not be read. What was kept of them is now ${aside}.`;
          warn(`${problem} It lies in ${dataFolder}.`);
        }
        return work(value ?? nothing);
      }),
    );
    previous = result.catch(() => undefined);
    return result;
  }
  return {
    locked,
    /** What the file holds, without its lock unless it is damaged. @throws AppError as {@link locked} */
    async read(): Promise<T> {
      const content = await contentOf({ path, format, read });
      if (content?.found === null) return locked(async (now) => now);
      return content?.found?.value ?? nothing;
    },
    /** To be called within the work. @throws AppError `disk_full`, `file_unwritable` */
    write: (content: object): Promise<void> => writeVersioned(path, format, content),
    /** What could not be read, in words, told once. */
    takeProblem(): string | null {
      const told = problem;
      problem = null;
      return told;
    },
  };
}
