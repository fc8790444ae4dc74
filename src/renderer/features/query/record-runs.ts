import { pathId } from '../../../shared/column-paths.ts';
import { addressOf, type Dataset } from '../../../shared/datasets/datasets.ts';
import { datasetShapes } from '../../../shared/datasets/shapes.ts';
import type { RunNote } from '../../../shared/history/history.ts';
import { readScope } from '../../../shared/language/text/scope.ts';
import type { QuestionText } from '../../../shared/query/question.ts';
import { assetId, type AssetId } from '../../../shared/wells/well-ids.ts';
import { conditionsOf } from './conditions.ts';
import { hasParameters } from './query-request.ts';
import type { Session } from '../../contexts.ts';
import type { QueryStatus, Result } from '../results/results.ts';
import { listedWells } from '../wells/wells-state.ts';
import type { RecordedQuery } from './query-tab.ts';
import type { ScopedWell } from '../../../shared/wells/scope.ts';

// The language module is large, and rarely needed here.
const loadBoundQuery = () => import('./bound-query.ts');

/** The maximum number of wells in an entry. */
const maxWells = 100;

type NotedWell = RunNote['wells'][number];

/** When the newest records of wells are from, by the first rows of a result. */
export function recordTimesOf(
  { head }: Pick<Result, 'head'>,
  { type }: Pick<Dataset, 'type'>,
): (readonly [assetId: number, at: number])[] {
  const shape = type && datasetShapes[type];
  const columnOf = (id: string | null | undefined) => head.columns.find(({ path }) => pathId(path) === id);
  const [wells, times] = [columnOf(shape?.scopeField), columnOf(shape?.indexField)];
  if (!wells || times?.kind !== 'time') return [];
  const rows = Array.from(times.cells, (at, row) => [Number(wells.cells[row]), Number(at)] as const);
  return rows.filter(([assetId, at]) => Number.isInteger(assetId) && Number.isFinite(at));
}

/**
 * Records a run with the query and its wells at its start.
 * @param query as it is sent
 * @param tabWells the wells of the tab
 * @returns adds the run to the history, by its result
 */
export function startRecord(
  { wells: listing, history }: Pick<Session, 'wells' | 'history'>,
  { text, dataset, scopePath }: RecordedQuery,
  tabWells: readonly ScopedWell[],
): (answer: QueryStatus) => void {
  const nameOf = (id: AssetId) => listedWells(listing.store.getState()).well('assetId', id)?.name;
  const note = (run: Omit<RunNote, 'connection'>) => void history.actions.note(run);
  /** The wells that a query asks for: those it names, otherwise the selected ones. */
  function wellsOf(text: QuestionText): readonly NotedWell[] {
    const [conditions, path] = [conditionsOf(text), scopePath()];
    const scope = conditions === null || path === null ? null : readScope(conditions, path);
    if (scope?.kind === 'none') return [];
    if (scope?.kind !== 'ids') return tabWells;
    return scope.ids.flatMap((id) => {
      const asset = assetId.safeParse(id);
      return asset.success ? [{ name: nameOf(asset.data) ?? String(id), assetId: asset.data }] : [];
    });
  }
  /** Notes a run. The list of many wells is cut; the query then names all of them. */
  function noteRun({
    question,
    wells,
    ...run
  }: Omit<RunNote, 'connection' | 'wells'> & { readonly wells: readonly NotedWell[] }): void {
    const stored = wells
      .slice(0, maxWells)
      .map(({ name, assetId: id }) => ({ name: name.slice(0, 300), assetId: id }));
    if (wells.length <= maxWells || !hasParameters(question)) note({ ...run, question, wells: stored });
    else
      void loadBoundQuery().then(({ withWellIds }) => {
        const ids = wells.map((well) => well.assetId);
        note({ ...run, question: withWellIds(question, ids), wells: stored });
      });
  }
  const about = {
    ...addressOf(dataset),
    mode: text.mode,
    question: text,
    wells: wellsOf(text),
    rows: null,
    ms: null,
    code: null,
  };
  return (answer) => {
    if (answer.status === 'cancelled') noteRun({ ...about, outcome: 'cancelled' });
    else if (answer.status === 'loaded')
      noteRun({ ...about, outcome: 'done', rows: answer.value.records, ms: answer.value.ms });
    // Invalid queries are not sent.
    else if (answer.status === 'failed' && !answer.error.is('invalid_input'))
      noteRun({ ...about, outcome: 'failed', code: answer.error.code });
  };
}
