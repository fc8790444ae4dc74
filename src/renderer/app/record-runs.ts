import type { RunNote } from '../../shared/history/history.ts';
import type { QueryTab } from '../features/query/query-tab.ts';
import type { ScopedWell } from '../features/wells/scope.ts';

/** The maximum number of wells in an entry. */
const maxWells = 100;

/** Adds each finished run of a tab to the history, with the query at its start. */
export function recordRuns(
  { store, results, dataset }: QueryTab,
  wells: () => readonly ScopedWell[],
  note: (run: Omit<RunNote, 'connection'>) => void,
): void {
  let pendingRun: Pick<RunNote, 'mode' | 'question' | 'wells'> | null = null;
  results.store.subscribe(({ answer }, before) => {
    if (answer === before.answer) return;
    if (answer.status === 'running') {
      const { text } = store.getState();
      const scope = wells().slice(0, maxWells);
      pendingRun = {
        mode: text.mode,
        question: text,
        wells: scope.map(({ name, assetId }) => ({ name: name.slice(0, 300), assetId })),
      };
      return;
    }
    if (!pendingRun || answer.status === 'idle') return;
    const about = {
      provider: dataset.provider,
      dataset: dataset.dataset,
      ...pendingRun,
      rows: null,
      ms: null,
      code: null,
    };
    pendingRun = null;
    if (answer.status === 'cancelled') note({ ...about, outcome: 'cancelled' });
    else if (answer.status === 'loaded') {
      // Loading all records of the same query is not a new run.
      const { records, ms, isUnlimited } = answer.value;
      if (!isUnlimited) note({ ...about, outcome: 'done', rows: records, ms });
    } else if (!answer.error.is('invalid_input')) {
      // Invalid queries are not sent.
      note({ ...about, outcome: 'failed', code: answer.error.code });
    }
  });
}
