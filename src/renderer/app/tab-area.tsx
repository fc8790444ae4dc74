import { useStore } from 'zustand';
import { Button } from '../ui/button.tsx';
import { Empty, Failed, Loading } from '../ui/view-states.tsx';
import { TabIdContext, useAppState, useSession, useSessionState } from '../contexts.ts';
import { words } from '../words/words.ts';
import type { TabNeighbor } from '../../shared/tabs/tabs.ts';
import type { StoredTab, Tab } from './tabs.ts';
import { ArrowLeftRight, X } from 'lucide-react';
import { Suspense, lazy } from 'react';
import { TabPanel, TabPanels, Tabs, type TabPanelProps } from 'react-aria-components/Tabs';
import { Alert } from '../ui/alert.tsx';
import { KeepFocus } from '../ui/keep-focus.tsx';
import { TabStrip } from './tab-strip/tab-strip.tsx';
import { tabTitle } from './tab-title.ts';

/** The page of the guide about each kind of tab. */
const pageOf: Readonly<Record<Tab['kind'], string>> = {
  query: 'ask.md',
  live: 'look.md#Live',
  quality: 'quality.md',
  dataset: 'find-a-well.md#Find datasets with data for the selected wells',
  upload: 'upload.md',
  browse: 'find-a-well.md',
  stored: 'README.md',
};

/** A tab that is being restored, or why it can't be. */
function StoredTabView({ tab, model }: { tab: Tab; model: StoredTab }) {
  const restoration = useStore(model.store, (state) => state.restoration);
  const { restore } = useSession().tabStorage.actions;
  const { close } = useSession().tabs.actions;
  const closing = <Button onPress={() => close(tab.id)}>{words.tabs.actions.close}</Button>;
  switch (restoration.status) {
    case 'stored':
    case 'restoring':
      return <Loading what={words.tabs.restoring(tab.title)} />;
    case 'failed':
      return (
        <>
          <Failed error={restoration.error} onRetry={() => void restore(tab.id)} />
          <Empty action={closing}>{words.tabs.notBack}</Empty>
        </>
      );
    case 'unreadable':
      return <Empty action={closing}>{words.tabs.unreadable}</Empty>;
    case 'unknown':
      return <Empty action={closing}>{words.tabs.unknownKind}</Empty>;
  }
}

// Loaded with the first query.
const QueryTabView = lazy(() =>
  import('../features/query/query-tab-view.tsx').then((found) => ({ default: found.QueryTabView })),
);
// Loaded with the first upload.
const UploadTabView = lazy(() =>
  import('../features/upload/upload-tab-view.tsx').then((found) => ({ default: found.UploadTabView })),
);
const DatasetTabView = lazy(() =>
  import('../features/dataset-tab/dataset-tab-view.tsx').then((found) => ({ default: found.DatasetTabView })),
);

// Loaded with the first live view.
const LiveTabView = lazy(() => import('../features/live/live-tab-view.tsx'));
// Loaded with the first check of quality.
const QualityTabView = lazy(() => import('../features/quality-tab/quality-tab-view.tsx'));
const BrowseView = lazy(() =>
  import('../features/wells/browse-view.tsx').then((found) => ({ default: found.BrowseView })),
);

export interface TabAreaProps {
  /** Opens another query on the active dataset, or the list of datasets. */
  readonly onNew: () => void;
}

export function TabArea({ onNew }: TabAreaProps) {
  const tabs = useSessionState('tabs', (state) => state.tabs);
  const active = useSessionState('tabs', (state) => state.active);
  const recent = useSessionState('tabs', (state) => state.recent);
  const neighbor = useSessionState('tabs', (state) => state.neighbor);
  const { show } = useSession().tabs.actions;
  // The library renders a panel again only for its dependencies.
  const style = useAppState('settings', ({ values }) => `${values.numbers} ${values.dates}`);
  // Recent tabs stay mounted with scroll position, sort, and undo. A hundred editors would be too many.
  const mountedTabs = tabs.filter(({ id }) => recent.includes(id) || id === neighbor?.id);
  return (
    <>
      <StorageProblem />
      {tabs.length === 0 ? (
        <FirstSteps />
      ) : (
        <Tabs
          className="tabs"
          {...(active === null ? {} : { selectedKey: active })}
          onSelectionChange={(key) => show(String(key))}
          keyboardActivation="manual"
        >
          <TabStrip tabs={tabs} onNew={onNew} />
          <TabPanels
            className={neighbor === null ? 'tab-panels' : 'tab-panels tab-panels-two'}
            items={mountedTabs}
            dependencies={[active, neighbor, style]}
          >
            {(tab) => <PanelOfTab tab={tab} view={viewOf(tab.id, active, neighbor)} />}
          </TabPanels>
        </Tabs>
      )}
    </>
  );
}

