import { ListStart } from 'lucide-react';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { words } from '../../../words/words.ts';
import { similarNames } from './upload-queue.ts';
import { useAppState, useSession, useTab, useTabState } from '../../../state/contexts.ts';

const w = words.upload.alike;

/** Other open uploads with the same header, which can be sent with this mapping. */
export function SimilarUploads() {
  const tab = useTab('upload');
  const uploads = useSession().uploads;
  const waiting = useAppState('queue', (state) => state.waiting.find((each) => each.tab === tab));
  const sending = useTabState('upload', (state) => state.send.status !== 'none');
  if (waiting)
    return (
      <Alert tone="info" actions={<Button onPress={() => tab.actions.setQueued(false)}>{w.takeOut}</Button>}>
        {w.waits(waiting.previousFile)}
      </Alert>
    );
  const others = sending ? [] : uploads.similarTo(tab);
  if (others.length === 0) return null;
  return (
    <section aria-labelledby="upload-alike">
      <h2 id="upload-alike">{w.heading(others.length)}</h2>
      <p className="line">{similarNames(tab, others).join(', ')}</p>
      <p className="quiet">{w.text}</p>
      <div className="row wrap">
        <Button icon={ListStart} onPress={() => uploads.sendInSequence(tab, others)}>
          {w.send(others.length + 1)}
        </Button>
      </div>
    </section>
  );
}
