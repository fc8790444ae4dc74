import { copyFile, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import * as z from 'zod';
import { AppError } from '../../shared/errors/errors.ts';
import { renameFile, writeWhole } from './disk.ts';
import { isMissing, reasonInWords, writeError } from './file-errors.ts';

const envelope = z.looseObject({ format: z.int() });

/** What became of reading a file of ours. `aside`: the name under which what could not be read was put. */
export interface Found<T> {
  readonly value: T | null;
  readonly aside: string | null;
}

export interface VersionedFile<T> {
  readonly path: string;
  /** The newest format that this version writes. */
  readonly format: number;
  /** What a file holds; null: it is damaged. `partly`: something of it had to be left out. */
  readonly read: (content: unknown) => { readonly value: T; readonly partly: boolean } | null;
}

/**
 * Reads a JSON file of ours. A damaged one is set aside under another name, of one that is damaged in part a copy is;
 * nothing is ever lost by reading. To be called by whoever may write the file.
 * @throws AppError `file_too_new`: it was left alone; `file_unreadable`
 */
export async function readVersioned<T>({ path, format, read }: VersionedFile<T>): Promise<Found<T>> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw new AppError('file_unreadable', { file: basename(path), reason: reasonInWords(error) });
  });
  if (text === null) return { value: null, aside: null };
  const content = contentOf(text);
  const head = envelope.safeParse(content);
  if (head.success && head.data.format > format)
    throw new AppError('file_too_new', { file: basename(path), format: head.data.format });
  const found = head.success ? read(content) : null;
  if (found && !found.partly) return { value: found.value, aside: null };
  const aside = `${path}.damaged-${Date.now()}`;
  if (found) await copyFile(path, aside);
  else await renameFile(path, aside);
  return { value: found?.value ?? null, aside: basename(aside) };
}

/**
 * Writes a JSON file of ours, whole or not at all. @throws AppError `disk_full`, `file_unwritable`
 */
export const writeVersioned = (path: string, format: number, content: object): Promise<void> =>
  writeText(path, JSON.stringify({ format, ...content }));

/** Writes a text, whole or not at all. @throws AppError `disk_full`, `file_unwritable`, with a name in place of the path */
export async function writeText(path: string, text: string): Promise<void> {
  await writeWhole(path, text).catch((cause: unknown) => {
    throw writeError(cause, basename(path));
  });
}

function contentOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
