import { lazy, Suspense } from 'react';
import { Loading } from '../../ui/faces.tsx';
import { useTabState } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';
import { AggregateForm } from './aggregate-form.tsx';
import { QueryEditor } from './query-editor.tsx';
import { QueryOptions } from './query-options.tsx';

// Not every question is a pipeline: its builder is loaded with the first.
const PipelineForm = lazy(() =>
  import('./stages/pipeline-form.tsx').then((found) => ({ default: found.PipelineForm })),
);

/** What is typed in the mode that is asked. */
export function ModeForm() {
  const mode = useTabState('query', (state) => state.text.mode);
  if (mode === 'aggregate') return <AggregateForm />;
  if (mode === 'pipeline')
    return (
      <Suspense fallback={<Loading what={words.stages.loading} />}>
        <PipelineForm />
      </Suspense>
    );
  return (
    <>
      <QueryEditor />
      <QueryOptions />
    </>
  );
}
