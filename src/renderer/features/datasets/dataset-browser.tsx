import { useDeferredValue, useMemo } from 'react';
import type { Dataset } from '../../../shared/datasets.ts';
import { datasetTypes } from '../../../shared/datasets.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Failed, Loading } from '../../ui/faces.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { PickList } from '../../ui/pick-list.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Status } from '../../ui/status.tsx';
import { SelectBox } from '../../ui/select-box.tsx';
import { words } from '../../words/words.ts';
import { UploadInto } from '../upload/upload-button.tsx';
import { useDatasets, useDatasetsActions } from './context.ts';
import { addressInWords, searchDatasets, type TypeFilter } from './search.ts';
import './datasets.css';

const rowHeight = 44;

export interface DatasetBrowserProps {
  /** The connection whose datasets these are. */
  readonly connection: string;
  readonly onOpen: (dataset: Dataset) => void;
}

/** Finds datasets and opens one. */
export function DatasetBrowser({ connection, onOpen }: DatasetBrowserProps) {
  const list = useDatasets((state) => state.list);
  const { load, cancel } = useDatasetsActions();
  const again = () => void load(connection);
  if (list.face === 'idle')
    return (
      <Empty action={<Button onPress={again}>{words.datasets.load}</Button>}>
        {words.datasets.notLoaded}
      </Empty>
    );
  if (list.face === 'loading') return <Loading what={words.datasets.loading} onCancel={cancel} />;
  if (list.face === 'failed') return <Failed error={list.error} onRetry={again} />;
  if (list.value.length === 0) return <Empty>{words.datasets.empty}</Empty>;
  return <DatasetList datasets={list.value} onOpen={onOpen} />;
}

const typeOptions = (['all', ...datasetTypes] as const).map((id): { id: TypeFilter; text: string } => ({
  id,
  text: words.datasets.types[id],
}));

function DatasetList({
  datasets,
  onOpen,
}: {
  datasets: readonly Dataset[];
  onOpen: (dataset: Dataset) => void;
}) {
  const search = useDatasets((state) => state.search);
  const type = useDatasets((state) => state.type);
  const actions = useDatasetsActions();
  const text = useDeferredValue(search);
  const found = useMemo(() => searchDatasets(datasets, text, type), [datasets, text, type]);
  const clear = () => {
    actions.search('');
    actions.filterType('all');
  };
  return (
    <>
      <div className="list-head list-head-two">
        <SearchBox
          label={words.datasets.search}
          placeholder={words.datasets.searchHint}
          value={search}
          onChange={actions.search}
          clearLabel={words.datasets.clearSearch}
        />
        <SelectBox
          label={words.datasets.type}
          value={type}
          options={typeOptions}
          onChange={actions.filterType}
        />
      </div>
      <KeepFocus className="list-body">
        {found.length === 0 ? (
          <Empty action={<Button onPress={clear}>{words.datasets.clear}</Button>}>
            {words.datasets.noMatch}
          </Empty>
        ) : (
          <PickList
            label={words.datasets.heading}
            items={found}
            keyOf={addressInWords}
            nameOf={(dataset) => `${dataset.friendlyName} ${addressInWords(dataset)}`}
            rowHeight={rowHeight}
            onOpen={(key) => {
              const dataset = found.find((each) => addressInWords(each) === key);
              if (dataset) onOpen(dataset);
            }}
            render={(dataset) => <DatasetRow dataset={dataset} />}
          />
        )}
      </KeepFocus>
      <Status className="list-foot quiet numbers">
        {words.datasets.shown(found.length, datasets.length)}
      </Status>
    </>
  );
}

function DatasetRow({ dataset }: { dataset: Dataset }) {
  const { type, typeSaid, friendlyName, statistics } = dataset;
  return (
    <div className="dataset">
      <div className="dataset-line">
        <span className="dataset-name">{friendlyName === '' ? addressInWords(dataset) : friendlyName}</span>
        <span className="dataset-type">
          {type === null ? words.datasets.otherType(typeSaid) : words.datasets.types[type]}
        </span>
        <UploadInto dataset={dataset} />
      </div>
      <div className="dataset-line quiet numbers">
        <span className="dataset-name">{addressInWords(dataset)}</span>
        {/* A list that leaves the statistics out says 0 for all. */}
        {statistics.count !== null && statistics.count > 0 && (
          <span>{words.datasets.count(statistics.count)}</span>
        )}
      </div>
    </div>
  );
}
