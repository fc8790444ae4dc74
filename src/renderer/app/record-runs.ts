import type { RunNote } from '../../shared/history/history.ts';
import { readScope } from '../../shared/language/text/scope.ts';
import type { QuestionText } from '../../shared/query/question.ts';
import { assetId, type AssetId } from '../../shared/wells/well-ids.ts';
import { conditionsOf } from '../features/query/conditions.ts';
import { hasParameters } from '../features/query/query-request.ts';
import type { QueryTab } from '../features/query/query-tab.ts';
import type { ScopedWell } from '../features/wells/scope.ts';

// The language module is large, and rarely needed here.
const loadBoundQuery = () => import('../features/query/bound-query.ts');

/** The maximum number of wells in an entry. */
const maxWells = 100;

type NotedWell = RunNote['wells'][number];

export interface RunDependencies {
  /** The selected wells of the tab. */
  readonly selectedWells: () => readonly ScopedWell[];
  /** The name of a listed well. */
  readonly nameOf: (assetId: AssetId) => string | undefined;
  readonly note: (run: Omit<RunNote, 'connection'>) => void;
}

/** Adds each finished run of a tab to the history, with the query and its wells at its start. */
export function recordRuns(
  { store, results, dataset, scopePath }: Pick<QueryTab, 'store' | 'results' | 'dataset' | 'scopePath'>,
  { selectedWells, nameOf, note }: RunDependencies,
): void {
  /** The wells that a query asks for: those it names, otherwise the selected ones. */
  function wellsOf(text: QuestionText): readonly NotedWell[] {
    const [conditions, path] = [conditionsOf(text), scopePath()];
    const scope = conditions === null || path === null ? null : readScope(conditions, path);
    if (scope?.kind === 'none') return [];
    if (scope?.kind !== 'ids') return selectedWells();
    return scope.ids.flatMap((id) => {
      const asset = assetId.safeParse(id);
      return asset.success ? [{ name: nameOf(asset.data) ?? String(id), assetId: asset.data }] : [];
    });
  }
  /** Notes a run. The list of many wells is cut; the query then names all of them. */
  function noteRun({ question, wells, ...run }: Omit<RunNote, 'connection'>): void {
    const stored = wells
      .slice(0, maxWells)
      .map(({ name, ...well }) => ({ name: name.slice(0, 300), ...well }));
    if (wells.length <= maxWells || !hasParameters(question)) note({ ...run, question, wells: stored });
    else
      void loadBoundQuery().then(({ withWellIds }) => {
        const ids = wells.map((well) => well.assetId);
        note({ ...run, question: withWellIds(question, ids), wells: stored });
      });
  }
  let pendingRun: Pick<RunNote, 'mode' | 'question' | 'wells'> | null = null;
  results.store.subscribe(({ answer }, before) => {
    if (answer === before.answer) return;
    if (answer.status === 'running') {
      const { text } = store.getState();
      const wells = wellsOf(text).map(({ name, assetId: asset }) => ({ name, assetId: asset }));
      pendingRun = { mode: text.mode, question: text, wells };
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
    if (answer.status === 'cancelled') noteRun({ ...about, outcome: 'cancelled' });
    else if (answer.status === 'loaded') {
      // Loading all records of the same query is not a new run.
      const { records, ms, isUnlimited } = answer.value;
      if (!isUnlimited) noteRun({ ...about, outcome: 'done', rows: records, ms });
    } else if (!answer.error.is('invalid_input')) {
      // Invalid queries are not sent.
      noteRun({ ...about, outcome: 'failed', code: answer.error.code });
    }
  });
}
