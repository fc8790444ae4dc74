import * as z from 'zod';
import { connectionId } from '../connections/connections.ts';
import { plainId } from '../files/files.ts';
import { assetId } from '../wells/wells.ts';
import { call } from './call.ts';

/** The longest note, in characters. */
export const maxNoteLength = 2000;
/** The most notes of all connections. */
export const maxNotes = 10_000;

/** A remark on a range of time or of measured depth of one well. */
export const wellNote = z
  .object({
    id: plainId,
    well: assetId,
    along: z.enum(['time', 'depth']),
    /** Unix milliseconds, or a depth in `unit`. */
    from: z.number(),
    /** Null: the note is on one place. */
    to: z.number().nullable(),
    /** Of a depth; null: a time, or the unit of the axis was unknown. */
    unit: z.string().max(40).nullable(),
    text: z.string().trim().min(1).max(maxNoteLength),
    /** Unix milliseconds. */
    changedAt: z.int(),
  })
  .refine(({ from, to }) => to === null || to >= from, { path: ['to'] });
export type WellNote = z.infer<typeof wellNote>;

/** The notes of a connection, and a problem with reading them, reported once. */
const noteList = z.object({ notes: z.array(wellNote), problem: z.string().nullable() });
export type NoteList = z.infer<typeof noteList>;

/** The user's notes on wells, which stay on this computer. Each call returns all notes of the connection. */
export const notesCalls = {
  list: call.input(z.object({ connection: connectionId })).output(noteList),
  /** Adds a note; one with the same id is replaced. */
  put: call.input(z.object({ connection: connectionId, note: wellNote })).output(noteList),
  remove: call.input(z.object({ connection: connectionId, id: plainId })).output(noteList),
};
