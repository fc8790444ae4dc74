import { basename } from 'node:path';
import { AppError, invalidInput } from '../../../shared/errors/errors.ts';
import type { FileToken, GrantedFile } from '../../../shared/files/files.ts';
import type { OutputPath } from './output-file.ts';
import { statRegular } from './regular-file.ts';
import { randomBytes } from '../../world/random.ts';

/** Where a selected file is. `spooled`: a copy of the main process, which the job takes. */
export type SourcePlace = {
  readonly place: 'path' | 'spooled';
  readonly path: string;
  readonly name: string;
};

/** Where a result goes: to a selected path, or to the job's folder for download. */
type TargetPlace = FileTarget | { readonly place: 'job'; readonly name: string };

export interface FileTarget extends OutputPath {
  readonly place: 'path';
  readonly name: string;
}

export interface FolderPlace {
  readonly path: string;
  readonly name: string;
  /** Whether a run may replace what another export of Wellbench wrote there. */
  readonly replaces?: boolean;
}

/**
 * The file tokens of this process. They can't be guessed and end with the process; those for writing end with
 * their first use.
 */
export type Files = ReturnType<typeof createFiles>;

/** @throws AppError invalid_input for a token that isn't of such a place, or has ended */
function placeOf<T>(places: ReadonlyMap<FileToken, T>, token: FileToken, what: string): T {
  const place = places.get(token);
  if (!place) throw invalidInput(`The ${what} is no longer available. Choose it again.`);
  return place;
}

const newToken = (): FileToken => randomBytes(24).toString('base64url');

/** Issues tokens for paths, which the window never gets. */
export function createFiles() {
  const sources = new Map<FileToken, SourcePlace>();
  const targets = new Map<FileToken, TargetPlace>();
  const folders = new Map<FileToken, FolderPlace>();
  const issued = new Map<string, FileToken>();
  /** The token of a place: the same one for the same place, and never that of another place with the same path. */
  function tokenOf(kind: 'source' | 'folder', place: SourcePlace | FolderPlace): FileToken {
    const key = JSON.stringify([kind, Object.entries(place).toSorted(([a], [b]) => a.localeCompare(b))]);
    const token = issued.get(key) ?? newToken();
    issued.set(key, token);
    return token;
  }
  async function grantSource(source: SourcePlace): Promise<GrantedFile> {
    const { size: bytes } = await statRegular(source.path, source.name);
    const token = tokenOf('source', source);
    sources.set(token, source);
    return { token, name: source.name, bytes };
  }
  return {
    /** @throws AppError file_unreadable when it is not there, or no regular file */
    grantSource,
    /**
     * A file that was granted for reading, as it is now; null: the token is of another process, or the file
     * is missing.
     */
    async findSource(token: FileToken): Promise<GrantedFile | null> {
      const source = sources.get(token);
      if (!source) return null;
      return grantSource(source).catch((error: unknown) => {
        if (error instanceof AppError && error.is('file_unreadable')) return null;
        throw error;
      });
    },
    grantFolder(folder: FolderPlace): GrantedFile {
      const token = tokenOf('folder', folder);
      folders.set(token, folder);
      return { token, name: folder.name, bytes: null };
    },
    /** @throws AppError invalid_input for a token that was not handed out for a folder */
    folder: (token: FileToken): FolderPlace => placeOf(folders, token, 'folder'),
    grantTarget(target: TargetPlace): GrantedFile {
      const token = newToken();
      targets.set(token, target);
      return { token, name: target.name, bytes: null };
    },
    /** @throws AppError invalid_input for a token that was not handed out for reading */
    source: (token: FileToken): SourcePlace => placeOf(sources, token, 'file'),
    /** @throws AppError invalid_input for a token that was not handed out for writing, or that has ended */
    target: (token: FileToken): TargetPlace => placeOf(targets, token, 'save location'),
    /** Ends a token for writing, once a job uses its target or the target is written. */
    endTarget(token: FileToken): void {
      targets.delete(token);
    },
  };
}

/** A source at the user's path. */
export const sourceAt = (path: string): SourcePlace => ({ place: 'path', path, name: basename(path) });
/** A target at a selected path. @param replaces whether the person allowed to replace a file there */
export const targetAt = (path: string, replaces = false): FileTarget => ({
  place: 'path',
  path,
  name: basename(path),
  replaces,
});
