import { lazy, Suspense } from 'react';
import { Group, Separator, useDefaultLayout } from 'react-resizable-panels';
import type { Connection } from '../../shared/connections/connections.ts';
import type { Dataset } from '../../shared/datasets/datasets.ts';
import { DatasetBrowser } from '../features/datasets/dataset-browser.tsx';
import { WellPicker } from '../features/wells/well-picker.tsx';
import { Loading } from '../ui/faces.tsx';
import { useApp } from '../state/contexts.ts';
import { words } from '../words/words.ts';
import { Section } from './section.tsx';

// Folded until somebody wants them: loaded with the first look.
const SavedList = lazy(() => import('../features/saved/saved-list.tsx'));
const HistoryList = lazy(() => import('../features/history/history-list.tsx'));

export interface SourcesProps {
  readonly connection: Connection;
  readonly onOpenDataset: (dataset: Dataset) => void;
  readonly onBrowse: () => void;
  /** Unfolds the side of the window that all this stands in. */
  readonly onReveal: () => void;
}

/** Where data come from, and what the person keeps: four sections that fold, and share the height by dividers. */
export function Sources({ connection, onOpenDataset, onBrowse, onReveal }: SourcesProps) {
  const { places } = useApp().settings.actions;
  const rows = useDefaultLayout({ id: 'wellbench.sections', storage: places.sections });
  const divider = <Separator className="divider divider-row" />;
  const { wells, datasets, saved, history } = words;
  return (
    <nav
      className="sources"
      aria-label={`${wells.heading}, ${datasets.heading}, ${saved.heading}, ${history.heading}`}
    >
      <Group orientation="vertical" {...rows}>
        <Section id="wells" title={wells.heading} size="52%" minSize={130} onReveal={onReveal}>
          <WellPicker connection={connection.id} onBrowse={onBrowse} />
        </Section>
        {divider}
        <Section id="datasets" title={datasets.heading} size="38%" minSize={130} onReveal={onReveal}>
          <DatasetBrowser connection={connection.id} onOpen={onOpenDataset} />
        </Section>
        {divider}
        <Section id="saved" title={saved.heading} size={null} minSize={150} onReveal={onReveal}>
          <Suspense fallback={<Loading what={saved.loading} />}>
            <SavedList />
          </Suspense>
        </Section>
        {divider}
        <Section id="history" title={history.heading} size={null} minSize={150} onReveal={onReveal}>
          <Suspense fallback={<Loading what={history.loading} />}>
            <HistoryList />
          </Suspense>
        </Section>
      </Group>
    </nav>
  );
}
