import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Tab, TabList, TabPanel, TabPanels, Tabs } from 'react-aria-components/Tabs';
import { QueryTabView } from '../features/query/query-tab-view.tsx';
import { words } from '../words/words.ts';
import { useTabs, useTabsActions, type Tab as OpenTab } from './tabs.ts';

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
          {(tab) => <TabHead tab={tab} />}
        </TabList>
      </CloseByKey>
      <TabPanels className="tab-panels" items={tabs}>
        {/* Those not shown stay as they are: scrolled, sorted, with their undo. */}
        {({ id, model }) => (
          <TabPanel id={id} className="tab-panel" shouldForceMount>
            <QueryTabView tab={model} />
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

function TabHead({ tab }: { tab: OpenTab }) {
  const { close } = useTabsActions();
  return (
    <Tab id={tab.id} className="tab" aria-label={tab.title}>
      <span className="tab-title">{tab.title}</span>
      <span
        aria-hidden="true"
        className="tab-close"
        title={words.tabs.close(tab.title)}
        onPointerDown={(event) => event.stopPropagation()}
        onClick={(event) => {
          event.stopPropagation();
          close(tab.id);
        }}
      >
        <X size={12} />
      </span>
    </Tab>
  );
}

function FirstSteps() {
  return (
    <div className="first-steps">
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
    </div>
  );
}
