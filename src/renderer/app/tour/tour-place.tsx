import { lazy, Suspense, useState } from 'react';
import { useStore } from 'zustand';
import { useCommand } from '../../features/commands/use-command.ts';
import { createTour } from '../../features/tour/tour.ts';
import { useApp } from '../../state/contexts.ts';

// Most windows never show it.
const TourActs = lazy(() => import('./tour-acts.tsx'));

export interface TourPlaceProps {
  /** Whether the sample workspace is shown, where the tour is offered at first. */
  readonly isSample: boolean;
  readonly onLeft: () => void;
}

/** The place of the tour in the window: offered with the sample workspace, there for the asking anywhere else. */
export function TourPlace({ isSample, onLeft }: TourPlaceProps) {
  const { places } = useApp().settings.actions;
  const [tour] = useState(() => createTour(places.tour, Date.now));
  const face = useStore(tour.store, (state) => state.face);
  useCommand('tour', tour.actions.start);
  if (face === 'left' || (face === 'offered' && !isSample)) return null;
  return (
    <Suspense>
      <TourActs tour={tour} onLeft={onLeft} />
    </Suspense>
  );
}
