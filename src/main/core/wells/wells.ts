import type { calls } from '../../../shared/contract/contract.ts';
import type { ModuleHandlers } from '../handlers.ts';
import type { Services } from '../wire/services/services.ts';
import { checkFilter } from '../wire/services/checks.ts';
import { resolveNames } from './resolve.ts';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { noMarks, wellMarks, type WellMarks, type WellMarksChange } from '../../../shared/wells/wells.ts';
import { renameFile, writeWhole } from '../files/disk.ts';
import { isMissing } from '../files/file-errors.ts';
import { readOwnText } from '../files/regular-file.ts';

/** The marks of wells for each connection: a small file beside its catalogue. */
export type MarkStore = ReturnType<typeof openMarks>;

/**
 * @param folder has a folder for each connection, removed with the connection
 */
export function openMarks(folder: string) {
  // The id is a folder name; marks of an invalid id aren't saved.
  const placeOf = (id: string): string | null => (/^[\w-]{1,64}$/.test(id) ? join(folder, id) : null);
  const read = async (connection: string): Promise<WellMarks> => {
    const place = placeOf(connection);
    if (place === null) return noMarks;
    const path = join(place, 'marks.json');
    try {
      const text = await readOwnText(path, 'marks.json');
      return text === null ? noMarks : wellMarks.parse(JSON.parse(text));
    } catch {
      // They are a convenience: damaged ones are set aside, and the list does without.
      await renameFile(path, `${path}.damaged`).catch(() => undefined);
      return noMarks;
    }
  };
  async function save(place: string, marks: WellMarks): Promise<void> {
    try {
      await mkdir(place, { recursive: true, mode: 0o700 });
      await writeWhole(join(place, 'marks.json'), JSON.stringify(marks));
    } catch (error) {
      // The connection and its marks were removed in the meantime.
      if (!isMissing(error)) throw error;
    }
  }
  let line: Promise<unknown> = Promise.resolve();
  return {
    read,
    /** @throws what the file system refuses */
    change(connection: string, change: WellMarksChange): Promise<WellMarks> {
      const changing = line.then(async () => {
        const before = await read(connection);
        const changes = Object.entries(change).filter(([, value]) => value !== undefined);
        const changed = wellMarks.parse({ ...before, ...Object.fromEntries(changes) });
        const place = placeOf(connection);
        if (place !== null) await save(place, changed);
        return changed;
      });
      line = changing.catch(() => undefined);
      return changing;
    },
  };
}

export interface WellsDependencies {
  readonly services: (connectionId: string) => Services;
  readonly marks: MarkStore;
}

/** Handlers for wells and other platform resources (specification, section 4.2). */
export function createWells({ services, marks }: WellsDependencies): ModuleHandlers<(typeof calls)['wells']> {
  return {
    async entities({ connection, resource, filter }, { signal }) {
      return services(connection).platform.pages(resource, checkFilter(resource, filter), { signal });
    },
    resolve: async ({ connection, names }, { signal }) =>
      resolveNames(services(connection).platform, names, { signal }),
    marks: async ({ connection }) => marks.read(connection),
    mark: async ({ connection, marks: change }) => marks.change(connection, change),
  };
}
