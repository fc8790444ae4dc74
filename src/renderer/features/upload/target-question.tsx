import { useTab, useTabState } from '../../contexts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { uploadWords } from '../../words/upload.ts';
import { addressText } from '../datasets/search.ts';

const w = uploadWords.target;

/** Asks once whether rows go into a dataset that the user didn't select; nothing is sent before. */
export function TargetQuestion() {
  const { actions } = useTab('upload');
  const dataset = useTabState('upload', (state) => (state.isDatasetAssumed ? state.dataset : null));
  if (!dataset) return null;
  const address = addressText(dataset);
  return (
    <Alert
      isStrip
      tone="warning"
      actions={<Button onPress={actions.confirmDataset}>{w.confirm(address)}</Button>}
    >
      {w.assumed(address)}
    </Alert>
  );
}
