import { useEffect, useMemo, useState } from 'react';
import { isSameAddress } from '../../../../shared/datasets/datasets.ts';
import type { AppError } from '../../../../shared/errors/errors.ts';
import type { PlotOverlay } from '../../../../shared/tabs/plot.ts';
import { useApp, useAppState, useSession, useSessionState } from '../../../contexts.ts';
import { createLatestTask } from '../../../state/latest-task.ts';
import { valueOr } from '../../../state/loadable.ts';
import { useNotes } from '../../notes/notes.tsx';
import type { PlotNames } from '../names.ts';
import type { Content } from '../content.ts';
import { rangesInUnit } from '../../records/shown-cells.ts';
import { type LoadedOverlay, noteOverlays, type OverlayAxis } from './chart-marks.ts';
import type { ReadMarks } from './overlays.ts';

interface Loaded {
  readonly key: string;
  readonly read: ReadMarks;
  readonly error: AppError | null;
}

const none: readonly PlotOverlay[] = [];
const noMarks: ReadMarks = { marks: [], isCut: false };

export interface PlotOverlays {
  readonly loaded: readonly LoadedOverlay[];
  /** The asset ids, as text, of the wells whose notes belong to the plot. */
  readonly wells: readonly string[];
  /** Why some could not be read. */
  readonly error: AppError | null;
  /** Those of which only a part is drawn. */
  readonly cut: readonly PlotOverlay[];
}

/** The marks of a plot’s overlays on an axis, as they are loaded, in its unit. */
export function useOverlays(
  connection: string,
  content: Content | null,
  axis: OverlayAxis | null,
  names: PlotNames,
  requestedWells: readonly string[],
): PlotOverlays {
  const { overlays: reader } = useSession();
  const { fields } = useApp();
  const allFields = useAppState('fields', (state) => state);
  const datasets = useSessionState('datasets', ({ list }) => list);
  const [loaded, setLoaded] = useState<readonly Loaded[]>([]);
  const chosen = content?.choice.overlays ?? none;
  const along = axis?.along ?? null;
  const shown = useMemo(() => chosen.filter((overlay) => overlay.along === along), [chosen, along]);
  const wells = useMemo(
    () => [...new Set((content?.groups ?? []).flatMap(([well]) => (well ? [well] : [])))],
    [content?.groups],
  );
  useEffect(() => {
    const tasks = shown.map(createLatestTask);
    const all = valueOr(datasets, []);
    const keep = (next: Loaded) =>
      setLoaded((before) => {
        const loadedBefore = before.find(({ key }) => key === next.key);
        // The list of datasets arrives in parts: the same marks are not drawn again.
        if (loadedBefore?.read === next.read && loadedBefore.error === next.error) return before;
        return [...before.filter((other) => other !== loadedBefore), next];
      });
    for (const [at, overlay] of shown.entries()) {
      void fields.load({ connection, address: overlay });
      const type = all.find((dataset) => isSameAddress(dataset, overlay))?.type ?? null;
      const key = JSON.stringify(overlay);
      void tasks[at]?.run(() => reader.value({ overlay, type, wells }), {
        onDone: (read) => keep({ key, read, error: null }),
        onFailed: (error) => keep({ key, read: noMarks, error }),
        onCanceled: () => undefined,
      });
    }
    return () => tasks.forEach(({ drop }) => drop());
  }, [reader, fields, connection, shown, wells, datasets]);
  // Records without their well are of those that the query names.
  const noteWells = wells.length > 0 ? wells : requestedWells;
  const notes = useNotes(noteWells);
  const hasNotes = content?.choice.hasNotes;
  const unit = axis && axis.along === 'depth' ? names.unitOf(axis.field) : undefined;
  return useMemo(() => {
    const byKey = new Map(loaded.map((entry) => [entry.key, entry]));
    const all = shown.flatMap((overlay) => {
      const entry = byKey.get(JSON.stringify(overlay));
      if (!entry) return [];
      const { marks, isCut } = entry.read;
      const catalogue = valueOr(fields.of(allFields, { connection, address: overlay }), null);
      const stored = catalogue?.units.get(overlay.from);
      return [{ overlay, marks: rangesInUnit(marks, stored, unit), error: entry.error, isCut }];
    });
    return {
      loaded: [...all, ...noteOverlays(notes, { hasNotes }, axis, unit)],
      wells: noteWells,
      error: all.find(({ error }) => error !== null)?.error ?? null,
      cut: all.flatMap(({ overlay, isCut }) => (isCut ? [overlay] : [])),
    };
  }, [loaded, shown, fields, allFields, connection, unit, axis, notes, hasNotes, noteWells]);
}
