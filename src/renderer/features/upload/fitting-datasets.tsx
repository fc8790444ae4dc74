import { addressText } from '../datasets/search.ts';
import { useSessionState, useTab, useTabState } from '../../contexts.ts';
import { valueOr } from '../../state/loadable.ts';
import type { Dataset } from '../../../shared/datasets/datasets.ts';
import type { DatasetForFile } from '../../../shared/upload/proposals.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { uploadWords } from '../../words/upload.ts';

const noDatasets: readonly Dataset[] = [];
const noneFits: readonly DatasetForFile[] = [];
const maxOffered = 3;
const w = uploadWords.fitting;

/** The datasets that the file fits, while none is selected; a warning if the selected one is ordered otherwise. */
export function FittingDatasets() {
  const { actions } = useTab('upload');
  const dataset = useTabState('upload', (state) => state.dataset);
  const fitting = valueOr(
    useTabState('upload', (state) => state.fittingDatasets),
    noneFits,
  );
  const otherIndex = useTabState('upload', ({ proposals }) =>
    proposals.status === 'loaded' ? proposals.value.otherIndex : null,
  );
  const datasets = valueOr(
    useSessionState('datasets', (state) => state.list),
    noDatasets,
  );
  const offered = fitting
    .flatMap((fit) => {
      const listedDataset = datasets.find((other) => addressText(other) === `${fit.provider}/${fit.dataset}`);
      return listedDataset ? [{ ...fit, listedDataset }] : [];
    })
    .filter(({ listedDataset }) => listedDataset !== dataset)
    .slice(0, maxOffered);
  const buttons = offered.map(({ listedDataset, fits, of }) => (
    <Button
      key={addressText(listedDataset)}
      variant="quiet"
      onPress={() => actions.setDataset(listedDataset)}
    >
      {w.select(addressText(listedDataset), fits, of)}
    </Button>
  ));
  if (dataset && otherIndex)
    return (
      <Alert isStrip tone="warning" actions={buttons}>
        {w.otherIndex[otherIndex](addressText(dataset))}
      </Alert>
    );
  if (dataset || buttons.length === 0) return null;
  return (
    <Alert isStrip tone="info" actions={buttons}>
      {w.heading}
    </Alert>
  );
}
