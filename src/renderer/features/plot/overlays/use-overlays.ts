import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { isSameAddress } from '../../../../shared/datasets/datasets.ts';
import type { AppError } from '../../../../shared/errors/errors.ts';
import type { PlotOverlay } from '../../../../shared/tabs/plot.ts';
import { useApp, useAppState, useSession, useSessionState } from '../../../contexts.ts';
import { valueOr } from '../../../state/loadable.ts';
import { sharedMaxAgeMs } from '../../../state/resource.ts';
import { isSameJson, useStable } from '../../../state/use-stable.ts';
import { useNotes } from '../../notes/notes.tsx';
import type { PlotNames } from '../names.ts';
import type { Content } from '../content.ts';
import {
  type LoadedOverlay,
  markedOverlay,
  noteOverlays,
  type OverlayAxis,
  overlaySubject,
} from './chart-marks.ts';

const noMarks = { marks: [], isCut: false };
const isEnded = ({ status }: { readonly status: string }): boolean =>
  status === 'loaded' || status === 'failed';

export interface PlotOverlays {
  readonly loaded: readonly LoadedOverlay[];
  /** The asset ids, as text, of the wells whose notes belong to the plot. */
  readonly wells: readonly string[];
  /** Why some could not be read. */
  readonly error: AppError | null;
}

/** The marks of a plot’s overlays on an axis, as they are loaded, in its unit. */
export function useOverlays(
  content: Content | null,
  axis: OverlayAxis | null,
  names: PlotNames,
  requestedWells: readonly string[],
): PlotOverlays {
  const { connection, overlays: reader } = useSession();
  const { fields } = useApp();
  const allFields = useAppState('fields', (state) => state);
  const datasets = useSessionState('datasets', ({ list }) => list);
  const answers = useStore(reader.store);
  // New records mostly have the same marks.
  const subject = useStable(
    useMemo(
      () => overlaySubject(content, axis, names, requestedWells),
      [content, axis, names, requestedWells],
    ),
    isSameJson,
  );
  const { overlays: shown, along, wells, unit } = subject;
  const all = valueOr(datasets, []);
  const typeOf = (overlay: PlotOverlay) => all.find((dataset) => isSameAddress(dataset, overlay))?.type;
  // The list of datasets arrives in parts: the same marks are not drawn again.
  const keys = useStable(
    shown.map((overlay) => ({ overlay, type: typeOf(overlay) ?? null, wells })),
    isSameJson,
  );
  useEffect(() => {
    const stops = keys.map(({ overlay }) => fields.follow({ connection, address: overlay }));
    return () => stops.forEach((stop) => stop());
  }, [fields, connection, keys]);
  useEffect(() => {
    // With new records, marks may be new, too.
    for (const key of content ? keys : []) {
      const fieldsKey = { connection, address: key.overlay };
      void reader.load(key, { maxAgeMs: sharedMaxAgeMs });
      if (fields.get(fieldsKey).freshness.error) void fields.load(fieldsKey, { maxAgeMs: sharedMaxAgeMs });
    }
  }, [reader, fields, connection, keys, content]);
  const notes = useNotes(wells);
  return useMemo(() => {
    const settled = keys.flatMap((key) => {
      const answer = reader.of(answers, key);
      const fieldsKey = { connection, address: key.overlay };
      // Depths are drawn only once their unit has been read.
      const isSettled = isEnded(answer) && (along !== 'depth' || fields.hasSettled(fieldsKey));
      const units = valueOr(fields.of(allFields, fieldsKey), null)?.units;
      return isSettled ? [{ ...key, answer, units }] : [];
    });
    const marked = settled.map(({ overlay, answer, units }) =>
      markedOverlay(overlay, valueOr(answer, noMarks), units?.get(overlay.from), unit),
    );
    const failure = settled.find(({ answer }) => answer.freshness.error !== null);
    return {
      loaded: [...marked, ...noteOverlays(notes, subject, along, unit)],
      wells,
      error: failure?.answer.freshness.error ?? null,
    };
  }, [answers, keys, reader, fields, allFields, connection, notes, subject, along, wells, unit]);
}
