import { Suspense, lazy, useState, type ReactNode, useDeferredValue, useMemo, memo, useEffect } from 'react';
import { Tab, TabList, TabPanel, Tabs, type TabPanelProps } from 'react-aria-components/Tabs';
import { WellPicker } from './well-picker.tsx';
import { useApp, useAppState, useSession, useSessionState } from '../../contexts.ts';
import { Loading, Empty } from '../../ui/view-states.tsx';
import { words } from '../../words/words.ts';
import { sectionIds, type SectionId } from './sidebar.ts';
import { type Dataset, datasetName, datasetTypes } from '../../../shared/datasets/datasets.ts';
import { Button } from '../../ui/button.tsx';
import { ConnectionFailed } from '../connections/connection-failed.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { PickList, type RowMenu } from '../../ui/pick-list.tsx';
import { copyText } from '../../ui/clipboard.ts';
import {
  filterDatasets,
  noFilter,
  datasetRows,
  type DatasetListRow,
  activeFilterCount,
  type YesNo,
} from '../datasets/filter.ts';
import { addressText, typeText, type TypeFilter } from '../datasets/search.ts';
import { activeTab } from '../tabs/tabs.ts';
import { openDataset } from '../query/open-query.ts';
import { openDetails } from '../dataset-tab/dataset-kind.ts';
import { openQuality } from '../quality-tab/quality-kind.ts';
import { openUpload } from '../upload/open-upload.ts';
import { useSelectedWells } from '../tabs/use-tab-wells.ts';
import { ListAge } from '../../ui/list-age.tsx';
import { Status } from '../../ui/status.tsx';
import '../datasets/datasets.css';
import {
  Building2,
  ChevronDown,
  ChevronRight,
  CircleCheck,
  Info,
  Lock,
  Upload,
  Database,
  SlidersHorizontal,
} from 'lucide-react';
import { formatBytes } from '../../format/numbers.ts';
import { uploadWords } from '../../words/upload.ts';
import { WriteButton } from '../connections/write-button.tsx';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { OptionGroup } from '../../ui/option-group.tsx';
import { Popup } from '../../ui/popup.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { SelectBox } from '../../ui/select-box.tsx';

const w = words.datasets;

const typeOptions = (['all', ...datasetTypes] as const).map((id): { id: TypeFilter; text: string } => ({
  id,
  text: w.types[id],
}));
const yesNoOptions = (['any', 'yes', 'no'] as const).map((id): { id: YesNo; text: string } => ({
  id,
  text: w.yesNo[id],
}));

function DatasetSearch() {
  const { text, type } = useSessionState('datasets', (state) => state.filter);
  const { filter } = useSession().datasets.actions;
  return (
    <>
      <div className="list-head list-head-two gap-1">
        <SearchBox
          label={w.search}
          placeholder={w.searchHint}
          value={text}
          onChange={(typed) => filter({ text: typed })}
        />
        <SelectBox
          label={w.type}
          value={type}
          options={typeOptions}
          onChange={(chosen) => filter({ type: chosen })}
        />
      </div>
      <div className="list-head dataset-toggles row gap-1 between">
        <HoldingFilter />
        <MoreFilters />
      </div>
    </>
  );
}

function HoldingFilter() {
  const only = useSessionState('datasets', (state) => state.isHoldingOnly);
  const wells = useSelectedWells().length;
  const { showOnlyHolding } = useSession().datasets.actions;
  return (
    <ToggleButton
      className="datasets-toggle hoverable pad-x-2 items-center min-0 surface small one-line"
      isSelected={only && wells > 0}
      isDisabled={wells === 0}
      onChange={showOnlyHolding}
    >
      <Database size={14} aria-hidden />
      {w.onlyHolding(wells)}
    </ToggleButton>
  );
}

function MoreFilters() {
  const filter = useSessionState('datasets', (state) => state.filter);
  const { filter: change } = useSession().datasets.actions;
  const activeCount = activeFilterCount(filter);
  return (
    <Popup
      heading={w.filters}
      trigger={{
        icon: SlidersHorizontal,
        'aria-label': w.filtersHeld(activeCount),
        children: activeCount > 0 ? String(activeCount) : undefined,
      }}
    >
      {() => (
        <div className="stack gap-3">
          {(['plottable', 'temporary'] as const).map((name) => (
            <div key={name} className="row gap-3 between">
              <span className="field-label">{words.datasets[name]}</span>
              <OptionGroup
                label={words.datasets[name]}
                layout="line"
                value={filter[name]}
                options={yesNoOptions}
                onChange={(chosen) => change({ [name]: chosen })}
              />
            </div>
          ))}
        </div>
      )}
    </Popup>
  );
}

