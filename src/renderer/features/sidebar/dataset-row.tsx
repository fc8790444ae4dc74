import { Building2, ChevronDown, ChevronRight, CircleCheck, Info, Lock, Upload } from 'lucide-react';
import { memo, useEffect } from 'react';
import { datasetName, type Dataset } from '../../../shared/datasets/datasets.ts';
import { formatBytes } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { uploadWords } from '../../words/upload.ts';
import { words } from '../../words/words.ts';
import { WriteButton } from '../connections/write-button.tsx';
import { useSession, useSessionState } from '../../contexts.ts';
import type { DatasetListRow } from '../datasets/filter.ts';
import { addressText, typeText } from '../datasets/search.ts';
import { openDetails } from '../dataset-tab/dataset-kind.ts';
import { openUpload } from '../upload/open-upload.ts';

/**
 * A dataset in the list. Its definition is requested while the row is visible, because lists leave the size
 * out. Rendered again only when the dataset changes, not when the list does.
 */
export const DatasetRow = memo(function DatasetRow({ dataset }: { dataset: Dataset }) {
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
    ...(statistics.count === null ? [] : [words.datasets.count(statistics.count)]),
    ...(statistics.count && statistics.size ? [formatBytes(statistics.size)] : []),
  ].join(' · ');
  return (
    <div className="dataset-row">
      <div className="dataset-line">
        <span className="dataset-name" title={name}>
          {name}
        </span>
        {holds === 'some' && (
          <span className="dataset-mark dataset-holds" title={words.datasets.holds}>
            <CircleCheck size={14} aria-hidden />
            <span className="visually-hidden">{words.datasets.holds}</span>
          </span>
        )}
        <Permission dataset={dataset} />
        <span className="dataset-type">{typeText(dataset)}</span>
        <Button
          variant="quiet"
          className="pick-more pick-more-large"
          icon={Info}
          aria-label={words.datasets.about(address)}
          onPress={() => openDetails(session, dataset)}
        />
        <WriteButton
          icon={Upload}
          className="pick-more pick-more-large"
          aria-label={uploadWords.openInto(address)}
          onPress={() => openUpload(session, dataset)}
        />
      </div>
      <div className="dataset-line quiet numbers">
        <span className="dataset-name" title={description === '' ? address : `${address}: ${description}`}>
          {address}
          {description !== '' && <span className="dataset-description"> · {description}</span>}
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
  const label = words.datasets.onRequest(rightsOnRequest);
  return (
    <span className="dataset-mark" title={label}>
      <Lock size={12} aria-hidden />
      <span className="visually-hidden">{label}</span>
    </span>
  );
}

/** The company and the provider of the datasets below. */
export function DatasetGroup({ group }: { group: DatasetListRow & { kind: 'group' } }) {
  const { company, provider, count, isCollapsed } = group;
  const Chevron = isCollapsed ? ChevronRight : ChevronDown;
  return (
    <div className="dataset-group">
      <Chevron size={16} aria-hidden />
      <div className="dataset-row">
        <div className="dataset-line">
          <Building2 size={14} aria-hidden />
          <span className="dataset-name">{company ?? words.datasets.noCompany}</span>
        </div>
        <div className="dataset-line quiet numbers">
          <span className="dataset-name">{words.datasets.provider(provider)}</span>
          <span>{words.datasets.shown(count, count)}</span>
        </div>
      </div>
    </div>
  );
}
