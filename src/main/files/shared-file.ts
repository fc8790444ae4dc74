import { join } from 'node:path';
import { AppError } from '../../shared/errors/errors.ts';
import { alone } from './alone.ts';
import { readVersioned, writeVersioned, type VersionedFile } from './versioned.ts';

/** A small file of a person's, which several windows and hosts may change side by side. */
export interface SharedFile<T> extends Pick<VersionedFile<T>, 'format' | 'read'> {
  readonly dataFolder: string;
  /** Of `<name>.json`, and of its lock. */
  readonly name: string;
  /** What it holds until something is kept. */
  readonly nothing: T;
  /** Told what was damaged, and where it was put; `all`: nothing of it could be read. */
  readonly onDamage: (aside: string, all: boolean) => void;
}

export interface OpenSharedFile<T> {
  /**
   * Does the work while no other process changes the file, with what it holds now.
   * @throws AppError `file_unwritable` when it was held all the while, `file_too_new`, `file_unreadable`
   */
  readonly locked: <R>(work: (now: T) => Promise<R>) => Promise<R>;
  /** To be called within the work. @throws AppError `disk_full`, `file_unwritable` */
  readonly write: (content: object) => Promise<void>;
}

/** How long another process may be busy with the file, in milliseconds. */
const patienceMs = 10_000;

export function openSharedFile<T>(file: SharedFile<T>): OpenSharedFile<T> {
  const { dataFolder, name, format, read, nothing, onDamage } = file;
  const path = join(dataFolder, `${name}.json`);
  const busy = () =>
    new AppError('file_unwritable', {
      file: `${name}.json`,
      reason: 'another process has been changing it for a while',
    });
  return {
    locked: (work) =>
      alone(join(dataFolder, `${name}.lock`), patienceMs, busy, async () => {
        const { value, aside } = await readVersioned({ path, format, read });
        if (aside !== null) onDamage(aside, value === null);
        return work(value ?? nothing);
      }),
    write: (content) => writeVersioned(path, format, content),
  };
}
