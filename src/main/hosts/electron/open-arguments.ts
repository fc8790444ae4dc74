import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { Opened } from '../../../shared/files/opened.ts';
import { isLink, queryFromLink } from '../../../shared/query/query-link.ts';
import { savedExtension, savedFromText } from '../../../shared/saved/saved-file.ts';
import { appErrorFrom } from '../../core/files/file-errors.ts';
import { readRegular } from '../../core/files/regular-file.ts';

/** No file of queries is larger, in bytes; it is not read to find out. */
const maxBytes = 20_000_000;

/** Data that another start of the application sends. */
export const startedWith = z.object({ argv: z.array(z.string()).max(1000), cwd: z.string() });

/**
 * The items that command-line arguments ask to open: a link, or paths of Wellbench files. Other arguments are
 * ignored. A link must be alone, because its author may have tried to add arguments.
 * @param cwd base folder of relative paths
 */
export function parseArguments(argv: readonly string[], cwd: string): string[] {
  const link = argv.find(isLink);
  if (link !== undefined) return [link];
  return argv.flatMap((argument) => {
    if (argument.startsWith('-') || !argument.toLowerCase().endsWith(`.${savedExtension}`)) return [];
    const path = /^file:\/\//i.test(argument) ? pathOf(argument) : argument;
    return path === null ? [] : [resolve(cwd, path)];
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
 */
export async function readArgument(argument: string): Promise<Opened> {
  try {
    if (isLink(argument)) return { kind: 'queries', file: null, content: queryFromLink(argument) };
    return await readQueries(argument);
  } catch (error) {
    return { kind: 'problem', error: appErrorFrom(error).toBody() };
  }
}
