import { ShieldCheck } from 'lucide-react';
import { lazy, Suspense, useId } from 'react';
import { useApp, useAppState, useTabState } from '../../../contexts.ts';
import { useTask } from '../../../state/use-task.ts';
import { Button } from '../../../ui/button.tsx';
import { Failed, Loading } from '../../../ui/view-states.tsx';
import { words } from '../../../words/words.ts';

// Loaded with the first report.
const QualityView = lazy(() =>
  import('../../quality/quality-view.tsx').then((module) => ({ default: module.QualityView })),
);

/** The quality of the file of an upload, on request. */
export function FileQualitySection() {
  const qualityId = useId();
  const { api } = useApp();
  const file = useTabState('upload', (state) => (state.file.status === 'ready' ? state.file.file : null));
  const reading = useTabState('upload', (state) => state.reading);
  const spikeThreshold = useAppState('settings', (state) => state.values.spikeThreshold);
  const minFlatRecords = useAppState('settings', (state) => state.values.minFlatRecords);
  const checking = useTask((_: void, signal) =>
    file
      ? api.quality.file({ source: file.token, reading, spikeThreshold, minFlatRecords }, { signal })
      : Promise.reject(new Error('there is no file')),
  );
  const w = words.quality;
  if (!file) return null;
  return (
    <section aria-labelledby={qualityId} className="stack gap-3">
      <h3 id={qualityId}>{w.file.heading}</h3>
      <p className="quiet">{w.file.text}</p>
      {checking.value === null && !checking.isRunning && (
        <div className="row">
          <Button icon={ShieldCheck} onPress={() => void checking.start()}>
            {w.tab.start}
          </Button>
        </div>
      )}
      {checking.isRunning && <Loading what={w.loading} onCancel={checking.reset} />}
      {checking.error && <Failed error={checking.error} isInForm onRetry={() => void checking.start()} />}
      {checking.value && (
        <Suspense fallback={<Loading what={w.loading} />}>
          <QualityView report={checking.value} title={file.name} zone={null} />
        </Suspense>
      )}
    </section>
  );
}
