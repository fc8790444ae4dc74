import { Copy, FolderSync, Lock, Search, ShieldCheck, Upload } from 'lucide-react';
import { datasetName } from '../../../shared/datasets/datasets.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { TabContext, useApp, useSession, useTab, useTabState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { addressText, typeText } from '../datasets/search.ts';
import { useEffect, useMemo, useRef } from 'react';
import { Loading } from '../../ui/view-states.tsx';
import { ConnectionFailed } from '../connections/connection-failed.tsx';
import { DatasetFacts } from './dataset-facts.tsx';
import type { DatasetTab } from './dataset-tab.ts';
import { ExtentView } from './extent-view.tsx';
import { FieldsView } from './fields-view.tsx';
import { ListAge } from '../../ui/list-age.tsx';
import './dataset-tab.css';
import { useTabWells } from '../tabs/use-tab-wells.ts';
import { openQuality } from '../quality-tab/quality-kind.ts';
import { openQuery } from '../query/open-query.ts';
import { openUpload } from '../upload/open-upload.ts';

function DatasetHead() {
  const dataset = useTabState('dataset', (state) => state.dataset);
  const session = useSession();
  const { mirrors } = useApp();
  const { description, permissions, temporary, plottable } = dataset;
  const address = addressText(dataset);
  const w = words.datasets;
  return (
    <header className="dataset-tab-head">
      <div className="dataset-tab-titles">
        <h2 className="dataset-tab-name">{datasetName(dataset)}</h2>
        <span className="dataset-tab-address">
          <code>{address}</code>
          <Button
            variant="quiet"
            icon={Copy}
            aria-label={w.copy(address)}
            onPress={() => void copyText(address)}
          />
        </span>
        <span className="dataset-type">{typeText(dataset)}</span>
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
        <Button variant="primary" icon={Search} onPress={() => openQuery(session, dataset)}>
          {w.query}
        </Button>
        <Button icon={ShieldCheck} onPress={() => openQuality(session, dataset)}>
          {words.quality.tab.start}
        </Button>
        <Button icon={FolderSync} onPress={() => mirrors.actions.show(dataset)}>
          {words.mirrors.openForm}
        </Button>
        <Button icon={Upload} onPress={() => openUpload(session, dataset)}>
          {w.upload}
        </Button>
      </div>
    </header>
  );
}

/** One dataset: its definition at the left, its fields at the right. */
export default function DatasetTabView({ tab }: { tab: DatasetTab }) {
  return (
    <TabContext value={useMemo(() => ({ dataset: tab }), [tab])}>
      <Body />
    </TabContext>
  );
}

function Body() {
  const place = useRef<HTMLElement>(null);
  const { actions, dataset } = useTab('dataset');
  useSelectedWells(place);
  const definition = useTabState('dataset', (state) => state.definition);
  const freshness = useTabState('dataset', (state) => state.freshness);
  // The error is shown once if both parts fail for the same reason.
  const isShownAbove = useTabState(
    'dataset',
    ({ extent }) => extent.status === 'failed' && extent.error.message === freshness.error?.message,
  );
  const reload = () => void actions.loadDefinition();
  return (
    <section ref={place} className="dataset-tab" aria-label={words.datasets.tab(addressText(dataset))}>
      <DatasetHead />
      <div className="dataset-tab-body">
        {/* oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard */}
        <section className="dataset-tab-facts" tabIndex={0} aria-label={words.datasets.facts}>
          <ExtentView />
          {definition.status === 'failed' && <ConnectionFailed error={definition.error} onRetry={reload} />}
          {definition.status === 'loading' && (
            <Loading what={words.datasets.definitionLoading} onCancel={() => actions.cancel('definition')} />
          )}
          {definition.status === 'loaded' && (
            <div className="dataset-tab-age">
              <ListAge
                freshness={isShownAbove ? { ...freshness, error: null } : freshness}
                onAgain={reload}
              />
            </div>
          )}
          {/* Without the definition, the entry of the list is shown. */}
          {definition.status !== 'loading' && <DatasetFacts />}
        </section>
        <FieldsView />
      </div>
    </section>
  );
}

/** Updates the tab for the selected wells while it is visible: hidden tabs make no requests. */
function useSelectedWells(place: React.RefObject<HTMLElement | null>): void {
  const { actions } = useTab('dataset');
  const wells = useTabWells();
  const lastWells = useRef(wells);
  const isInView = useRef(false);
  useEffect(() => {
    lastWells.current = wells;
    if (!isInView.current) return undefined;
    // Wells are selected one after another: only the final selection is requested.
    const timer = setTimeout(() => actions.forWells(wells), settleMs);
    return () => clearTimeout(timer);
  }, [actions, wells]);
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const observer = new IntersectionObserver((entries) => {
      isInView.current = entries.some(({ isIntersecting }) => isIntersecting);
      if (isInView.current) actions.show(lastWells.current);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [actions, place]);
}

const settleMs = 400;
