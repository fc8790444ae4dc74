import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { Opened } from '../../../shared/files/opened.ts';
import { isLink, queryFromLink } from '../../../shared/query/query-link.ts';
import { savedExtension, savedFromText } from '../../../shared/saved/saved-file.ts';
import { appErrorFrom } from '../../files/file-errors.ts';
import { readRegular } from '../../files/regular-file.ts';

/** No file of queries is larger, in bytes; it is not read to find out. */
const maxBytes = 20_000_000;

/** What another start of the application tells of itself. */
export const startedWith = z.object({ argv: z.array(z.string()).max(1000), cwd: z.string() });

/**
 * What the arguments of a start ask to be opened: a link, or the paths of files of ours. Everything else is left
 * alone. Beside a link nothing counts: whoever made it may have tried to add to it.
 * @param cwd folder that paths without one of their own begin at
 */
export function thingsIn(argv: readonly string[], cwd: string): string[] {
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

async function queriesIn(path: string): Promise<Opened> {
  const file = basename(path);
  const text = (await readRegular(path, file, maxBytes)).toString('utf8');
  return { kind: 'queries', file, content: savedFromText(text, file) };
}

/** Reads what {@link thingsIn} found; what can't be read says why. Never rejects, and nothing of it is run. */
export async function readThing(thing: string): Promise<Opened> {
  try {
    if (isLink(thing)) return { kind: 'queries', file: null, content: queryFromLink(thing) };
    return await queriesIn(thing);
  } catch (error) {
    return { kind: 'problem', error: appErrorFrom(error).toBody() };
  }
}
