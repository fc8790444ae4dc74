import { useEffect, useId } from 'react';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { OptionGroup } from '../../../ui/option-group.tsx';
import { Loading } from '../../../ui/view-states.tsx';
import { uploadWords } from '../../../words/upload.ts';
import { words } from '../../../words/words.ts';
import { ConnectionFailed } from '../../connections/connection-failed.tsx';
import { addressText } from '../../datasets/search.ts';
import { useTab, useTabState } from '../../../contexts.ts';

const w = uploadWords.existing;

/** The number of existing records for these wells, and whether matching rows are skipped or inserted. */
export function ExistingRecordsSection() {
  const existingId = useId();
  const { actions } = useTab('upload');
  const { existingRecords: records, existing } = useTabState('upload', (state) => state);
  const wells = useTabState('upload', (state) => state.wellNames.status);
  const match = useTabState('upload', (state) => state.match.value);
  const areRecords = match?.folded != null;
  // The wells of the rows are known once their names are matched.
  useEffect(() => {
    if (match && wells !== 'loading') void actions.countExisting(false);
  }, [actions, wells, match]);
  const dataset = useTabState('upload', (state) => (state.dataset ? addressText(state.dataset) : ''));
  const isForbidden = records.status === 'failed' && records.error.is('forbidden');
  const again = () => void actions.countExisting(true);
  return (
    <section aria-labelledby={existingId}>
      <h2 id={existingId}>{w.heading}</h2>
      {records.status === 'idle' && wells === 'loading' && <Loading what={w.waiting} />}
      {records.status === 'loading' && <Loading what={w.counting} onCancel={actions.cancelCounting} />}
      {records.status === 'failed' && !isForbidden && (
        <ConnectionFailed error={records.error} onRetry={again} />
      )}
      {isForbidden && (
        <Alert
          tone="warning"
          actions={
            existing === 'skip' ? (
              <>
                <Button onPress={() => actions.setExistingMode('insert')}>
                  {w.insertAll[areRecords ? 'records' : 'rows']}
                </Button>
                <Button variant="quiet" onPress={again}>
                  {words.tryAgain}
                </Button>
              </>
            ) : undefined
          }
        >
          {existing === 'skip' ? w.cannotRead(dataset) : w.notCompared(dataset)}
        </Alert>
      )}
      {records.status === 'idle' && wells !== 'loading' && (
        <div className="row wrap">
          <Button onPress={again}>{w.count}</Button>
        </div>
      )}
      {records.status === 'loaded' && <p>{w.found(records.value)}</p>}
      <OptionGroup
        layout="list"
        label={w.choice(areRecords)}
        value={existing}
        options={[
          { id: 'skip', text: w.skip },
          { id: 'insert', text: w.insert(areRecords) },
        ]}
        onChange={actions.setExistingMode}
      />
    </section>
  );
}
