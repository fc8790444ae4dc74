import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { noMarks, wellMarks, type WellMarks, type WellMarksChange } from '../../shared/wells/wells.ts';
import { renameFile, writeWhole } from '../files/disk.ts';
import { isMissing } from '../files/file-errors.ts';

/** What a person has marked in the wells of each connection: a small file beside its catalogue. */
export type MarkStore = ReturnType<typeof openMarks>;

/** @param folder holds a folder for each connection, which goes when the connection is removed */
export function openMarks(folder: string) {
  // An id is the name of a folder here; marks of one that can't be are kept for nobody.
  const placeOf = (id: string): string | null => (/^[\w-]{1,64}$/.test(id) ? join(folder, id) : null);
  const read = async (connection: string): Promise<WellMarks> => {
    const place = placeOf(connection);
    if (place === null) return noMarks;
    const path = join(place, 'marks.json');
    try {
      return wellMarks.parse(JSON.parse(await readFile(path, 'utf8')));
    } catch (error) {
      // They are a convenience: damaged ones are set aside, and the list does without.
      if (!isMissing(error)) await renameFile(path, `${path}.damaged`).catch(() => undefined);
      return noMarks;
    }
  };
  async function keep(place: string, marks: WellMarks): Promise<void> {
    try {
      await mkdir(place, { recursive: true, mode: 0o700 });
      await writeWhole(join(place, 'marks.json'), JSON.stringify(marks));
    } catch (error) {
      // The connection was removed meanwhile, and its marks with it.
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
        const given = Object.entries(change).filter(([, value]) => value !== undefined);
        const changed = wellMarks.parse({ ...before, ...Object.fromEntries(given) });
        const place = placeOf(connection);
        if (place !== null) await keep(place, changed);
        return changed;
      });
      line = changing.catch(() => undefined);
      return changing;
    },
  };
}