/**
 * A dataset in the list. Its definition is requested while the row is visible, because lists leave the size
 * out. Rendered again only when the dataset changes, not when the list does.
 */
const DatasetRow = memo(function DatasetRow({ dataset }: { dataset: Dataset }) {
  const { onRowVisible, onRowHidden } = useSession().datasets.actions;
  const session = useSession();
  const { description, statistics } = dataset;
  const name = datasetName(dataset);
  const address = addressText(dataset);
  const holds = useSessionState('datasets', (state) => state.holdings.byDataset.get(address)?.holds);
  useEffect(() => {
    onRowVisible(dataset);
    return () => onRowHidden(dataset);
  }, [dataset, onRowVisible, onRowHidden]);
  const size = [
    ...(statistics.count === null ? [] : [w.count(statistics.count)]),
    ...(statistics.count && statistics.size ? [formatBytes(statistics.size)] : []),
  ].join(' · ');
  return (
    <div className="grow">
      <div className="item-line row one-line">
        <span className="grow ellipsis" title={name}>
          {name}
        </span>
        {holds === 'some' && (
          <span className="center flex-none quiet tone-ok" title={w.holds}>
            <CircleCheck size={14} aria-hidden />
            <span className="visually-hidden">{w.holds}</span>
          </span>
        )}
        <Permission dataset={dataset} />
        <span className="dataset-type">{typeText(dataset)}</span>
        <Button
          variant="quiet"
          className="pick-more pick-more-large"
          icon={Info}
          aria-label={w.about(address)}
          onPress={() => openDetails(session, dataset)}
        />
        <WriteButton
          icon={Upload}
          className="pick-more pick-more-large"
          aria-label={uploadWords.openInto(address)}
          onPress={() => openUpload(session, dataset)}
        />
      </div>
      <div className="item-line row one-line quiet numbers">
        <span className="grow ellipsis" title={description === '' ? address : `${address}: ${description}`}>
          {address}
          {description !== '' && <span className="quiet"> · {description}</span>}
        </span>
        <span>{size}</span>
      </div>
    </div>
  );
});

/** Says when a read or write permission has to be requested. */
function Permission({ dataset: { permissions } }: { dataset: Dataset }) {
  const rightsOnRequest = (['read', 'write'] as const).filter((right) => permissions[right] === 'request');
  if (rightsOnRequest.length === 0) return null;
  const label = w.onRequest(rightsOnRequest);
  return (
    <span className="center flex-none quiet" title={label}>
      <Lock size={12} aria-hidden />
      <span className="visually-hidden">{label}</span>
    </span>
  );
}

function DatasetGroup({ group }: { group: DatasetListRow & { kind: 'group' } }) {
  const { company, provider, count, isCollapsed } = group;
  const Chevron = isCollapsed ? ChevronRight : ChevronDown;
  return (
    <div className="dataset-group row gap-1 grow">
      <Chevron size={16} aria-hidden />
      <div className="grow">
        <div className="item-line row one-line bold">
          <Building2 size={14} aria-hidden />
          <span className="grow ellipsis">{company ?? w.noCompany}</span>
        </div>
        <div className="item-line row one-line quiet numbers">
          <span className="grow ellipsis">{w.provider(provider)}</span>
          <span>{w.shown(count, count)}</span>
        </div>
      </div>
    </div>
  );
}

function DatasetBrowser() {
  const list = useSessionState('datasets', (state) => state.list);
  const isLoading = useSessionState('datasets', (state) => state.freshness.isLoading);
  const { load, cancel } = useSession().datasets.actions;
  const again = () => void load();
  if (list.status === 'idle')
    return <Empty action={<Button onPress={again}>{w.load}</Button>}>{w.notLoaded}</Empty>;
  if (list.status === 'loading') return <Loading what={w.loading} onCancel={cancel} />;
  if (list.status === 'failed') return <ConnectionFailed error={list.error} onRetry={again} />;
  if (list.value.length === 0 && !isLoading)
    return <Empty action={<Button onPress={again}>{w.load}</Button>}>{w.empty}</Empty>;
  return <DatasetList datasets={list.value} onLoad={again} />;
}

const rowHeight = 44;

const none: ReadonlySet<string> = new Set();

