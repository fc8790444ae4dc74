import type { RunNote } from '../../shared/history/history.ts';
import type { QueryTab } from '../features/query/query-tab.ts';
import type { ScopedWell } from '../features/wells/scope.ts';

/** The first of many wells are noted. */
const mostWells = 100;

/** Notes every run of a tab when it has ended, with the question as it was when it began. */
export function noteRuns(
  { store, results, dataset }: QueryTab,
  wells: () => readonly ScopedWell[],
  note: (run: Omit<RunNote, 'connection'>) => void,
): void {
  let asked: Pick<RunNote, 'mode' | 'question' | 'wells'> | null = null;
  results.store.subscribe(({ answer }, before) => {
    if (answer === before.answer) return;
    if (answer.status === 'running') {
      const { text } = store.getState();
      const scope = wells().slice(0, mostWells);
      asked = {
        mode: text.mode,
        question: text,
        wells: scope.map(({ name, assetId }) => ({ name: name.slice(0, 300), assetId })),
      };
      return;
    }
    if (!asked || answer.status === 'idle') return;
    const about = {
      provider: dataset.provider,
      dataset: dataset.dataset,
      ...asked,
      rows: null,
      ms: null,
      code: null,
    };
    asked = null;
    if (answer.status === 'cancelled') note({ ...about, outcome: 'cancelled' });
    else if (answer.status === 'loaded') {
      // The same question, gone through to its end, is no other one.
      const { records, ms, isUnlimited } = answer.value;
      if (!isUnlimited) note({ ...about, outcome: 'done', rows: records, ms });
    } else if (!answer.error.is('invalid_input')) {
      // Nothing was sent of what is wrong from the start.
      note({ ...about, outcome: 'failed', code: answer.error.code });
    }
  });
}
