import { FileText } from 'lucide-react';
import { formatBytes } from '../../format/numbers.ts';
import { useSessionState, useTab, useTabState } from '../../contexts.ts';
import { uploadWords } from '../../words/upload.ts';
import { OtherFileButton } from './file/file-chooser.tsx';
import { fileName, transferringFile } from './upload-facts.ts';
import { useOtherConnection, useUploadProgress } from './use-progress.ts';
import type { Dataset } from '../../../shared/datasets/datasets.ts';
import { valueOr } from '../../state/loadable.ts';
import { ComboBox, type ComboOption } from '../../ui/combo-box.tsx';
import { addressText, searchDatasets, typeText } from '../datasets/search.ts';

/** The file and the dataset of the upload. */
export function UploadHead() {
  const name = useTabState('upload', fileName);
  const file = useTabState('upload', (state) => state.file);
  const isTransferring = useTabState('upload', (state) => transferringFile(state) !== null);
  const { job, sendJob } = useUploadProgress();
  const other = useOtherConnection(sendJob);
  const bytes =
    file.status === 'ready' ? file.file.bytes : file.status === 'transferring' ? file.bytes : null;
  return (
    <header className="upload-head row wrap">
      {name !== null && (
        <span className="row ellipsis">
          <FileText className="quiet" size={16} aria-hidden />
          <strong className="ellipsis" title={name}>
            {name}
          </strong>
          {bytes !== null && <span className="quiet numbers">{formatBytes(bytes)}</span>}
        </span>
      )}
      {job === null && file.status === 'ready' && !isTransferring && <OtherFileButton />}
      <span className="upload-into row">
        <span className="quiet">{name === null ? uploadWords.uploadInto : uploadWords.into}</span>
        {sendJob ? (
          <strong className="ellipsis">
            {sendJob.address.provider}/{sendJob.address.dataset}
          </strong>
        ) : (
          <DatasetPicker />
        )}
      </span>
      {other !== null && <span>{uploadWords.onConnection(other)}</span>}
    </header>
  );
}

const none: readonly Dataset[] = [];
const maxOptions = 200;

/** Selects the dataset of the upload. */
export function DatasetPicker() {
  const { actions } = useTab('upload');
  const dataset = useTabState('upload', (state) => state.dataset);
  const list = useSessionState('datasets', (state) => state.list);
  const datasets = valueOr(list, none);
  const find = (typed: string): ComboOption[] =>
    searchDatasets(datasets, typed, 'all')
      .slice(0, maxOptions)
      .map((listedDataset) => ({
        id: addressText(listedDataset),
        text: addressText(listedDataset),
        note: typeText(listedDataset),
      }));
  const choose = (address: string) => {
    const chosenDataset = datasets.find((listedDataset) => addressText(listedDataset) === address);
    if (chosenDataset) actions.setDataset(chosenDataset);
  };
  return (
    <span className="row grow">
      <ComboBox
        className="grow"
        label={uploadWords.dataset}
        isLabelHidden
        value={dataset && addressText(dataset)}
        text={dataset ? addressText(dataset) : ''}
        find={find}
        onSelect={choose}
        placeholder={list.status === 'loaded' ? uploadWords.datasetHint : uploadWords.datasetsLoading}
      />
      {dataset && <span className="dataset-type">{typeText(dataset)}</span>}
    </span>
  );
}
