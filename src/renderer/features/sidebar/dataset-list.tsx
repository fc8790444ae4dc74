import type { Dataset } from '../../../shared/datasets/datasets.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Loading } from '../../ui/view-states.tsx';
import { words } from '../../words/words.ts';
import { ConnectionFailed } from '../connections/connection-failed.tsx';
import { useApp, useSession, useSessionState } from '../../contexts.ts';
import { useDeferredValue, useMemo } from 'react';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { PickList, type RowMenu } from '../../ui/pick-list.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { DatasetGroup, DatasetRow } from './dataset-row.tsx';
import { DatasetSearch } from './dataset-search.tsx';
import { filterDatasets, noFilter, datasetRows, type DatasetListRow } from '../datasets/filter.ts';
import { addressText } from '../datasets/search.ts';
import { activeTab } from '../tabs/tabs.ts';
import { openDataset } from '../query/open-query.ts';
import { openDetails } from '../dataset-tab/dataset-kind.ts';
import { openQuality } from '../quality-tab/quality-kind.ts';
import { openUpload } from '../upload/open-upload.ts';
import { useSelectedWells } from '../tabs/use-tab-wells.ts';
import { ListAge } from '../../ui/list-age.tsx';
import { Status } from '../../ui/status.tsx';
import '../datasets/datasets.css';

/** @param connection the id of the connection whose datasets are listed */
export function DatasetBrowser({ connection }: { connection: string }) {
  const list = useSessionState('datasets', (state) => state.list);
  const isLoading = useSessionState('datasets', (state) => state.freshness.isLoading);
  const { load, cancel } = useSession().datasets.actions;
  const again = () => void load(connection);
  if (list.status === 'idle')
    return (
      <Empty action={<Button onPress={again}>{words.datasets.load}</Button>}>
        {words.datasets.notLoaded}
      </Empty>
    );
  if (list.status === 'loading') return <Loading what={words.datasets.loading} onCancel={cancel} />;
  if (list.status === 'failed') return <ConnectionFailed error={list.error} onRetry={again} />;
  if (list.value.length === 0 && !isLoading)
    return (
      <Empty action={<Button onPress={again}>{words.datasets.load}</Button>}>{words.datasets.empty}</Empty>
    );
  return <DatasetList datasets={list.value} onLoad={again} />;
}

const rowHeight = 44;

interface DatasetListProps {
  readonly datasets: readonly Dataset[];
  readonly onLoad: () => void;
}

/** The matching datasets, by company and provider. */
function DatasetList({ datasets, onLoad }: DatasetListProps) {
  const { toggleGroup } = useSession().datasets.actions;
  const filtered = useFilteredDatasets(datasets);
  const companies = useSessionState('datasets', (state) => state.companies);
  const collapsed = useSessionState('datasets', (state) => state.collapsed);
  const searching = useSessionState('datasets', (state) => state.filter.text !== '');
  const rows = useMemo(
    () =>
      // A search includes collapsed groups.
      datasetRows(filtered, {
        companies,
        unknownCompany: words.datasets.company,
        collapsed: searching ? new Set() : collapsed,
      }),
    [filtered, companies, collapsed, searching],
  );
  const session = useSession();
  const open = (row: DatasetListRow) => {
    if (row.kind === 'group') toggleGroup(row.key);
    else void openDataset(session, row.dataset, { isPreview: true });
  };
  const openTwice = (row: DatasetListRow) => {
    const { preview } = session.tabs.store.getState();
    if (row.kind === 'group') toggleGroup(row.key);
    else if (preview !== null) session.tabs.actions.keep(preview);
  };
  const opened = useSessionState('tabs', ({ tabs, active }) => {
    const dataset = activeTab({ tabs, active })?.content?.dataset();
    return dataset ? addressText(dataset) : null;
  });
  const { mirrors } = useApp();
  const menuOf = (row: DatasetListRow): RowMenu | null => {
    if (row.kind === 'group') return null;
    const { dataset } = row;
    const { rowMenu } = words.datasets;
    const items = [
      { id: 'query', text: rowMenu.query, run: () => void openDataset(session, dataset) },
      { id: 'about', text: rowMenu.about, run: () => openDetails(session, dataset) },
      { id: 'quality', text: words.quality.tab.start, run: () => openQuality(session, dataset) },
      { id: 'mirror', text: words.mirrors.openForm, run: () => mirrors.actions.show(dataset) },
      { id: 'upload', text: rowMenu.upload, run: () => openUpload(session, dataset) },
      { id: 'copy', text: rowMenu.copy, run: () => void copyText(addressText(dataset)) },
    ];
    return { items, onSelect: (selected) => items.find(({ id }) => id === selected)?.run() };
  };
  return (
    <>
      <DatasetSearch />
      <KeepFocus className="list-body">
        {rows.length === 0 ? (
          <NoDatasets />
        ) : (
          <PickList
            label={words.datasets.heading}
            items={rows}
            keyOf={({ key }) => key}
            nameOf={nameOf}
            rowHeight={rowHeight}
            onOpen={open}
            onOpenTwice={openTwice}
            current={opened}
            menuOf={menuOf}
            render={(row) =>
              row.kind === 'group' ? <DatasetGroup group={row} /> : <DatasetRow dataset={row.dataset} />
            }
          />
        )}
      </KeepFocus>
      <DatasetFoot shown={filtered.length} all={datasets.length} onLoad={onLoad} />
    </>
  );
}