function DatasetList({ datasets, onLoad }: { datasets: readonly Dataset[]; onLoad: () => void }) {
  const { toggleGroup } = useSession().datasets.actions;
  const filtered = useFilteredDatasets(datasets);
  const companies = useSessionState('directory', (state) => state.companies.names);
  // A search includes collapsed groups.
  const collapsed = useSessionState('datasets', (state) =>
    state.filter.text === '' ? state.collapsed : none,
  );
  const rows = useMemo(
    () => datasetRows(filtered, { companies, unknownCompany: w.company, collapsed }),
    [filtered, companies, collapsed],
  );
  const session = useSession();
  const open = (row: DatasetListRow) => {
    if (row.kind === 'group') toggleGroup(row.key);
    else void openDataset(session, row.dataset, { isPreview: true });
  };
  const openTwice = (row: DatasetListRow) => {
    const { preview } = session.tabs.store.getState();
    if (row.kind === 'group') toggleGroup(row.key);
    else if (preview !== null) session.tabs.actions.pin(preview);
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
    return { items };
  };
  return (
    <>
      <DatasetSearch />
      <KeepFocus className="fill faint-above">
        {rows.length === 0 ? (
          <NoDatasets />
        ) : (
          <PickList
            label={w.heading}
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
      <Age onLoad={onLoad} />
      <HoldingsProgress />
      <Status className="list-foot quiet numbers">{w.shown(filtered.length, datasets.length)}</Status>
    </>
  );
}

const nameOf = (row: DatasetListRow): string =>
  row.kind === 'group'
    ? w.group(row.company, row.provider, row.count, row.isCollapsed)
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
  if (only && wells > 0 && status === 'running') return <Empty>{w.lookingForData}</Empty>;
  if (only && wells > 0 && status === 'stopped')
    return <Empty action={<Button onPress={resumeHoldings}>{w.askOn}</Button>}>{w.askingStopped}</Empty>;
  const reason = only && wells > 0 ? w.noneHolds(wells, isFiltered) : w.noMatch;
  return <Empty action={<Button onPress={clearFilters}>{w.clear}</Button>}>{reason}</Empty>;
}

function Age({ onLoad }: { onLoad: () => void }) {
  const freshness = useSessionState('datasets', (state) => state.freshness);
  if (freshness.isLoading && !freshness.isStale)
    return <Status className="list-foot quiet">{w.stillLoading}</Status>;
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
  const failures = w.notAsked(problems);
  const line = (text: string, action: string, act: () => void) => (
    <div className="list-foot list-foot-line row">
      <Status className="list-foot-text numbers">{text}</Status>
      <Button variant="quiet" size="small" onPress={act}>
        {action}
      </Button>
    </div>
  );
  if (search.status === 'running')
    return line(`${w.asked(search.checkedCount, search.total)} ${failures}`, w.stop, stopHoldings);
  if (search.status === 'stopped') return line(search.error?.message ?? w.stopped, w.askOn, resumeHoldings);
  if (failures === '') return null;
  return <Status className="list-foot list-foot-text">{failures}</Status>;
}

// Loaded when they are first shown.
const SavedList = lazy(() => import('./saved-list.tsx'));
const HistoryList = lazy(() => import('./history-list.tsx'));

/** The sidebar: four sections, one of which is shown at its full height. */
export function Sources() {
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
    <nav className="relative scroll-y full" aria-label={words.tabs.side}>
      <Tabs className="sources relative stack gap-0 full" selectedKey={selected} onSelectionChange={select}>
        <TabList
          className="section-tabs row gap-0 items-stretch flex-none line-below"
          aria-label={words.tabs.side}
        >
          {sectionIds.map((id) => (
            <Tab key={id} id={id} className="section-tab hoverable focus-inside center quiet">
              {words[id].heading}
            </Tab>
          ))}
        </TabList>
        {sectionIds.map((id) => (
          <SectionPanel key={id} id={id} isSelected={id === selected}>
            {id === 'wells' && <WellPicker isShown={isOpen && id === selected} />}
            {id === 'datasets' && <DatasetBrowser />}
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

// Outside the library's focus search, which would force a layout on each change inside.
const renderFocusable: NonNullable<TabPanelProps['render']> = ({
  ref: _watched,
  tabIndex: _none,
  ...props
}) => <section {...props} />;

/** A section; wells and datasets are always there, the others from when they are first shown. */
function SectionPanel({ id, isSelected, children }: SectionPanelProps) {
  const hasSearch = id === 'wells' || id === 'datasets';
  const [wasShown, setShown] = useState(isSelected || hasSearch);
  if (isSelected && !wasShown) setShown(true);
  return (
    <TabPanel
      id={id}
      shouldForceMount
      {...(hasSearch && { render: renderFocusable })}
      className="list stack gap-0 full section-panel keep-focus fill"
      data-section={id}
      data-help={pageOf[id]}
    >
      <h2 className="visually-hidden">{words[id].heading}</h2>
      {wasShown && children}
    </TabPanel>
  );
}
