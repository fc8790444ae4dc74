import { GitCompareArrows } from 'lucide-react';
import { lazy, Suspense, useState, useId } from 'react';
import { useStore } from 'zustand';
import type { Dataset } from '../../../../shared/datasets/datasets.ts';
import { rangeFieldOf } from '../../../../shared/language/text/range.ts';
import { toleranceOf } from '../../../../shared/quality/tolerance.ts';
import { useSession, useTab, useTabState } from '../../../contexts.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { Loading } from '../../../ui/view-states.tsx';
import { words } from '../../../words/words.ts';
import { addressText } from '../../datasets/search.ts';
import { placeKind } from '../upload-state.ts';
import { queryOfRange } from '../../quality/range-query.ts';
import { RunProgress } from '../../quality/run-progress.tsx';
import { openQuery } from '../../query/open-query.ts';

// Loaded with the first comparison.
const ComparisonView = lazy(() =>
  import('../../quality/comparison-view.tsx').then((module) => ({ default: module.ComparisonView })),
);

const w = words.quality.comparing;

/** The file of an upload compared with the dataset that it goes into, on request. */
export function FileComparisonSection({ dataset }: { dataset: Dataset }) {
  const comparisonId = useId();
  const { actions, comparison, connection, mapping } = useTab('upload');
  const file = useTabState('upload', (state) => (state.file.status === 'ready' ? state.file.file : null));
  const reading = useTabState('upload', (state) => state.reading);
  const kind = useTabState('upload', placeKind);
  const isStarting = useStore(comparison.store, (state) => state.isStarting);
  const session = useSession();
  const [tolerance, setTolerance] = useState('0');
  const [problem, setProblem] = useState<string>();
  const field = rangeFieldOf(dataset.type);
  if (!file || !field) return null;
  const { provider, dataset: name } = dataset;
  return (
    <section aria-labelledby={comparisonId} className="stack gap-3">
      <h3 id={comparisonId}>{w.fileHeading}</h3>
      <p className="quiet">{w.fileText(addressText(dataset))}</p>
      <form
        className="row quality-comparison-end"
        onSubmit={(event) => {
          event.preventDefault();
          if (toleranceOf(tolerance) === null) return setProblem(w.badTolerance);
          const request = { connection, provider, dataset: name, source: file.token, reading, tolerance };
          void comparison.start((quality, signal) =>
            quality.compareFile({ ...request, mapping: mapping() }, { signal }),
          );
        }}
      >
        <TextField
          className="quality-tolerance"
          name="tolerance"
          label={w.tolerance}
          value={tolerance}
          placeholder={w.toleranceHint}
          problem={problem}
          onChange={(text) => {
            setTolerance(text);
            setProblem(undefined);
          }}
        />
        <Button type="submit" icon={GitCompareArrows} isPending={isStarting}>
          {w.start}
        </Button>
      </form>
      <RunProgress run={comparison} what={w.loading} idle={null}>
        {(loadedReport) =>
          loadedReport.kind === 'comparison' && (
            <Suspense fallback={<Loading what={w.loading} />}>
              <ComparisonView
                report={loadedReport.report}
                title={file.name}
                names={{ source: w.theFile, against: w.theDataset }}
                onShow={(_, from, to) =>
                  openQuery(
                    session,
                    dataset,
                    queryOfRange(loadedReport.report.queries.against, field, from, to),
                  )
                }
                rows={{ kind, show: (line) => void actions.showLine(line, null) }}
              />
            </Suspense>
          )
        }
      </RunProgress>
    </section>
  );
}
