import { useSyncExternalStore } from 'react';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { words } from '../../words/words.ts';
import type { RowsInView } from './rows-in-view.ts';

/** Says why rows in view could not be fetched, and tries again. */
export function ProblemRows({ rows }: { rows: RowsInView }) {
  const problem = useSyncExternalStore(rows.onCome, rows.problem);
  if (!problem) return null;
  return (
    <Alert
      tone="error"
      actions={
        <Button variant="quiet" onPress={rows.retry}>
          {words.tryAgain}
        </Button>
      }
    >
      {words.results.failedRows} {problem.message}
    </Alert>
  );
}