/** How a mounted tab is in view. `side`: one of two tabs in view; null: alone, or hidden. */
interface PanelView {
  readonly isNeighbor: boolean;
  readonly side: TabNeighbor['side'] | null;
}

function viewOf(id: string, active: string | null, neighbor: TabNeighbor | null): PanelView {
  if (neighbor === null || (id !== active && id !== neighbor.id)) return { isNeighbor: false, side: null };
  const isNeighbor = id === neighbor.id;
  return { isNeighbor, side: isNeighbor === (neighbor.side === 'right') ? 'right' : 'left' };
}

/**
 * A tab in view, or hidden. Two tabs in view have the same elements, so that moving the focus between them changes only
 * which of them is active.
 */
function PanelOfTab({ tab, view: { isNeighbor, side } }: { tab: Tab; view: PanelView }) {
  const { show } = useSession().tabs.actions;
  const activate = () => isNeighbor && show(tab.id);
  // Outside the library's focus search, which would force a layout on each change inside: each key press, each scrolled
  // row. It always has focusable content.
  const render: TabPanelProps['render'] = ({ ref: _watched, tabIndex: _none, ...props }) => (
    <section
      {...props}
      {...(isNeighbor && { inert: false, 'aria-label': words.tabs.beside(tabTitle(tab)) })}
      onFocus={activate}
      onPointerDown={activate}
    />
  );
  return (
    <TabPanel
      id={tab.id}
      className={side === null ? 'tab-panel' : `tab-panel tab-panel-${side}`}
      shouldForceMount
      render={render}
    >
      {side === 'right' && <RightHead tab={tab} />}
      <div className="tab-view" data-help={pageOf[tab.kind]}>
        <TabView tab={tab} />
      </div>
    </TabPanel>
  );
}

/** The title of the tab at the right, and what can be done with the two sides. */
function RightHead({ tab }: { tab: Tab }) {
  const { showBeside, swapSides } = useSession().tabs.actions;
  return (
    <header className="tab-beside-head">
      <span className="tab-title">{tabTitle(tab)}</span>
      <Button variant="quiet" icon={ArrowLeftRight} aria-label={words.tabs.swap} onPress={swapSides} />
      <Button variant="quiet" icon={X} aria-label={words.tabs.alone} onPress={() => showBeside(null)} />
    </header>
  );
}

function TabView({ tab }: { tab: Tab }) {
  return (
    <TabIdContext value={tab.id}>
      <TabContent tab={tab} />
    </TabIdContext>
  );
}

function TabContent({ tab }: { tab: Tab }) {
  switch (tab.kind) {
    case 'stored':
      return <StoredTabView tab={tab} model={tab.model} />;
    case 'query':
      return (
        <Suspense fallback={<Loading what={words.tabs.loading} />}>
          <QueryTabView tab={tab.model} />
        </Suspense>
      );
    case 'live':
      return (
        <Suspense fallback={<Loading what={words.live.loading} />}>
          <LiveTabView tab={tab.model} />
        </Suspense>
      );
    case 'quality':
      return (
        <Suspense fallback={<Loading what={words.tabs.loading} />}>
          <QualityTabView tab={tab.model} />
        </Suspense>
      );
    case 'dataset':
      return (
        <Suspense fallback={<Loading what={words.tabs.loading} />}>
          <DatasetTabView tab={tab.model} />
        </Suspense>
      );
    case 'upload':
      return (
        <Suspense fallback={<Loading what={words.tabs.loading} />}>
          <UploadTabView tab={tab.model} />
        </Suspense>
      );
    case 'browse':
      return (
        <Suspense fallback={<Loading what={words.tabs.loading} />}>
          <BrowseView browse={tab.model} />
        </Suspense>
      );
  }
}

function StorageProblem() {
  const problem = useSessionState('tabStorage', (state) => state.problem);
  const { dismiss } = useSession().tabStorage.actions;
  if (problem === null) return null;
  const close = (
    <Button variant="quiet" onPress={dismiss}>
      {words.tabs.dismiss}
    </Button>
  );
  return (
    <Alert tone="warning" actions={close}>
      {problem}
    </Alert>
  );
}

function FirstSteps() {
  return (
    <KeepFocus className="first-steps">
      <h2>{words.tabs.emptyHeading}</h2>
      <ol>
        {words.tabs.emptySteps.map((step, at) => (
          <li key={step}>
            <span className="step-number numbers" aria-hidden>
              {at + 1}
            </span>
            {step}
          </li>
        ))}
      </ol>
      <p className="quiet">{words.tabs.emptyUpload}</p>
    </KeepFocus>
  );
}
