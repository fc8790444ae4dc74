import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { isSameAddress } from '../../../../shared/datasets/datasets.ts';
import type { AppError } from '../../../../shared/errors/errors.ts';
import type { PlotOverlay } from '../../../../shared/tabs/plot.ts';
import { useApp, useAppState, useSession, useSessionState } from '../../../contexts.ts';
import { valueOr } from '../../../state/loadable.ts';
import { useStable } from '../../../state/use-stable.ts';
import { useNotes } from '../../notes/notes.tsx';
import type { PlotNames } from '../names.ts';
import type { Content } from '../content.ts';
import { rangesInUnit } from '../../records/shown-cells.ts';
import { type LoadedOverlay, markedWells, noteOverlays, type OverlayAxis } from './chart-marks.ts';

const none: readonly PlotOverlay[] = [];
const noGroups: Content['groups'] = [];
const isSameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

export interface PlotOverlays {
  readonly loaded: readonly LoadedOverlay[];
  /** The asset ids, as text, of the wells whose notes belong to the plot. */
  readonly wells: readonly string[];
  /** Why some could not be read. */
  readonly error: AppError | null;
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
  const answers = useStore(reader.store);
  const chosen = content?.choice.overlays ?? none;
  const along = axis?.along ?? null;
  const shown = useMemo(() => chosen.filter((overlay) => overlay.along === along), [chosen, along]);
  const groups = content?.groups ?? noGroups;
  const wells = useMemo(() => markedWells({ groups }, requestedWells), [groups, requestedWells]);
  const all = valueOr(datasets, []);
  const typeOf = (overlay: PlotOverlay) => all.find((dataset) => isSameAddress(dataset, overlay))?.type;
  // The list of datasets arrives in parts: the same marks are not drawn again.
  const keys = useStable(
    shown.map((overlay) => ({ overlay, type: typeOf(overlay) ?? null, wells })),
    isSameJson,
  );
  useEffect(() => {
    for (const key of keys) {
      void fields.load({ connection, address: key.overlay });
      void reader.load(key);
    }
  }, [reader, fields, connection, keys]);
  const notes = useNotes(wells);
  const hasNotes = content?.choice.hasNotes;
  const unit = axis && axis.along === 'depth' ? names.unitOf(axis.field) : undefined;
  return useMemo(() => {
    const marked = keys.flatMap((key) => {
      const answer = reader.of(answers, key);
      if (answer.status !== 'loaded' && answer.status !== 'failed') return [];
      const { marks, isCut } = valueOr(answer, { marks: [], isCut: false });
      const error = answer.status === 'failed' ? answer.error : null;
      const { overlay } = key;
      const catalogue = valueOr(fields.of(allFields, { connection, address: overlay }), null);
      const stored = catalogue?.units.get(overlay.from);
      return [{ overlay, marks: rangesInUnit(marks, stored, unit), error, isCut }];
    });
    return {
      loaded: [...marked, ...noteOverlays(notes, { hasNotes }, along, unit)],
      wells,
      error: marked.find(({ error }) => error !== null)?.error ?? null,
    };
  }, [answers, keys, reader, fields, allFields, connection, unit, along, notes, hasNotes, wells]);
}
