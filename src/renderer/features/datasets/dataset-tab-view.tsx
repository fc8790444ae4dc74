import { Copy, Lock, Search, Upload } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { TabContext, useSession, useSessionState, useTab, useTabState } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';
import { addressInWords, typeInWords } from './search.ts';
import { useEffect, useMemo, useRef } from 'react';
import { Loading } from '../../ui/view-states.tsx';
import { ConnectionFailed } from '../connections/connection-failed.tsx';
import { DatasetFacts } from './dataset-facts.tsx';
import type { DatasetTab } from './dataset-tab.ts';
import { ExtentView } from './extent-view.tsx';
import { FieldsView } from './fields-view.tsx';
import { KeptAge } from '../../ui/kept-age.tsx';
import './dataset-tab.css';

function DatasetHead() {
  const dataset = useTabState('dataset', (state) => state.dataset);
  const ways = useSession().datasetLinks;
  const { friendlyName, description, permissions, temporary, plottable } = dataset;
  const address = addressInWords(dataset);
  const w = words.datasets;
  return (
    <header className="dataset-tab-head">
      <div className="dataset-tab-titles">
        <h2 className="dataset-tab-name">{friendlyName === '' ? address : friendlyName}</h2>
        <span className="dataset-tab-address">
          <code>{address}</code>
          <Button
            variant="quiet"
            icon={Copy}
            aria-label={w.copy(address)}
            onPress={() => void copyText(address)}
          />
        </span>
        <span className="dataset-type">{typeInWords(dataset)}</span>
        {plottable && <span className="dataset-type">{w.isPlottable}</span>}
        {temporary && <span className="dataset-type">{w.isTemporary}</span>}
        {permissions['read'] === 'request' && (
          <span className="dataset-type dataset-tab-lock">
            <Lock size={12} aria-hidden /> {w.onRequest(['read'])}
          </span>
        )}
      </div>
      {description !== '' && <p className="dataset-tab-description quiet">{description}</p>}
      <div className="dataset-tab-actions">
        <Button variant="primary" icon={Search} onPress={() => ways.query(dataset)}>
          {w.query}
        </Button>
        <Button icon={Upload} onPress={() => ways.upload(dataset)}>
          {w.upload}
        </Button>
      </div>
    </header>
  );
}

/** All that is known of one dataset: what it is at the left, its fields at the right. */
export function DatasetTabView({ tab }: { tab: DatasetTab }) {
  return (
    <TabContext value={useMemo(() => ({ dataset: tab }), [tab])}>
      <Body />
    </TabContext>
  );
}

function Body() {
  const place = useRef<HTMLElement>(null);
  const { actions, dataset } = useTab('dataset');
  useChosenWells(place);
  const definition = useTabState('dataset', (state) => state.definition);
  const freshness = useTabState('dataset', (state) => state.freshness);
  // One link, one reason: what the records' part says above is not said twice.
  const said = useTabState(
    'dataset',
    ({ extent }) => extent.status === 'failed' && extent.error.message === freshness.error?.message,
  );
  const again = () => void actions.loadDefinition();
  return (
    <section
      ref={place}
      className="dataset-tab"
      aria-label={words.datasets.tab(`${dataset.provider}/${dataset.dataset}`)}
    >
      <DatasetHead />
      <div className="dataset-tab-body">
        {/* oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard */}
        <section className="dataset-tab-facts" tabIndex={0} aria-label={words.datasets.facts}>
          <ExtentView />
          {definition.status === 'failed' && <ConnectionFailed error={definition.error} onRetry={again} />}
          {definition.status === 'loading' && (
            <Loading what={words.datasets.definitionLoading} onCancel={actions.cancel} />
          )}
          {definition.status === 'loaded' && (
            <div className="dataset-tab-age">
              <KeptAge freshness={said ? { ...freshness, error: null } : freshness} onAgain={again} />
            </div>
          )}
          {/* Without the single definition, what the list said of the dataset stands. */}
          {definition.status !== 'loading' && <DatasetFacts />}
        </section>
        <FieldsView />
      </div>
    </section>
  );
}

/** Follows the wells that are chosen in the window, for as long as the tab is in view: what nobody sees asks nothing. */
function useChosenWells(place: React.RefObject<HTMLElement | null>): void {
  const { actions } = useTab('dataset');
  const chosen = useSessionState('wells', (state) => state.selected);
  const now = useRef(chosen);
  const inView = useRef(false);
  useEffect(() => {
    now.current = chosen;
    if (!inView.current) return undefined;
    // Wells are chosen one after the other: what is asked for is what they come to.
    const timer = setTimeout(() => actions.forWells(chosen), settleMs);
    return () => clearTimeout(timer);
  }, [actions, chosen]);
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const watch = new IntersectionObserver((seen) => {
      inView.current = seen.some(({ isIntersecting }) => isIntersecting);
      if (inView.current) actions.look(now.current);
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, [actions, place]);
}

const settleMs = 400;
