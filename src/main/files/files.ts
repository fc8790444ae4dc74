import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { AppError, invalidInput } from '../../shared/errors/errors.ts';
import type { FileToken, GrantedFile } from '../../shared/files/files.ts';
import { sizeOfRegular } from './regular-file.ts';

/** Where a chosen file is. `spooled`: main's own copy, which the job that uses it takes over. */
export type SourcePlace = {
  readonly place: 'path' | 'spooled';
  readonly path: string;
  readonly name: string;
};

/** Where a result goes: to a path that a person chose, or into the job's folder to be downloaded from there. */
export type TargetPlace =
  | { readonly place: 'path'; readonly path: string; readonly name: string }
  | { readonly place: 'job'; readonly name: string };

/**
 * The tokens of one process: what each stands for. Tokens cannot be guessed and end with the process,
 * those for writing with their first use. */
export type Files = ReturnType<typeof createFiles>;

const newToken = (): FileToken => randomBytes(24).toString('base64url');

export function createFiles() {
  const sources = new Map<FileToken, SourcePlace>();
  const targets = new Map<FileToken, TargetPlace>();
  const tokensByPath = new Map<string, FileToken>();
  async function grantSource(source: SourcePlace): Promise<GrantedFile> {
    const bytes = await sizeOfRegular(source.path, source.name);
    const token = tokensByPath.get(source.path) ?? newToken();
    tokensByPath.set(source.path, token);
    sources.set(token, source);
    return { token, name: source.name, bytes };
  }
  return {
    /** @throws AppError file_unreadable when it is not there, or no regular file */
    grantSource,
    /** A file that was handed out for reading, as it is now; null: its token is another process's, or the file is gone. */
    async findSource(token: FileToken): Promise<GrantedFile | null> {
      const source = sources.get(token);
      if (!source) return null;
      return grantSource(source).catch((error: unknown) => {
        if (error instanceof AppError && error.is('file_unreadable')) return null;
        throw error;
      });
    },
    grantTarget(target: TargetPlace): GrantedFile {
      const token = newToken();
      targets.set(token, target);
      return { token, name: target.name, bytes: null };
    },
    /** @throws AppError invalid_input for a token that was not handed out for reading */
    source(token: FileToken): SourcePlace {
      const found = sources.get(token);
      if (!found) throw invalidInput('The file is no longer available. Choose it again.');
      return found;
    },
    /** @throws AppError invalid_input for a token that was not handed out for writing, or that has ended */
    target(token: FileToken): TargetPlace {
      const found = targets.get(token);
      if (!found) throw invalidInput('The save location is no longer available. Choose it again.');
      return found;
    },
    /** Ends a token for writing: a job has taken its place over, or all of it is written. */
    endTarget(token: FileToken): void {
      targets.delete(token);
    },
  };
}

/** A source that stands where the person has it. */
export const sourceAt = (path: string): SourcePlace => ({ place: 'path', path, name: basename(path) });
/** A target at a path that the person chose. */
export const targetAt = (path: string): TargetPlace => ({ place: 'path', path, name: basename(path) });
