import { basename, extname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { Opened } from '../../shared/contract/events.ts';
import { isLink, queryFromLink, savedExtension, savedFromText } from '../../shared/saved/sharing.ts';
import { appErrorFrom } from '../core/files/file-errors.ts';
import { sourceAt, type Files } from '../core/files/files.ts';
import { readRegular } from '../core/files/regular-file.ts';

/** No file of queries is larger, in bytes; it is not read to find out. */
const maxBytes = 20_000_000;

/** Extensions of files with rows that a desktop hands over to be uploaded. */
export const rowExtensions: readonly string[] = ['csv', 'las'];

const openedExtensions = [savedExtension, ...rowExtensions];
const extensionOf = (path: string): string => extname(path).slice(1).toLowerCase();

/** Data that another start of the application sends. */
export const startedWith = z.object({ argv: z.array(z.string()).max(1000), cwd: z.string() });
export type StartedWith = z.infer<typeof startedWith>;

/**
 * The items that command-line arguments ask to open: a link, or paths of files that Wellbench opens. Other
 * arguments are ignored. A link must be alone, because its author may have tried to add arguments.
 * @param cwd base folder of relative paths
 */
export function parseArguments(argv: readonly string[], cwd: string): string[] {
  const link = argv.find(isLink);
  if (link !== undefined) return [link];
  return argv.flatMap((argument) => {
    const path = /^file:\/\//i.test(argument) ? pathOf(argument) : argument;
    if (path === null || path.startsWith('-') || !openedExtensions.includes(extensionOf(path))) return [];
    return [resolve(cwd, path)];
  });
}

/** Desktops of Linux hand files over by their address. */
function pathOf(address: string): string | null {
  try {
    return fileURLToPath(address);
  } catch {
    return null;
  }
}

async function readQueries(path: string): Promise<Opened> {
  const file = basename(path);
  const text = (await readRegular(path, file, maxBytes)).toString('utf8');
  return { kind: 'queries', file, content: savedFromText(text, file) };
}

/**
 * Reads an item of {@link parseArguments}; failures are part of the result. Never rejects, and runs nothing.
 * @param files grants the window a token for a file with rows
 */
export async function readArgument(argument: string, files: Pick<Files, 'grantSource'>): Promise<Opened> {
  try {
    if (isLink(argument)) return { kind: 'queries', file: null, content: queryFromLink(argument) };
    if (rowExtensions.includes(extensionOf(argument)))
      return { kind: 'rows', file: await files.grantSource(sourceAt(argument)) };
    return await readQueries(argument);
  } catch (error) {
    return { kind: 'problem', error: appErrorFrom(error).toBody() };
  }
}
