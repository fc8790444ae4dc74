import { X } from 'lucide-react';
import { lazy, Suspense, type ReactNode } from 'react';
import { Tab, TabList, TabPanel, TabPanels, Tabs } from 'react-aria-components/Tabs';
import { useStore } from 'zustand';
import { QueryTabView } from '../features/query/query-tab-view.tsx';
import { Loading } from '../ui/faces.tsx';
import { KeepFocus } from '../ui/keep-focus.tsx';
import { fileName } from '../features/upload/upload-state.ts';
import type { UploadTab } from '../features/upload/upload-tab.ts';
import { words } from '../words/words.ts';
import { useTabs, useTabsActions } from './tabs.ts';

// Uploads are not every day's work: what shows them is loaded with the first one.
const UploadTabView = lazy(() =>
  import('../features/upload/upload-tab-view.tsx').then((found) => ({ default: found.UploadTabView })),
);

/** The open questions. */
export function TabArea() {
  const tabs = useTabs((state) => state.tabs);
  const active = useTabs((state) => state.active);
  const { show } = useTabsActions();
  if (tabs.length === 0) return <FirstSteps />;
  return (
    <Tabs
      className="tabs"
      {...(active === null ? {} : { selectedKey: active })}
      onSelectionChange={(key) => show(String(key))}
      keyboardActivation="manual"
    >
      <CloseByKey>
        <TabList className="tab-list" aria-label={words.tabs.label} items={tabs}>
          {(tab) =>
            tab.kind === 'upload' ? (
              <UploadTabHead id={tab.id} model={tab.model} />
            ) : (
              <TabHead id={tab.id} title={tab.title} />
            )
          }
        </TabList>
      </CloseByKey>
      <TabPanels className="tab-panels" items={tabs}>
        {/* Those not shown stay as they are: scrolled, sorted, with their undo. */}
        {(tab) => (
          <TabPanel id={tab.id} className="tab-panel" shouldForceMount>
            {tab.kind === 'upload' ? (
              <Suspense fallback={<Loading what={words.tabs.loading} />}>
                <UploadTabView tab={tab.model} />
              </Suspense>
            ) : (
              <QueryTabView tab={tab.model} />
            )}
          </TabPanel>
        )}
      </TabPanels>
    </Tabs>
  );
}

/** Delete closes the tab in focus: a tab can hold no button that a keyboard or a screen reader would find. */
function CloseByKey({ children }: { children: ReactNode }) {
  const { close } = useTabsActions();
  return (
    // oxlint-disable-next-line no-static-element-interactions -- the tabs inside are the elements that are acted upon
    <div
      onKeyDown={({ key, target }) => {
        const tab = target instanceof Element ? target.closest('[role=tab]') : null;
        const id = tab?.getAttribute('data-key');
        if (key === 'Delete' && id) close(id);
      }}
    >
      {children}
    </div>
  );
}

/** An upload is called by its file, once there is one. */
function UploadTabHead({ id, model }: { id: string; model: UploadTab }) {
  return <TabHead id={id} title={words.upload.tab(useStore(model.store, fileName))} />;
}

function TabHead({ id, title }: { id: string; title: string }) {
  const { close } = useTabsActions();
  return (
    <Tab id={id} className="tab" aria-label={title}>
      <span className="tab-title">{title}</span>
      <span
        aria-hidden="true"
        className="tab-close"
        title={words.tabs.close(title)}
        onPointerDown={(event) => event.stopPropagation()}
        onClick={(event) => {
          event.stopPropagation();
          close(id);
        }}
      >
        <X size={12} />
      </span>
    </Tab>
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
