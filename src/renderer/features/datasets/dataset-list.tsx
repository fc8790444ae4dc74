import type { Dataset } from '../../../shared/datasets/datasets.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Loading } from '../../ui/view-states.tsx';
import { words } from '../../words/words.ts';
import { ConnectionFailed } from '../connections/connection-failed.tsx';
import { useSession, useSessionState } from '../../state/contexts.ts';
import './datasets.css';
import { useDeferredValue, useMemo } from 'react';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { PickList, type RowMenu } from '../../ui/pick-list.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { DatasetFoot } from './dataset-foot.tsx';
import { DatasetGroup, DatasetRow } from './dataset-row.tsx';
import { DatasetSearch } from './dataset-search.tsx';
import { filterDatasets, noFilter, rowsOf, type DatasetListRow } from './filter.ts';
import { addressInWords } from './search.ts';

interface DatasetBrowserProps {
  /** The connection whose datasets these are. */
  readonly connection: string;
  readonly onOpen: (dataset: Dataset) => void;
}

/** Finds datasets and opens one. */
export function DatasetBrowser({ connection, onOpen }: DatasetBrowserProps) {
  const list = useSessionState('datasets', (state) => state.list);
  const asking = useSessionState('datasets', (state) => state.freshness.isLoading);
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
  if (list.value.length === 0 && !asking)
    return (
      <Empty action={<Button onPress={again}>{words.datasets.load}</Button>}>{words.datasets.empty}</Empty>
    );
  return <DatasetList datasets={list.value} onOpen={onOpen} onLoad={again} />;
}

const rowHeight = 44;

export interface DatasetListProps {
  readonly datasets: readonly Dataset[];
  readonly onOpen: (dataset: Dataset) => void;
  readonly onLoad: () => void;
}

/** The datasets that are looked for, by company and provider. */
export function DatasetList({ datasets, onOpen, onLoad }: DatasetListProps) {
  const { fold } = useSession().datasets.actions;
  const found = useFound(datasets);
  const companies = useSessionState('datasets', (state) => state.companies);
  const folded = useSessionState('datasets', (state) => state.folded);
  const searching = useSessionState('datasets', (state) => state.filter.text !== '');
  const rows = useMemo(
    () =>
      // A search looks into folded groups too.
      rowsOf(found, {
        companies,
        unnamed: words.datasets.company,
        folded: searching ? new Set() : folded,
      }),
    [found, companies, folded, searching],
  );
  const open = (key: string | number) => {
    const row = rows.find((each) => each.key === key);
    if (row?.kind === 'group') fold(row.key);
    else if (row) onOpen(row.dataset);
  };
  const opened = useSessionState('tabs', ({ tabs, active }) => {
    const tab = tabs.find(({ id }) => id === active);
    return tab?.kind === 'query' || tab?.kind === 'dataset' ? addressInWords(tab.model.dataset) : null;
  });
  const { look, upload } = useSession().datasetLinks;
  const menuOf = (row: DatasetListRow): RowMenu | null => {
    if (row.kind === 'group') return null;
    const { dataset } = row;
    const acts = {
      query: () => onOpen(dataset),
      about: () => look(dataset),
      upload: () => upload(dataset),
      copy: () => void copyText(addressInWords(dataset)),
    };
    const ids = ['query', 'about', 'upload', 'copy'] as const;
    return {
      items: ids.map((id) => ({ id, text: words.datasets.rowMenu[id] })),
      onChoose: (chosen) => ids.filter((id) => id === chosen).forEach((id) => acts[id]()),
    };
  };
  return (
    <>
      <DatasetSearch />
      <KeepFocus className="list-body">
        {rows.length === 0 ? (
          <NothingFound />
        ) : (
          <PickList
            label={words.datasets.heading}
            items={rows}
            keyOf={({ key }) => key}
            nameOf={nameOf}
            rowHeight={rowHeight}
            onOpen={open}
            current={opened}
            menuOf={menuOf}
            render={(row) =>
              row.kind === 'group' ? <DatasetGroup group={row} /> : <DatasetRow dataset={row.dataset} />
            }
          />
        )}
      </KeepFocus>
      <DatasetFoot shown={found.length} all={datasets.length} onLoad={onLoad} />
    </>
  );
}

const nameOf = (row: DatasetListRow): string =>
  row.kind === 'group'
    ? words.datasets.group(row.company, row.provider, row.count, row.folded)
    : `${row.dataset.friendlyName} ${addressInWords(row.dataset)}`;

/** What fits the filters and, where that is wanted, holds data of the chosen wells. */
function useFound(datasets: readonly Dataset[]): readonly Dataset[] {
  const filter = useDeferredValue(useSessionState('datasets', (state) => state.filter));
  const known = useSessionState('datasets', (state) => state.holdings.known);
  const only = useSessionState('datasets', (state) => state.onlyHolding && state.wells.assets.length > 0);
  const fitting = useMemo(() => filterDatasets(datasets, filter), [datasets, filter]);
  return useMemo(
    () =>
      only ? fitting.filter((dataset) => known.get(addressInWords(dataset))?.holds === 'some') : fitting,
    [fitting, known, only],
  );
}

function NothingFound() {
  const filter = useSessionState('datasets', (state) => state.filter);
  const only = useSessionState('datasets', (state) => state.onlyHolding);
  const status = useSessionState('datasets', (state) => state.holdings.asking.status);
  const wells = useSessionState('datasets', (state) => state.wells.assets.length);
  const { clearFilters, askOn } = useSession().datasets.actions;
  const isFiltered = filter !== noFilter;
  if (only && wells > 0 && status === 'running') return <Empty>{words.datasets.lookingForData}</Empty>;
  if (only && wells > 0 && status === 'stopped')
    return (
      <Empty action={<Button onPress={askOn}>{words.datasets.askOn}</Button>}>
        {words.datasets.askingStopped}
      </Empty>
    );
  const why = only && wells > 0 ? words.datasets.noneHolds(wells, isFiltered) : words.datasets.noMatch;
  return <Empty action={<Button onPress={clearFilters}>{words.datasets.clear}</Button>}>{why}</Empty>;
}
