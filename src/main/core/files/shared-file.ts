import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { AppError } from '../../../shared/errors/errors.ts';
import { createQueue } from '../queue.ts';
import { withFileLock } from './lock.ts';
import { renameFile, writeWhole, flushFile, flushFolder } from './disk.ts';
import { writeError } from './file-errors.ts';
import { jsonOrNull } from '../../../shared/json.ts';
import { readOwnText } from './regular-file.ts';
import { copyFile, stat } from '../../world/files.ts';

const envelope = z.looseObject({ format: z.int() });

/** The readable content of a file; null: damaged. `partly`: parts were skipped. */
type Readable<T> = { readonly value: T; readonly partly: boolean } | null;

/** A JSON file with a format, the newest of which is the one that this version writes. */
interface VersionedFile<T> {
  readonly path: string;
  readonly format: number;
  readonly read: (content: unknown) => Readable<T>;
}

/** Reads a list in a file by its name; an item that is damaged does not take the others with it. */
export function listReader<T>(name: string, item: z.ZodType<T>) {
  const schema = z.object({ [name]: z.array(z.unknown()) });
  return (content: unknown): Readable<T[]> => {
    const list = schema.safeParse(content).data?.[name];
    if (!list) return null;
    const value = list.map((entry) => item.safeParse(entry)).filter(({ success }) => success);
    return { value: value.flatMap(({ data }) => data ?? []), partly: value.length < list.length };
  };
}

/**
 * @returns null if the file doesn't exist; `readable` is null if it is damaged
 * @throws AppError `file_too_new`, `file_unreadable`
 */
async function contentOf<T>({
  path,
  format,
  read,
}: VersionedFile<T>): Promise<{ readable: Readable<T> } | null> {
  const text = await readOwnText(path, basename(path));
  if (text === null) return null;
  const content = jsonOrNull(text);
  const head = envelope.safeParse(content);
  if (head.success && head.data.format > format)
    throw new AppError('file_too_new', { file: basename(path), format: head.data.format });
  return { readable: head.success ? read(content) : null };
}

/**
 * Reads a JSON file of the data folder. A damaged file is set aside under another name, a partly damaged one
 * is copied, so nothing is lost. The caller must be allowed to write the file.
 * @returns `setAsideAs`: the name of the file set aside; null: none, or an earlier reader has copied it
 * @throws AppError `file_too_new`, with the file unchanged; `file_unreadable`
 */
export async function readVersioned<T>(
  file: VersionedFile<T>,
): Promise<{ value: T | null; setAsideAs: string | null }> {
  const content = await contentOf(file);
  const readable = content?.readable ?? null;
  if (content === null || (readable && !readable.partly))
    return { value: readable?.value ?? null, setAsideAs: null };
  // The same copy for each reader: it is made and reported once.
  const { mtimeMs, size } = await stat(file.path);
  const setAsideAs = `${file.path}.damaged-${Math.trunc(mtimeMs)}`;
  if (readable) {
    const copied = await stat(setAsideAs).catch(() => null);
    if (copied?.size === size) return { value: readable.value, setAsideAs: null };
    await copyFile(file.path, setAsideAs);
    await flushFile(setAsideAs);
    await flushFolder(dirname(setAsideAs));
  } else await renameFile(file.path, setAsideAs);
  return { value: readable?.value ?? null, setAsideAs: basename(setAsideAs) };
}

/** The message for a damaged file of the data folder. @param what its content in words: "saved queries" */
export const describeDamage = (what: string, isPartly: boolean, setAsideAs: string): string =>
  isPartly
    ? `Some of the ${what} couldn’t be read and were left out. A copy of the damaged file is ${setAsideAs}.`
    : `The ${what} couldn’t be read and were reset. The damaged file is now ${setAsideAs}.`;

/** Writes a JSON file of Wellbench, completely or not at all. @throws AppError `disk_full`, `file_unwritable` */
export const writeVersioned = (path: string, format: number, content: object): Promise<void> =>
  writeText(path, JSON.stringify({ format, ...content }));

/**
 * Writes a text completely or not at all.
 * @throws AppError `disk_full`, `file_unwritable`, with a name instead of the path
 */
export async function writeText(path: string, text: string): Promise<void> {
  await writeWhole(path, text).catch((cause: unknown) => {
    throw writeError(cause, basename(path));
  });
}

interface SharedFileOptions<T> extends Pick<VersionedFile<T>, 'format' | 'read'> {
  readonly dataFolder: string;
  /** The name of the file, without `.json`, and of its lock. */
  readonly name: string;
  /** The initial content. */
  readonly nothing: T;
  /** The content in words: "saved queries". */
  readonly what: string;
  /** Called when a damaged file was set aside. */
  readonly warn: (sentence: string) => void;
}

/** How long another process may be busy with the file, in milliseconds. */
const patienceMs = 10_000;

/**
 * A small file in the data folder, written whole under `<name>.lock` after reading it again, so several
 * windows and hosts can change it.
 */
export function openSharedFile<T>(options: SharedFileOptions<T>) {
  const { dataFolder, name, format, read, nothing, what, warn } = options;
  const file = `${name}.json`;
  const path = join(dataFolder, file);
  const reason = 'another process is changing it';
  const busy = () => new AppError('file_unwritable', { file, reason, isBusy: true });
  let problem: string | null = null;
  // The lock alone lets a later change of this process go first.
  const queue = createQueue();

  /**
   * Runs work with the current content while no other process changes the file.
   * @throws AppError `file_unwritable` when the lock isn’t released in time; `file_too_new`, `file_unreadable`
   */
  function locked<R>(work: (now: T) => Promise<R>): Promise<R> {
    return queue(() =>
      withFileLock(join(dataFolder, `${name}.lock`), patienceMs, busy, async () => {
        const { value, setAsideAs } = await readVersioned({ path, format, read });
        if (setAsideAs !== null) {
          problem = describeDamage(what, value !== null, setAsideAs);
          warn(`${problem} It is in ${dataFolder}.`);
        }
        return work(value ?? nothing);
      }),
    );
  }
  return {
    locked,
    /** The content; takes the lock only if the file is damaged. @throws AppError as {@link locked} */
    async read(): Promise<T> {
      const content = await contentOf({ path, format, read });
      if (content?.readable === null) return locked(async (now) => now);
      return content?.readable?.value ?? nothing;
    },
    /** To be called within the work. @throws AppError `disk_full`, `file_unwritable` */
    write: (content: object): Promise<void> => writeVersioned(path, format, content),
    /** The last read problem, reported once. */
    takeProblem(): string | null {
      const lastProblem = problem;
      problem = null;
      return lastProblem;
    },
  };
}
