import type { Dataset } from '../../../shared/datasets/datasets.ts';
import { valueOr } from '../../state/loadable.ts';
import { ComboBox, type ComboOption } from '../../ui/combo-box.tsx';
import { words } from '../../words/words.ts';
import { addressInWords, searchDatasets, typeInWords } from '../datasets/search.ts';
import { useSessionState, useTab, useTabState } from '../../state/contexts.ts';

const none: readonly Dataset[] = [];
const shown = 200;

/** Chooses the dataset that the rows go into. */
export function DatasetPicker() {
  const { actions } = useTab('upload');
  const dataset = useTabState('upload', (state) => state.dataset);
  const list = useSessionState('datasets', (state) => state.list);
  const datasets = valueOr(list, none);
  const find = (typed: string): ComboOption[] =>
    searchDatasets(datasets, typed, 'all')
      .slice(0, shown)
      .map((each) => ({ id: addressInWords(each), text: addressInWords(each), note: typeInWords(each) }));
  const choose = (address: string) => {
    const found = datasets.find((each) => addressInWords(each) === address);
    if (found) actions.into(found);
  };
  return (
    <span className="upload-dataset row">
      <ComboBox
        label={words.upload.dataset}
        labelHidden
        value={dataset && addressInWords(dataset)}
        text={dataset ? addressInWords(dataset) : ''}
        find={find}
        onChoose={choose}
        placeholder={list.face === 'full' ? words.upload.datasetHint : words.upload.datasetsLoading}
      />
      {dataset && <span className="dataset-type">{typeInWords(dataset)}</span>}
    </span>
  );
}
