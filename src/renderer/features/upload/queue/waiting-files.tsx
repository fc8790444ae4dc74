import { Hourglass } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { useAppState } from '../../../contexts.ts';
import { uploadWords } from '../../../words/upload.ts';
import { words } from '../../../words/words.ts';
import { wellConstant } from '../columns/mapping-choices.ts';
import { useWellName } from '../wells/well-views.tsx';
import type { WaitingUpload } from './upload-queue.ts';

export function WaitingFiles() {
  const waiting = useAppState('queue', (state) => state.waiting);
  if (waiting.length === 0) return null;
  return (
    <section className="faint-below" aria-label={words.jobs.queue}>
      <p className="quiet">{words.jobs.queueText}</p>
      <ul className="jobs-list parted">
        {waiting.map((upload, at) => (
          <WaitingFile key={`${at} ${upload.file}`} {...upload} />
        ))}
      </ul>
    </section>
  );
}

function WaitingFile({ tab, file, previousFile }: WaitingUpload) {
  const { dataset, inspection, choices } = tab.store.getState();
  const well = useWellName(wellConstant(choices)?.assetId ?? null);
  return (
    <li className="job-row items-center one-line" aria-label={words.jobs.waitsNamed(file)}>
      <span className="job-name ellipsis">
        {words.jobs.kinds.upload} <strong>{file}</strong>{' '}
        <span className="quiet">
          {dataset && `${dataset.provider}/${dataset.dataset} · `}
          {inspection.status === 'loaded' && `${uploadWords.alike.rows(inspection.value.rows)} · `}
          {well !== '' && `${well} · `}
          {words.jobs.waitsBehind(previousFile)}
        </span>
      </span>
      <span className="job-state row gap-1" data-state="queued">
        <Hourglass size={14} aria-hidden />
        {words.jobs.inLine}
      </span>
      <span className="to-end row gap-0">
        <Button
          variant="quiet"
          aria-label={words.jobs.dequeueNamed(file)}
          onPress={() => tab.actions.setQueued(false)}
        >
          {words.jobs.dequeue}
        </Button>
      </span>
    </li>
  );
}
