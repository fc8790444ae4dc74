import { useEffect, useState } from 'react';
import type { Pointed } from '../../ui/plot/pointing.ts';
import type { Series } from './drawing.ts';
import { type Reading, readingsAt } from './reading.ts';
import type { Content, Drawn } from './content.ts';
import type { Scene } from './scene.ts';

/** The values at a position. */
export interface Readings {
  readonly along: number;
  readonly all: readonly Reading[];
}

interface Found {
  readonly content: Content;
  readonly along: number;
  readonly values: readonly (number | null)[];
}

/**
 * The values at the cursor. Where not all points are drawn, the nearest drawn one can be that of another record, so the
 * thread with the records is asked; until it answers, the values before stay.
 * @param scene the plot
 * @param drawn what is drawn; null: nothing yet
 * @param series the name and color of each line
 * @param cursor the position; null: none
 * @returns null: there is no cursor, or nothing is drawn
 */
export function useReadings(
  scene: Scene,
  drawn: Drawn | null,
  series: readonly Series[],
  cursor: Pointed | null,
): Readings | null {
  const [found, setFound] = useState<Found | null>(null);
  const isExact = cursor?.dot !== undefined || (drawn?.lines.every((line) => line.exact) ?? true);
  const along = cursor?.along ?? null;
  const content = drawn?.content ?? null;
  useEffect(() => {
    if (isExact || along === null || content === null) return undefined;
    let isCurrent = true;
    scene.actions.read(along).then(
      (values) => isCurrent && values && setFound({ content, along, values }),
      // The plot was closed, or shows its own error.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [scene, content, along, isExact]);
  if (!drawn || !cursor) return null;
  if (isExact || found?.content !== content)
    return { along: cursor.along, all: readingsAt(drawn, series, cursor) };
  return {
    along: found.along,
    all: series.map((one, at) => ({ series: one, value: found.values[at] ?? null })),
  };
}
