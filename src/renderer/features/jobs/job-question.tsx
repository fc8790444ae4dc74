import type { Job } from '../../../shared/jobs/jobs.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { useApp } from '../../contexts.ts';
import { words } from '../../words/words.ts';

export function JobQuestion({ job: { id, waitsFor } }: { job: Job }) {
  const { answer } = useApp().jobs.actions;
  if (waitsFor?.for !== 'answer') return null;
  const { rows, reason, areRecords } = waitsFor.question;
  return (
    <Alert
      tone="warning"
      actions={
        <>
          <Button onPress={() => void answer(id, 'stop')}>{words.jobs.answers.stop}</Button>
          <Button variant="primary" onPress={() => void answer(id, 'go_on')}>
            {words.jobs.answers.go_on}
          </Button>
        </>
      }
    >
      {words.jobs.manyRefused(rows, reason, areRecords)}
    </Alert>
  );
}