const nameOf = (row: DatasetListRow): string =>
  row.kind === 'group'
    ? words.datasets.group(row.company, row.provider, row.count, row.isCollapsed)
    : `${row.dataset.friendlyName} ${addressText(row.dataset)}`;

/** The datasets that match the filters and, if the user wants only these, have data of the selected wells. */
function useFilteredDatasets(datasets: readonly Dataset[]): readonly Dataset[] {
  const filter = useDeferredValue(useSessionState('datasets', (state) => state.filter));
  const holdings = useSessionState('datasets', (state) => state.holdings.byDataset);
  const hasWells = useSelectedWells().length > 0;
  const only = useSessionState('datasets', (state) => state.isHoldingOnly) && hasWells;
  const matching = useMemo(() => filterDatasets(datasets, filter), [datasets, filter]);
  return useMemo(
    () =>
      only ? matching.filter((dataset) => holdings.get(addressText(dataset))?.holds === 'some') : matching,
    [matching, holdings, only],
  );
}

function NoDatasets() {
  const filter = useSessionState('datasets', (state) => state.filter);
  const only = useSessionState('datasets', (state) => state.isHoldingOnly);
  const status = useSessionState('datasets', (state) => state.holdings.request.status);
  const wells = useSelectedWells().length;
  const { clearFilters, resumeHoldings } = useSession().datasets.actions;
  const isFiltered = filter !== noFilter;
  if (only && wells > 0 && status === 'running') return <Empty>{words.datasets.lookingForData}</Empty>;
  if (only && wells > 0 && status === 'stopped')
    return (
      <Empty action={<Button onPress={resumeHoldings}>{words.datasets.askOn}</Button>}>
        {words.datasets.askingStopped}
      </Empty>
    );
  const reason = only && wells > 0 ? words.datasets.noneHolds(wells, isFiltered) : words.datasets.noMatch;
  return <Empty action={<Button onPress={clearFilters}>{words.datasets.clear}</Button>}>{reason}</Empty>;
}

interface DatasetFootProps {
  readonly shown: number;
  readonly all: number;
  readonly onLoad: () => void;
}

/** The number of datasets, the age of the list, and the progress of the search for data. */
function DatasetFoot({ shown, all, onLoad }: DatasetFootProps) {
  return (
    <>
      <Age onLoad={onLoad} />
      <HoldingsProgress />
      <Status className="list-foot quiet numbers">{words.datasets.shown(shown, all)}</Status>
    </>
  );
}

/** Says when the list is outdated. */
function Age({ onLoad }: { onLoad: () => void }) {
  const freshness = useSessionState('datasets', (state) => state.freshness);
  if (freshness.isLoading && !freshness.isStale)
    return <Status className="list-foot quiet">{words.datasets.stillLoading}</Status>;
  if (!freshness.isStale && !freshness.error) return null;
  return (
    <div className="list-foot">
      <ListAge freshness={freshness} onAgain={onLoad} />
    </div>
  );
}

function HoldingsProgress() {
  const hasWells = useSelectedWells().length > 0;
  const only = useSessionState('datasets', (state) => state.isHoldingOnly) && hasWells;
  const search = useSessionState('datasets', (state) => state.holdings.request);
  const holdings = useSessionState('datasets', (state) => state.holdings.byDataset);
  const problems = useMemo(
    () => [...holdings.values()].flatMap(({ problem }) => (problem ? [problem.code] : [])),
    [holdings],
  );
  const { stopHoldings, resumeHoldings } = useSession().datasets.actions;
  if (!only) return null;
  const forbidden = problems.filter((code) => code === 'forbidden').length;
  const failures = words.datasets.notAsked(forbidden, problems.length - forbidden);
  if (search.status === 'running')
    return (
      <div className="list-foot list-foot-line">
        <Status className="list-foot-text numbers">
          {words.datasets.asked(search.checkedCount, search.total)} {failures}
        </Status>
        <Button variant="quiet" size="small" onPress={stopHoldings}>
          {words.datasets.stop}
        </Button>
      </div>
    );
  if (search.status === 'stopped')
    return (
      <div className="list-foot list-foot-line">
        <Status className="list-foot-text">{search.error?.message ?? words.datasets.stopped}</Status>
        <Button variant="quiet" size="small" onPress={resumeHoldings}>
          {words.datasets.askOn}
        </Button>
      </div>
    );
  if (failures === '') return null;
  return <Status className="list-foot list-foot-text">{failures}</Status>;
}
