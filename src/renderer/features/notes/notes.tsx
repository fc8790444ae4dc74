import { useMemo } from 'react';
import type { NoteList, WellNote } from '../../../shared/contract/notes.ts';
import type { ScopedWell } from '../../../shared/wells/wells.ts';
import type { Api } from '../../api/api.ts';
import { useAppState, useSession, type Session } from '../../contexts.ts';
import { formatDepth } from '../../format/numbers.ts';
import { resolveZone, wellZonesOf, type TimeView } from '../../format/time-view.ts';
import { formatZoned } from '../../format/zoned.ts';
import { valueOr, type Loadable } from '../../state/loadable.ts';
import { Resource, useResource } from '../../state/resource.ts';
import { notesWords } from '../../words/notes.ts';
import type { WellIndex } from '../wells/well-index.ts';
import { wellLabel } from '../wells/wells-state.ts';

export type Notes = ReturnType<typeof createNotes>;

/** The user's notes on the wells of a connection: one list, so that each view of them shows the same. */
export function createNotes({ notes }: Pick<Api, 'notes'>, connection: string) {
  /** The application reports a problem once; it stays until another one replaces it. */
  let problem: string | null = null;
  const withProblem = (next: NoteList): NoteList => {
    problem = next.problem ?? problem;
    return { ...next, problem };
  };
  const list = new Resource(async (of: string, signal) =>
    withProblem(await notes.list({ connection: of }, { signal })),
  );
  const show = (next: NoteList) => list.set(connection, withProblem(next));
  return {
    list,
    /** Reads what another window has changed. Never rejects. */
    refresh: () => list.refresh(connection),
    /** Adds a note, or replaces the one with its id. @throws AppError */
    put: async (note: WellNote) => show(await notes.put({ connection, note })),
    /** @throws AppError */
    remove: async (id: string) => show(await notes.remove({ connection, id })),
  };
}

/** The notes on wells, the last changed first. @param wells asset ids as text */
export const notesOf = (notes: readonly WellNote[], wells: readonly string[]): WellNote[] =>
  notes.filter(({ well }) => wells.includes(String(well))).toSorted((a, b) => b.changedAt - a.changedAt);

const noNotes: NoteList = { notes: [], problem: null };

/** The notes of the connection, loaded once. */
export function useNoteList(): Loadable<NoteList> {
  const { notes, connection } = useSession();
  return useResource(notes.list, connection);
}

/** The notes on wells, the last changed first; empty until they are loaded. */
export function useNotes(wells: readonly string[]): readonly WellNote[] {
  const list = useNoteList();
  const { notes } = valueOr(list, noNotes);
  return useMemo(() => notesOf(notes, wells), [notes, wells]);
}

/** The time of a note with its zone, or its depth with its unit. @param zone an IANA name */
export function noteRange({ along, from, to, unit }: WellNote, zone: string): string {
  if (along === 'depth') {
    const text = to === null ? formatDepth(from) : notesWords.range(formatDepth(from), formatDepth(to));
    return unit === null ? text : `${text} ${unit}`;
  }
  const start = formatZoned(from, zone);
  if (to === null) return `${start} ${zone}`;
  const end = formatZoned(to, zone);
  // The same day is written once.
  const shown = start.slice(0, 11) === end.slice(0, 11) ? end.slice(11) : end;
  return `${notesWords.times(start, shown)} ${zone}`;
}

export const noteInOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** A note in one line, as for a report. @param zone an IANA name */
export const noteLine = (note: WellNote, zone: string): string =>
  notesWords.line(noteRange(note, zone), noteInOneLine(note.text));

/** The zone of times of a well, an IANA name. @param times the setting; notes have no raw times */
const zoneOfWell = (times: TimeView, well: ScopedWell): string =>
  resolveZone(times, wellZonesOf([well])) ?? 'UTC';

/** The notes on wells, as they are loaded, as lines of text with the name of each well, the last changed first. */
export function noteLines(
  { notes, connection }: Pick<Session, 'notes' | 'connection'>,
  wells: readonly ScopedWell[],
  listed: WellIndex,
  times: TimeView,
): string[] {
  const byId = new Map(wells.map((well) => [String(well.assetId), well]));
  const list = valueOr(notes.list.get(connection), noNotes);
  return notesOf(list.notes, [...byId.keys()]).flatMap((note) => {
    const well = byId.get(String(note.well));
    if (!well) return [];
    return [notesWords.onWell(wellLabel(listed, well), noteLine(note, zoneOfWell(times, well)))];
  });
}

/** The notes on a well, the last changed first; nothing if there are none. @param most how many are shown; absent: all */
export function WellNotes({ well, most = Infinity }: { readonly well: ScopedWell; readonly most?: number }) {
  const wells = useMemo(() => [String(well.assetId)], [well.assetId]);
  const notes = useNotes(wells);
  const zone = zoneOfWell(
    useAppState('settings', (state) => state.values.times),
    well,
  );
  if (notes.length === 0) return null;
  return (
    <div className="small above-1">
      <ul className="stack gap-1" aria-label={notesWords.of(well.name)}>
        {notes.slice(0, most).map((note) => (
          <li key={note.id} className="min-0 break" title={note.text}>
            <span className="quiet numbers">{noteRange(note, zone)}</span>{' '}
            {most === Infinity ? note.text : noteInOneLine(note.text).slice(0, 120)}
          </li>
        ))}
      </ul>
      {notes.length > most && <p className="quiet">{notesWords.more(notes.length - most)}</p>}
    </div>
  );
}
