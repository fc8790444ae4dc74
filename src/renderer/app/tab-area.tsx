import { useStore } from 'zustand';
import { Button } from '../ui/button.tsx';
import { Empty, Failed, Loading } from '../ui/view-states.tsx';
import { TabIdContext, useAppState, useSession, useSessionState } from '../state/contexts.ts';
import { words } from '../words/words.ts';
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
  asleep: 'README.md',
};

/** A tab that is being restored, or why it can't be. */
function StoredTabView({ tab, model }: { tab: Tab; model: StoredTab }) {
  const waking = useStore(model.store, (state) => state.waking);
  const { wake } = useSession().tabStorage.actions;
  const { close } = useSession().tabs.actions;
  const closing = <Button onPress={() => close(tab.id)}>{words.tabs.actions.close}</Button>;
  switch (waking.status) {
    case 'asleep':
    case 'waking':
      return <Loading what={words.tabs.waking(tab.title)} />;
    case 'failed':
      return (
        <>
          <Failed error={waking.error} onRetry={() => void wake(tab.id)} />
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
  import('../features/datasets/dataset-tab-view.tsx').then((found) => ({ default: found.DatasetTabView })),
);

// Loaded with the first live view.
const LiveTabView = lazy(() => import('../features/live/live-tab-view.tsx'));
// Loaded with the first check of quality.
const QualityTabView = lazy(() => import('../features/quality/quality-tab-view.tsx'));
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
  const beside = useSessionState('tabs', (state) => state.secondTab);
  const { show } = useSession().tabs.actions;
  // The library renders a panel again only for its dependencies.
  const style = useAppState('settings', ({ values }) => `${values.numbers} ${values.dates}`);
  // Recent tabs stay mounted with scroll position, sort, and undo. A hundred editors would be too many.
  const mountedTabs = tabs.filter(({ id }) => recent.includes(id) || id === beside);
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
            className={beside === null ? 'tab-panels' : 'tab-panels tab-panels-two'}
            items={mountedTabs}
            dependencies={[beside, style]}
          >
            {(tab) =>
              tab.id === beside ? (
                <SecondPanel tab={tab} />
              ) : (
                <TabPanel id={tab.id} className="tab-panel" shouldForceMount render={unwatched}>
                  <div className="tab-view" data-help={pageOf[tab.kind]}>
                    <TabView tab={tab} />
                  </div>
                </TabPanel>
              )
            }
          </TabPanels>
        </Tabs>
      )}
    </>
  );
}

/**
 * A panel outside the library's focus search, which would force a layout on each change inside: each key
 * press, each scrolled row. It always has focusable content.
 */
const unwatched: NonNullable<TabPanelProps['render']> = ({ ref: _watched, tabIndex: _none, ...props }) => (
  <div {...props} />
);

/** A second tab at the right of the active one, with the same behavior. */
function SecondPanel({ tab }: { tab: Tab }) {
  const { show, showBeside } = useSession().tabs.actions;
  const title = tabTitle(tab);
  return (
    <TabPanel
      id={tab.id}
      className="tab-panel tab-panel-beside"
      shouldForceMount
      render={({ ref: _watched, tabIndex: _none, ...props }) => (
        <section {...props} inert={false} aria-label={words.tabs.beside(title)} />
      )}
    >
      <header className="tab-beside-head">
        <span className="tab-title">{title}</span>
        <Button
          variant="quiet"
          icon={ArrowLeftRight}
          aria-label={words.tabs.swap}
          onPress={() => show(tab.id)}
        />
        <Button variant="quiet" icon={X} aria-label={words.tabs.alone} onPress={() => showBeside(null)} />
      </header>
      <div className="tab-view" data-help={pageOf[tab.kind]}>
        <TabView tab={tab} />
      </div>
    </TabPanel>
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
    case 'asleep':
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
