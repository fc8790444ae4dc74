import * as z from 'zod';
import { connectionId } from '../../../shared/connections/connections.ts';
import type { calls } from '../../../shared/contract/contract.ts';
import { maxNotes, wellNote } from '../../../shared/contract/notes.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import { listReader, openSharedFile } from '../../core/files/shared-file.ts';
import type { ModuleHandlers } from '../../core/handlers.ts';

const format = 1;

/** Asset ids are those of a connection: another one can have another well with the same id. */
const storedNote = z.object({ connection: connectionId, note: wellNote });
type StoredNote = z.infer<typeof storedNote>;

/** The notes on wells: `<data>/notes.json`. */
export function createNotes(
  dataFolder: string,
  warn: (sentence: string) => void,
): ModuleHandlers<(typeof calls)['notes']> {
  const { locked, write, takeProblem } = openSharedFile<readonly StoredNote[]>({
    dataFolder,
    name: 'notes',
    format,
    nothing: [],
    read: listReader('notes', storedNote),
    what: 'notes on wells',
    warn,
  });
  const answer = (all: readonly StoredNote[], connection: string) => ({
    notes: all.flatMap((stored) => (stored.connection === connection ? [stored.note] : [])),
    problem: takeProblem(),
  });
  const change = (connection: string, edit: (now: readonly StoredNote[]) => StoredNote[]) =>
    locked(async (now) => {
      const notes = edit(now);
      if (notes.length > maxNotes && notes.length > now.length)
        throw invalidInput(`No more than ${maxNotes} notes can be stored. Remove some first.`);
      await write({ notes });
      return answer(notes, connection);
    });
  const isNot =
    (connection: string, id: string) =>
    (stored: StoredNote): boolean =>
      stored.connection !== connection || stored.note.id !== id;

  return {
    list: ({ connection }) => locked(async (now) => answer(now, connection)),
    put: ({ connection, note }) =>
      change(connection, (now) => [...now.filter(isNot(connection, note.id)), { connection, note }]),
    remove: ({ connection, id }) => change(connection, (now) => now.filter(isNot(connection, id))),
  };
}
