import { ArrowLeftRight, X } from 'lucide-react';
import { lazy, memo, Suspense, type ReactNode } from 'react';
import { TabPanel, TabPanels, Tabs, type TabPanelProps } from 'react-aria-components/Tabs';
import type { TabNeighbor } from '../../../shared/tabs/tabs.ts';
import { TabIdContext, useAppState, useSession, useSessionState } from '../../contexts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty, Failed, Loading } from '../../ui/view-states.tsx';
import { words } from '../../words/words.ts';
import { TabStrip } from './tab-strip/tab-strip.tsx';
import type { RestoreStatus, Tab } from './tabs.ts';
import { tabTitle } from './tab-title.ts';

const ClosingQuestion = lazy(() => import('./closing-question.tsx'));

function StoredTabView({ tab, status }: { tab: Tab; status: RestoreStatus }) {
  const { restore } = useSession().tabStorage.actions;
  const { close } = useSession().tabs.actions;
  const closing = <Button onPress={() => close(tab.id)}>{words.tabs.actions.tabClose}</Button>;
  switch (status.status) {
    case 'stored':
    case 'restoring':
      return <Loading what={words.tabs.restoring(tab.title)} />;
    case 'failed':
      return (
        <>
          <Failed error={status.error} onRetry={() => void restore(tab.id)} />
          <Empty action={closing}>{words.tabs.notBack}</Empty>
        </>
      );
    case 'unreadable':
      return <Empty action={closing}>{words.tabs.unreadable}</Empty>;
    case 'unknown':
      return <Empty action={closing}>{words.tabs.unknownKind}</Empty>;
  }
}

export interface TabAreaProps {
  /** Opens another query on the active dataset, or the list of datasets. */
  readonly onNew: () => void;
  /** The page without tabs. */
  readonly home: ReactNode;
}

export function TabArea({ onNew, home }: TabAreaProps) {
  const tabs = useSessionState('tabs', (state) => state.tabs);
  const active = useSessionState('tabs', (state) => state.active);
  const recent = useSessionState('tabs', (state) => state.recent);
  const neighbor = useSessionState('tabs', (state) => state.neighbor);
  const isAsking = useSessionState('tabs', (state) => state.closing !== null);
  const { show } = useSession().tabs.actions;
  // The library renders a panel again only for its dependencies.
  const style = useAppState('settings', ({ values }) => `${values.numbers} ${values.dates}`);
  // Recent tabs stay mounted with scroll position, sort, and undo. A hundred editors would be too many.
  const mountedTabs = tabs.filter(({ id }) => recent.includes(id) || id === neighbor?.id);
  return (
    <>
      <StorageProblem />
      {isAsking && (
        <Suspense>
          <ClosingQuestion />
        </Suspense>
      )}
      {tabs.length === 0 ? (
        <Suspense fallback={<Loading what={words.tabs.loading} />}>{home}</Suspense>
      ) : (
        <Tabs
          className="tabs stack gap-0 fill"
          {...(active === null ? {} : { selectedKey: active })}
          onSelectionChange={(key) => show(String(key))}
          keyboardActivation="manual"
        >
          <TabStrip tabs={tabs} onNew={onNew} />
          <TabPanels
            className={neighbor === null ? 'tab-panels fill' : 'tab-panels fill halves'}
            items={mountedTabs}
            dependencies={[active, neighbor, style]}
          >
            {(tab) => <PanelOfTab tab={tab} view={viewOf(tab.id, active, neighbor)} style={style} />}
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

interface TabViewProps {
  readonly tab: Tab;
  /** How numbers and dates are written. */
  readonly style: string;
}

/**
 * A tab in view, or hidden. Two tabs in view have the same elements, so that moving the focus between them changes only
 * which of them is active.
 */
function PanelOfTab({ tab, view: { isNeighbor, side }, style }: TabViewProps & { view: PanelView }) {
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
      className={
        side === null
          ? 'tab-panel keep-focus stack gap-0 min-0 full'
          : `tab-panel keep-focus stack gap-0 min-0 full tab-panel-${side}`
      }
      shouldForceMount
      render={render}
    >
      {side === 'right' && <RightHead tab={tab} />}
      <div className="tab-view relative scroll-y fill" data-help={tab.content?.helpPage ?? 'README.md'}>
        <TabView tab={tab} style={style} />
      </div>
    </TabPanel>
  );
}

function RightHead({ tab }: { tab: Tab }) {
  const { showBeside, swapSides } = useSession().tabs.actions;
  return (
    <header className="tab-beside-head row gap-0 faint-below surface-quiet">
      <span className="ellipsis grow">{tabTitle(tab)}</span>
      <Button variant="quiet" icon={ArrowLeftRight} aria-label={words.tabs.swap} onPress={swapSides} />
      <Button variant="quiet" icon={X} aria-label={words.tabs.alone} onPress={() => showBeside(null)} />
    </header>
  );
}

// Which tab is in view changes nothing inside: the library draws all panels again for it.
const TabView = memo(function TabView({ tab }: TabViewProps) {
  return (
    <TabIdContext value={tab.id}>
      {tab.content ? (
        <Suspense fallback={<Loading what={words.tabs.loading} />}>{tab.content.render()}</Suspense>
      ) : (
        <StoredTabView tab={tab} status={tab.stored} />
      )}
    </TabIdContext>
  );
});

function StorageProblem() {
  const problem = useSessionState('tabStorage', (state) => state.problem);
  const { dismiss } = useSession().tabStorage.actions;
  if (problem === null) return null;
  return (
    <Alert isStrip tone="warning" action={{ text: words.dismiss, run: dismiss }}>
      {problem}
    </Alert>
  );
}
