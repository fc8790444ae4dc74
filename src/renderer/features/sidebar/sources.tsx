import { Suspense, lazy, useState, type ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components/Tabs';
import type { Connection } from '../../../shared/connections/connections.ts';
import { DatasetBrowser } from './dataset-list.tsx';
import type { TourStep } from '../tour/tour.ts';
import { WellPicker } from './well-picker.tsx';
import { useApp, useAppState } from '../../contexts.ts';
import { Loading } from '../../ui/view-states.tsx';
import { words } from '../../words/words.ts';
import { sectionIds, type SectionId } from './sidebar.ts';

// Loaded when they are first shown.
const SavedList = lazy(() => import('./saved-list.tsx'));
const HistoryList = lazy(() => import('./history-list.tsx'));

/** The sidebar: four sections, one of which is shown at its full height. */
export function Sources({ connection }: { connection: Connection }) {
  const { settings, sidebar } = useApp();
  const { sections } = settings.actions.places;
  const [remembered] = useState(() => sectionIds.find((id) => id === sections.getItem('sections')));
  const selected = useAppState('sidebar', (state) => state.selected) ?? remembered ?? 'wells';
  const isOpen = useAppState('sidebar', (state) => state.isOpen);
  const select = (key: unknown) => {
    const id = sectionIds.find((sectionId) => sectionId === key);
    if (!id) return;
    sidebar.actions.select(id);
    sections.setItem('sections', id);
  };
  return (
    <nav className="sources-place" aria-label={words.tabs.side}>
      <Tabs className="sources" selectedKey={selected} onSelectionChange={select}>
        <TabList className="section-tabs" aria-label={words.tabs.side}>
          {sectionIds.map((id) => (
            <Tab key={id} id={id} className="section-tab" data-tour={tourStepOf[id]}>
              {words[id].heading}
            </Tab>
          ))}
        </TabList>
        {sectionIds.map((id) => (
          <SectionPanel key={id} id={id} isSelected={id === selected}>
            {id === 'wells' && <WellPicker connection={connection.id} isShown={isOpen && id === selected} />}
            {id === 'datasets' && <DatasetBrowser connection={connection.id} />}
            {id === 'saved' && (
              <Suspense fallback={<Loading what={words.saved.loading} />}>
                <SavedList />
              </Suspense>
            )}
            {id === 'history' && (
              <Suspense fallback={<Loading what={words.history.loading} />}>
                <HistoryList />
              </Suspense>
            )}
          </SectionPanel>
        ))}
      </Tabs>
    </nav>
  );
}

/** The step of the tour that takes place in a section. */
const tourStepOf: Partial<Record<SectionId, TourStep>> = { wells: 'well', datasets: 'dataset' };

/** The page of the guide about each section. */
const pageOf: Readonly<Record<SectionId, string>> = {
  wells: 'find-a-well.md',
  datasets: 'find-a-well.md#Find datasets with data for the selected wells',
  saved: 'ask.md#Share and repeat',
  history: 'ask.md#Share and repeat',
};

interface SectionPanelProps {
  readonly id: SectionId;
  readonly isSelected: boolean;
  readonly children: ReactNode;
}

/** A section; wells and datasets are always there, the others from when they are first shown. */
function SectionPanel({ id, isSelected, children }: SectionPanelProps) {
  const [wasShown, setShown] = useState(isSelected || id === 'wells' || id === 'datasets');
  if (isSelected && !wasShown) setShown(true);
  return (
    <TabPanel
      id={id}
      shouldForceMount
      className="list section-panel"
      data-section={id}
      data-tour={tourStepOf[id]}
      data-help={pageOf[id]}
    >
      <h2 className="visually-hidden">{words[id].heading}</h2>
      {wasShown && children}
    </TabPanel>
  );
}
