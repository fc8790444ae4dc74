import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { QueryTab } from '../../features/query/query-tab.ts';
import { TourBar, type TourBarProps } from '../../features/tour/tour-bar.tsx';
import type { Tour, TourStep } from '../../features/tour/tour.ts';
import { useAppState, useSession, useSessionState } from '../../contexts.ts';
import { useUploadInView } from '../../features/upload/upload-in-view.ts';
import { activeTab } from '../../features/tabs/tabs.ts';
import { addSample } from '../../features/upload/open-upload.ts';
import { queryKind } from '../../features/query/query-kind.ts';
import { useSelectedWells } from '../../features/tabs/use-tab-wells.ts';

function useTourStep(tour: Tour, step: TourStep, isDone: boolean): void {
  const isRunning = useStore(tour.store, ({ status }) => status === 'running');
  useEffect(() => {
    if (isRunning && isDone) tour.actions.complete(step);
  }, [tour, step, isRunning, isDone]);
}

/** Completes the tour's steps as the user performs them. */
export default function TourProgress({
  tour,
  isSample,
  onLeft,
}: Omit<TourBarProps, 'hasFile' | 'onAddSample'> & {
  /** Whether the sample workspace is open: its tour brings a sample file. */
  readonly isSample: boolean;
}) {
  const session = useSession();
  const hasFile = useUploadInView(({ file }) => file.status === 'ready');
  const query = queryKind.of(useSessionState('tabs', activeTab));
  useTourStep(tour, 'well', useSelectedWells().length > 0);
  useTourStep(tour, 'dataset', query !== null);
  useTourStep(tour, 'export', useHasMade(tour, 'export'));
  useTourStep(tour, 'upload', useHasMade(tour, 'upload'));
  return (
    <>
      {query && <QueryProgress tour={tour} query={query} />}
      <TourBar
        tour={tour}
        hasFile={hasFile}
        onLeft={onLeft}
        onAddSample={isSample && !hasFile ? () => addSample(session) : null}
      />
    </>
  );
}

function useHasMade(tour: Tour, kind: 'export' | 'upload'): boolean {
  const since = useStore(tour.store, (state) => state.since);
  return useAppState('jobs', ({ jobs }) =>
    jobs.some((job) => job.kind === kind && Date.parse(job.started) >= since),
  );
}

function QueryProgress({ tour, query }: { tour: Tour; query: QueryTab }) {
  const { answer, view } = useStore(query.results.store);
  const hasResult = answer.status === 'loaded';
  useTourStep(tour, 'run', hasResult);
  useTourStep(tour, 'plot', hasResult && view !== 'table');
  return null;
}
