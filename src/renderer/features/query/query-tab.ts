import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppError } from '../../../shared/errors/errors.ts';
import {
  type Dataset,
  type ScopeField,
  type DatasetType,
  scopeFieldOf,
} from '../../../shared/datasets/datasets.ts';
import type { DatasetField } from '../../../shared/datasets/fields.ts';
import { stringifyJson, type JsonValue } from '../../../shared/json.ts';
import type { ParameterValues } from '../../../shared/language/parameters.ts';
import { nameOf, startingQuery } from '../../../shared/language/scope.ts';
import {
  serviceRequest,
  type FindTarget,
  type DescribedRequest,
  type RecordsRequest,
  type ServiceRequest,
} from '../../../shared/query/query.ts';
import type { SummaryParts } from '../../../shared/language/text/summary.ts';
import type { QuestionMode, QuestionText } from '../../../shared/query/question.ts';
import type { Api } from '../../api/api.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import { idle, load, loading, type Loadable } from '../../state/loadable.ts';
import type { Problems } from '../../state/problems.ts';
import { createEditorTexts } from '../../ui/editor/index.ts';
import {
  createResults,
  parseSort,
  sentConditions,
  type Results,
  type RunOutcome,
  type ResultsDependencies,
  type RunningQuery,
} from '../results/results.ts';
import type { SortDirection } from '../results/grid-columns.ts';
import { createViewCall } from '../../state/view-call.ts';
import { type ScopedWell, companiesOf } from '../../../shared/wells/wells.ts';
import {
  canCount,
  countRequest,
  defaultLimit,
  hasParameters,
  questionProblems,
  requestOf,
  type ResultExport,
  type QuestionField,
} from './query-request.ts';
import { countKey, runKey } from './question-keys.ts';
import { conditionsOf, conditionsOfStages, replaceConditions } from '../datasets/conditions.ts';
import type { FieldValues } from './filters/find-values.ts';
import type { QuickFilter } from './filters/filter-values.ts';
import type { Filter } from '../../../shared/language/text/filters.ts';
import type { RecipeChoices } from './recipes/recipes.ts';
import type { StartedRecipe } from './recipes/start-recipe.ts';
import { withoutAggregate, convertMode, serviceMode } from './convert-mode.ts';
import { readScope, rangeFieldOf } from '../../../shared/language/text/conditions.ts';
import { words } from '../../words/words.ts';
import { createStageCards } from './stages/stage-cards.ts';
import type { Settings } from '../../../shared/settings/settings.ts';
import { serviceNow } from '../records/request.ts';

/** What a summary begins with, until it is written. */
export interface SummaryStart {
  /** The conditions of its records. */
  readonly match: string;
  /** What it computes; null: what it does so far, or the usual. */
  readonly parts: SummaryParts | null;
}

function createTextActions(store: StoreApi<QueryTabState>) {
  return {
    /** Sets an input of a mode. */
    type<M extends QuestionMode>(mode: M, typed: Partial<QuestionText[M]>): void {
      const fine = Object.fromEntries(Object.keys(typed).map((field) => [field, undefined]));
      store.setState(({ text, problems }) => ({
        text: { ...text, [mode]: { ...text[mode], ...typed } },
        problems: { ...problems, ...fine },
      }));
    },
    /** Each mode keeps its own text. */
    switchTo(mode: QuestionMode): void {
      store.setState(({ text }) => ({ text: { ...text, mode }, problems: {}, previousMode: text.mode }));
    },
    /** The values of `{{ask:…}}` parameters. */
    answer: (name: string, value: string): void =>
      store.setState(({ text }) => ({ text: { ...text, answers: { ...text.answers, [name]: value } } })),
    set: (options: Partial<Pick<QuestionText, 'timeout' | 'countFirst'>>): void =>
      store.setState(({ text }) => ({ text: { ...text, ...options } })),
    /**
     * Changes the conditions of the current mode; null from `write` leaves them.
     * @returns whether there was a place for the change
     */
    change(write: (conditions: string) => string | null): boolean {
      const conditions = conditionsOf(store.getState().text);
      const changed = conditions === null ? null : write(conditions);
      if (changed !== null)
        store.setState(({ text }) => ({ text: replaceConditions(text, changed), problems: {} }));
      return changed !== null;
    },
    /** Writes the summary that was started. */
    beginSummary(stages: string): void {
      store.setState(({ text }) => ({
        text: { ...text, pipeline: { ...text.pipeline, stages } },
        summaryStart: null,
      }));
    },
  };
}

/** What a mode takes over from the mode before it. @param fill the initial query for the current knowledge */
function createConversion(store: StoreApi<QueryTabState>, fill: () => QuestionText) {
  /** The previous mode's query in this mode; null: one of the modes doesn't convert. `converted` null: it can't be read. */
  function offered() {
    const { text, previousMode } = store.getState();
    const [from, to] = [serviceMode(previousMode), serviceMode(text.mode)];
    if (!from || !to || from === to) return null;
    return { from, to, converted: convertMode(text, from, to, fill().find) };
  }
  return {
    offeredConversion: offered,
    /** Replaces this mode's text with the previous mode's query. */
    convertPrevious(): void {
      const converted = offered()?.converted;
      if (converted) store.setState({ text: converted.text, previousMode: null, problems: {} });
    },
    dismissConversion: (): void => store.setState({ previousMode: null }),
  };
}

/**
 * The query of a tab before anybody changes it.
 * @param fill the initial query for the current knowledge
 * @param first the initial query of the tab; null: a restored text
 */
function createInitialQuery(
  store: StoreApi<QueryTabState>,
  fill: () => QuestionText,
  first: QuestionText | null,
) {
  let filled = first;
  const textNow = () => store.getState().text;
  return {
    initialFind: (): QuestionText['find'] => fill().find,
    isPipelineUnchanged: (): boolean =>
      [fill().pipeline.stages, filled?.pipeline.stages].includes(textNow().pipeline.stages),
    /** Replaces the initial query by one for the current knowledge and wells, unless the user changed it. */
    refill(): void {
      const next = fill();
      if (textNow() !== filled || JSON.stringify(next) === JSON.stringify(filled)) return;
      filled = next;
      store.setState({ text: next });
    },
    isUnchanged: (): boolean => textNow() === filled,
  };
}

export type QueryDefaults = Pick<Settings, 'limit' | 'countFirst'>;

/**
 * The initial query for a dataset: limited to the selected wells. A find is newest first; a pipeline counts the records
 * of each well.
 * @param field the field that scopes the records; null: none; undefined: the type's default
 */
export function initialQuery(
  type: DatasetType | null,
  wells: readonly ScopedWell[],
  field: ScopeField | null | undefined,
  { limit, countFirst }: QueryDefaults,
): QuestionText {
  const wellValues = field === undefined ? undefined : { field, companies: companiesOf(wells) };
  const { query, sort } = startingQuery(type, wells.length > 0, wellValues);
  const scope = field ?? scopeFieldOf(type);
  return {
    mode: 'find',
    find: { query, sort, limit: String(limit), fields: '', skip: '0' },
    // What is grouped has no sort and no limit that nobody set: a limit would apply before grouping.
    aggregate: { match: query, sort: '', limit: '', skip: '0', group: '', project: '' },
    pipeline: {
      stages: `[\n  { $match: ${query.replaceAll('\n', '\n  ')} },\n  { $group: { _id: "$${scope}", records: { $sum: 1 } } },\n]\n`,
      view: 'text',
    },
    sql: { statement: '' },
    answers: {},
    timeout: '',
    countFirst,
  };
}

type CountState = Exclude<Loadable<{ count: number; ms: number }>, { status: 'loading' }> | RunningQuery;

export interface QueryTabState {
  /** The query's text, as stored with the tab. */
  readonly text: QuestionText;
  /** Problems of the current mode. */
  readonly problems: Problems<QuestionField>;
  readonly count: CountState;
  /** The keys of the last counted and the last run query; null: none yet. */
  readonly lastKeys: { readonly counted: string | null; readonly run: string | null };
  /** The previous mode, whose query can be converted; null: none. */
  readonly previousMode: QuestionMode | null;
  /** What a summary begins with, until its fields are read, or it may replace a pipeline; null: nothing. */
  readonly summaryStart: SummaryStart | null;
  /** The export form that is open: of a result, or of the query as typed. Null: none. */
  readonly exporting: { readonly result: ResultExport | null } | null;
  readonly recipeReading: Loadable<StartedRecipe | null>;
  /** A filter by what the rig does that may lack states, because some couldn't be read; null: none. */
  readonly incompleteFilter: Filter | null;
  /** What the form of recipes begins with; null: it is closed. */
  readonly recipeChoices: RecipeChoices | null;
  /** Whether the editor, or the bar in its place, takes the focus on first render. */
  readonly focusesEditor: boolean;
  /** Whether a folded text is shown because of a problem in it, until the user folds it. */
  readonly revealsText: boolean;
}

const initialState: Omit<QueryTabState, 'text'> = {
  problems: {},
  count: idle,
  lastKeys: { counted: null, run: null },
  previousMode: null,
  summaryStart: null,
  exporting: null,
  recipeReading: idle,
  incompleteFilter: null,
  recipeChoices: null,
  focusesEditor: false,
  revealsText: false,
};

interface QueryTabDependencies extends ResultsDependencies {
  readonly api: { readonly query: Pick<Api['query'], 'count' | 'describe' | 'now' | 'find' | 'pipeline'> };
  readonly defaults: () => QueryDefaults;
  readonly values: () => Omit<ParameterValues, 'answers'>;
  /** @throws AppError */
  readonly fields: () => Promise<readonly DatasetField[]>;
  /** Starts the record of a run, of which all but that of the opening are the user's. */
  readonly beginHistoryEntry: (tab: RecordedQuery, isOpening: boolean) => (outcome: RunOutcome) => void;
}

/** A query as records of its runs need it. */
export interface RecordedQuery {
  readonly text: QuestionText;
  readonly dataset: Dataset;
  readonly scopePath: () => string | null;
}

export interface QuerySubject {
  readonly connection: string;
  readonly dataset: Dataset;
  /** The wells of the tab: those that are selected while it is shown. */
  readonly wells: () => readonly ScopedWell[];
  readonly nameOfWell: (id: number) => string | undefined;
  readonly selectWells: (wells: readonly ScopedWell[]) => void;
  /** How records belong to wells, as far as known; it may be learned later. */
  readonly scope: () => ScopeField | null | undefined;
  /** The text of a restored tab; absent: the initial query. */
  readonly text?: QuestionText | undefined;
  /** Distinguishes it from other queries of its dataset. */
  readonly number: number;
}

interface TypedQuery {
  readonly text: QuestionText;
  readonly values: ReturnType<QueryTabDependencies['values']>;
}

interface TabParts {
  readonly dependencies: QueryTabDependencies;
  readonly dataset: Dataset;
  readonly target: FindTarget;
  readonly store: StoreApi<QueryTabState>;
  readonly results: Results;
  /** The path by which records belong to wells; null: they don't, as far as known. */
  readonly scopePath: () => string | null;
}

/** The runs and counts of a query: what they send, and which of them the result in view is of. */
class QueryRuns {
  readonly #tab: TabParts;
  readonly #countTask = createLatestTask();
  readonly focusAnswer = createViewCall<string>();
  /** The last run, for copies of its request. */
  #last: TypedQuery | null = null;
  /** The run whose result is in view. */
  #shown: TypedQuery | null = null;

  constructor(tab: TabParts) {
    this.#tab = tab;
  }

  get #typed(): TypedQuery {
    return { text: this.#tab.store.getState().text, values: this.#tab.dependencies.values() };
  }

  /** The conditions of the find in view, as sent, if others are typed by now; null: they aren't. */
  get otherConditions(): string | null {
    const isTyped = this.#shown && countKey(this.#shown) === countKey(this.#typed);
    return isTyped ? null : sentConditions(this.#tab.results);
  }

  /** A query with parameters replaced. @throws AppError invalid_input */
  async bound(text = this.#typed.text, values?: TypedQuery['values']): Promise<QuestionText> {
    if (!hasParameters(text)) return text;
    const current = values ?? (await this.#atServiceTime({ ...this.#typed, text })).values;
    // The language module is large, and most queries have no parameter.
    const { bindQuestion } = await import('./bound-query.ts');
    return bindQuestion(text, current);
  }

  /** Stages with the parameters of the query replaced. @throws AppError invalid_input */
  async boundStages(stages: string): Promise<string> {
    const pipeline = { view: 'text', stages } as const;
    return (await this.bound({ ...this.#typed.text, mode: 'pipeline', pipeline })).pipeline.stages;
  }

  /** The query with the service's time as the current one; this computer's if there is no answer. */
  async #atServiceTime(typed: TypedQuery): Promise<TypedQuery> {
    if (!hasParameters(typed.text)) return typed;
    const { target, dependencies } = this.#tab;
    const localNow = () => typed.values.now;
    const now = await serviceNow(dependencies.api.query, target.connection, target, localNow);
    return { ...typed, values: { ...typed.values, now } };
  }

  #setLast(run: TypedQuery): void {
    this.#last = run;
    this.#tab.store.setState(({ lastKeys }) => ({ lastKeys: { ...lastKeys, run: runKey(run) } }));
  }

  #showProblems(error: AppError): void {
    const problems = questionProblems(error);
    const hasProblems = Object.keys(problems).length > 0;
    this.#tab.store.setState({ problems, ...(hasProblems ? { revealsText: true } : {}) });
  }

  /** @returns whether the run that follows may start */
  async count(): Promise<boolean> {
    const { store, dependencies, target } = this.#tab;
    if (!canCount(store.getState().text)) return true;
    store.setState(({ lastKeys }) => ({
      count: { status: 'running', since: dependencies.now() },
      lastKeys: { ...lastKeys, counted: countKey(this.#typed) },
      problems: {},
    }));
    const call = async (signal: AbortSignal) =>
      dependencies.api.query.count(countRequest(target, await this.bound()), { signal });
    const counted = await load(this.#countTask, call, (part) => {
      if (part.status === 'loading') return;
      store.setState({ count: part });
      if (part.status === 'failed') this.#showProblems(part.error);
    });
    return counted !== null;
  }

  async run(isOpening: boolean): Promise<void> {
    this.#tab.store.setState({ problems: {} });
    const typed = this.#typed;
    if (typed.text.countFirst && !(await this.count())) return;
    await this.#send(typed, { isOpening, isRepeat: false });
  }

  /** How the last run is sorted by a field. */
  readonly sortOf = (path: string): SortDirection | undefined =>
    parseSort(this.#last?.text.find.sort ?? '').get(path);

  /** Runs the find of the result with another sort, as of its time. */
  async repeatSorted(sort: string): Promise<void> {
    const { text, values } = this.#shown ?? this.#typed;
    const typed = { text: { ...text, find: { ...text.find, sort } }, values };
    await this.#send(typed, { isOpening: false, isRepeat: true });
  }

  /** @param options `isRepeat`: whether it has the time of an earlier run */
  async #send(
    typed: TypedQuery,
    { isOpening, isRepeat }: { readonly isOpening: boolean; readonly isRepeat: boolean },
  ): Promise<void> {
    const { store, dependencies, dataset, target, results, scopePath } = this.#tab;
    store.setState({ problems: {} });
    this.#setLast(typed);
    const { text } = typed;
    const endHistoryEntry = dependencies.beginHistoryEntry({ text, dataset, scopePath }, isOpening);
    let timed = typed;
    const outcome = await results.actions.run(async () => {
      if (!isRepeat) timed = await this.#atServiceTime(typed);
      if (this.#last === typed) this.#setLast(timed);
      return requestOf(target, await this.bound(text, timed.values));
    });
    if (outcome.status === 'loaded') this.#shown = timed;
    // The result in view is that of an earlier run: what loads more of it must say so.
    else if (results.store.getState().lastResult && this.#shown && this.#last === timed)
      this.#setLast(this.#shown);
    endHistoryEntry(outcome);
    if (outcome.status !== 'failed') return;
    this.#showProblems(outcome.error);
    await this.#focusMissing();
  }

  /** Focuses the field of the first parameter without a value. */
  async #focusMissing(): Promise<void> {
    const { text } = this.#typed;
    if (!hasParameters(text)) return;
    const { unanswered } = await import('./bound-query.ts');
    const name = unanswered(text);
    if (name !== null) this.focusAnswer.call(name);
  }

  /** The request of the result, or of the query as typed, which is none of SQL. @throws AppError */
  async describe(sent: ServiceRequest | null, signal?: AbortSignal): Promise<DescribedRequest> {
    const request = sent ?? serviceRequest.parse(requestOf(this.#tab.target, await this.bound()));
    const run = (sent && this.#last) ?? this.#typed;
    const typed = hasParameters(run.text)
      ? (await import('./bound-query.ts')).typedQueryOf(run.text, run.values)
      : undefined;
    return this.#tab.dependencies.api.query.describe({ ...request, typed }, signal ? { signal } : {});
  }

  cancel(): void {
    this.#tab.results.actions.cancel();
    this.#countTask.cancel();
  }

  close(): void {
    this.#countTask.drop();
  }
}

function createScope({ dataset, scope, nameOfWell }: QuerySubject, text: () => QuestionText) {
  /** The path by which records belong to wells; null: they don't, as far as known. */
  function path(): string | null {
    const learnedScope = scope();
    const field = learnedScope === undefined ? scopeFieldOf(dataset.type) : learnedScope;
    // If records belong to companies, wells are not part of the conditions.
    return field?.endsWith('asset_id') ? field : null;
  }
  return {
    path,
    /** The wells that the query asks for, as far as its text names them. @param selected those of its tab */
    requestedWells(selected: readonly ScopedWell[]): readonly { readonly name: string }[] {
      const [conditions, field] = [conditionsOf(text()), path()];
      const textScope = conditions === null || field === null ? null : readScope(conditions, field);
      // A text is incomplete while it is typed, and a title that changes with each key distracts.
      const isIncomplete = textScope?.kind === 'odd' && textScope.why === 'unreadable';
      if (textScope?.kind === 'chosen' || (isIncomplete && /\{\{\s*wells\s*\}\}/i.test(conditions ?? '')))
        return selected;
      if (textScope?.kind !== 'ids') return [];
      return textScope.ids.map((id) => ({ name: nameOfWell(id) ?? words.wells.inRow.assetId(String(id)) }));
    },
  };
}

type TextActions = ReturnType<typeof createTextActions> & ReturnType<typeof createInitialQuery>;

function createQueryActions({ store, results, dependencies }: TabParts, runs: QueryRuns, texts: TextActions) {
  const textNow = () => store.getState().text;
  /** The result in view may be of a find while another mode is shown. */
  function showFind(): void {
    if (textNow().mode !== 'find') texts.switchTo('find');
  }
  function showExport(result: ResultExport | null): void {
    results.actions.maximize(false);
    store.setState({ exporting: { result } });
  }
  return {
    /**
     * Runs the find of the result again, sorted by a field. What was typed since stays, and isn't sent.
     * @param direction `other`: than that of the last run, even if its result isn't in view yet
     */
    sortBy(path: string, direction: SortDirection | 'other'): void {
      const isAscending =
        direction === 'other' ? runs.sortOf(path) !== 'ascending' : direction === 'ascending';
      const sort = `{ ${nameOf(path)}: ${isAscending ? 1 : -1} }`;
      texts.type('find', { sort });
      showFind();
      void runs.repeatSorted(sort);
    },
    /**
     * Adds a condition on a field to the find, and shows it.
     * @returns false: the text can't be read, nothing changed
     */
    async filterBy(path: string, value: JsonValue): Promise<boolean> {
      // Not needed for the first screen: there is a result by now.
      const { withCondition } = await import('../../../shared/language/text/conditions.ts');
      const { writeFilter } = await import('../../../shared/language/text/filters.ts');
      const { takesNulls } = await import('./filters/filter-values.ts');
      const fields = value === null ? await dependencies.fields().catch(() => []) : [];
      const field = fields.find((datasetField) => datasetField.path === path);
      const { query } = textNow().find;
      const narrowed =
        value === null
          ? writeFilter(query, { path, operator: 'hasNone', values: [] }, takesNulls('hasNone', field))
          : withCondition(query, path, stringifyJson(value));
      if (narrowed === null) return false;
      texts.type('find', { query: narrowed });
      showFind();
      return true;
    },
    /** Opens the export form for all records that match a result's find, regardless of the current text. */
    exportResult: (result: ResultExport): void => showExport(result),
    /** Opens or closes the export form, which is part of the query. */
    showExport: (isOpen: boolean): void => (isOpen ? showExport(null) : store.setState({ exporting: null })),
    focusEditor: (focusesEditor: boolean): void => store.setState({ focusesEditor }),
    /** Ends what a problem revealed. */
    collapseText: (): void => store.setState({ revealsText: false }),
    canCount: (): boolean => canCount(textNow()),
    /** Counts the matching records; does nothing for a pipeline and a statement, which have no count. */
    count: async (): Promise<void> => void (await runs.count()),
    /** @param options `isOpening`: whether its tab runs it because it was opened; default: false */
    run: async ({ isOpening = false } = {}): Promise<void> => runs.run(isOpening),
    cancel: (): void => runs.cancel(),
    /** The query as typed, with parameters replaced. @throws AppError invalid_input */
    bound: async (): Promise<QuestionText> => runs.bound(),
    /** The query of Find, whatever the mode, with parameters replaced. @throws AppError invalid_input */
    boundFind: async (): Promise<QuestionText['find']> =>
      (await runs.bound({ ...textNow(), mode: 'find' })).find,
    /** The request of the result, or of the query as typed, which is none of SQL. @throws AppError */
    describe: async (sent: ServiceRequest | null, signal?: AbortSignal): Promise<DescribedRequest> =>
      runs.describe(sent, signal),
  };
}

/** Summaries of the records of the result in view, or of those that match the conditions of the current mode. */
function createSummaryActions(
  { store, results, dataset, scopePath, dependencies }: TabParts,
  runs: QueryRuns,
  texts: TextActions,
) {
  function start(parts: SummaryParts | null): SummaryStart {
    const { text } = store.getState();
    const match = (parts && runs.otherConditions) ?? conditionsOf(text);
    const summaryStart = { match: match ?? conditionsOfStages(text.pipeline.stages) ?? '{}', parts };
    store.setState({
      text: { ...text, mode: 'pipeline', pipeline: { ...text.pipeline, view: 'summary' } },
      problems: {},
      previousMode: null,
      summaryStart,
    });
    return summaryStart;
  }
  return {
    /** @param parts what to compute, at once; null: that of the summary so far, or the usual */
    async summarize(parts: SummaryParts | null): Promise<void> {
      const started = start(parts);
      // The form shows the usual figures to change, and asks before it replaces a pipeline.
      if (parts === null) results.actions.maximize(false);
      // The language module is large, and rarely needed here.
      const { readSummary, writeSummary } = await import('../../../shared/language/text/summary.ts');
      const { startingSummary } = await import('./summary/summary-choices.ts');
      // The usual figures are of fields of the dataset; without, the form says so.
      const fields = parts === null ? await dependencies.fields().catch(() => []) : [];
      if (store.getState().summaryStart !== started) return;
      const summary = readSummary(store.getState().text.pipeline.stages);
      const isFree = summary !== null || texts.isPipelineUnchanged();
      if (!isFree) return results.actions.maximize(false);
      if (parts === null && fields.length === 0) return;
      const { match } = started;
      const subject = { type: dataset.type, wellPath: scopePath(), fields };
      const next = parts === null && summary ? { ...summary, match } : startingSummary(subject, match, parts);
      texts.beginSummary(writeSummary(next));
      if (parts) await runs.run(false);
    },
  };
}

/** Recipes for the records of the query, whose statements are shown and run in SQL. */
function createRecipeActions({ store, results }: TabParts, runs: QueryRuns, texts: TextActions) {
  const task = createLatestTask();
  return {
    showRecipe: (recipeChoices: RecipeChoices | null): void => store.setState({ recipeChoices }),
    /** Shows SQL, and runs the statement of a recipe, or opens its form if a choice is left. */
    async startRecipe(read: (signal: AbortSignal) => Promise<StartedRecipe | null>): Promise<void> {
      const isInSql = () => store.getState().text.mode === 'sql';
      if (!isInSql()) texts.switchTo('sql');
      results.actions.maximize(false);
      store.setState({ recipeReading: loading });
      const started = await load(task, read, (recipeReading) => store.setState({ recipeReading }));
      if (!started) return;
      const { choices: recipeChoices, statement } = started;
      if (statement === null) return store.setState({ recipeChoices });
      texts.type('sql', { statement });
      if (isInSql()) await runs.run(false);
    },
    dropRecipe: (): void => task.drop(),
  };
}

/** What forms ask the service beside the result. */
function createLookups(
  { store, dependencies, dataset, target, scopePath }: TabParts,
  runs: QueryRuns,
  texts: TextActions,
) {
  const { api } = dependencies;
  const stateTask = createLatestTask();
  const field = rangeFieldOf(dataset.type);
  async function findValuesBy(stages: string, signal: AbortSignal): Promise<FieldValues> {
    const { findValues } = await import('./filters/find-values.ts');
    return findValues(api.query, target, await runs.boundStages(stages), signal);
  }
  return {
    /**
     * The index value of the newest or deepest record that a sent query would match without its range; null: none.
     * @throws AppError
     */
    async findLatest(request: RecordsRequest, signal: AbortSignal): Promise<number | null> {
      const { findLatest } = await import('./latest/latest-record.ts');
      return field && findLatest(api.query.find, request, field, signal);
    },
    /** The most frequent texts of a field in the records that match the other conditions. @throws AppError */
    async findValues(path: string, signal: AbortSignal): Promise<FieldValues> {
      const { valuesStages } = await import('./filters/find-values.ts');
      return findValuesBy(valuesStages(conditionsOf(store.getState().text) ?? '{}', path), signal);
    },
    /**
     * Filters by what the rig does: at once by the states in sampled records, then by those in all times or depths of the
     * wells, and in the newest records of others, so that it stays right for another range and other wells.
     */
    async filterByStates(quickFilter: QuickFilter): Promise<void> {
      const { filter } = quickFilter;
      const { valuesStages, newestValuesStages } = await import('./filters/find-values.ts');
      const { withAllStates } = await import('./filters/filter-values.ts');
      const { hasFilter, removeFilter, writeFilter } =
        await import('../../../shared/language/text/filters.ts');
      const conditions = conditionsOf(store.getState().text) ?? '{}';
      if (!texts.change((query) => writeFilter(query, filter)) || filter.operator === 'above') return;
      const ofAll = (field && removeFilter(conditions, field.path)) ?? conditions;
      const ask = (signal: AbortSignal) =>
        Promise.allSettled(
          [valuesStages(ofAll, filter.path), newestValuesStages(filter.path)].map((stages) =>
            findValuesBy(stages, signal),
          ),
        );
      const onDone = (answers: Awaited<ReturnType<typeof ask>>) => {
        const read = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
        const all = withAllStates(
          quickFilter,
          read.flatMap(({ values }) => values.map(({ value }) => value)),
        );
        // What was changed meanwhile stays.
        const isWritten = texts.change((query) =>
          hasFilter(query, filter) ? writeFilter(query, all) : null,
        );
        const path = scopePath();
        const hasWells = path !== null && readScope(conditions, path).kind !== 'none';
        const needed = hasWells ? answers.slice(0, 1) : answers;
        const isIncomplete = needed.some(({ status }) => status === 'rejected');
        const isAgain = store.getState().incompleteFilter?.path === all.path;
        if (isWritten && (isIncomplete || isAgain))
          store.setState({ incompleteFilter: isIncomplete ? all : null });
      };
      await stateTask.run(ask, { onDone, onFailed: () => undefined });
    },
    dropStates: (): void => stateTask.drop(),
  };
}

export function createQueryTab(dependencies: QueryTabDependencies, subject: QuerySubject) {
  const { api, values } = dependencies;
  const { dataset, connection, number, wells, selectWells } = subject;
  const target: FindTarget = { connection, provider: dataset.provider, dataset: dataset.dataset };
  const results = createResults(dependencies, dataset);
  /** The texts with their undo history, in all modes and views. */
  const texts = createEditorTexts();
  const fill = () => initialQuery(dataset.type, wells(), subject.scope(), dependencies.defaults());
  const text = subject.text ? withoutAggregate(subject.text, fill().pipeline.stages, defaultLimit) : fill();
  const store = createStore<QueryTabState>()(() => ({ ...initialState, text }));
  const textNow = () => store.getState().text;
  const { path: scopePath, requestedWells } = createScope(subject, textNow);
  const parts = { dependencies, dataset, target, store, results, scopePath };
  const runs = new QueryRuns(parts);
  const textActions = {
    ...createTextActions(store),
    ...createInitialQuery(store, fill, subject.text ? null : text),
  };
  const cards = createStageCards({
    api,
    target,
    text: () => textNow().pipeline.stages,
    write: (stages) => textActions.type('pipeline', { stages }),
    bind: async (stages) => runs.boundStages(stages),
  });
  const actions = {
    ...textActions,
    ...createConversion(store, fill),
    ...createQueryActions(parts, runs, textActions),
    ...createSummaryActions(parts, runs, textActions),
    ...createRecipeActions(parts, runs, textActions),
    ...createLookups(parts, runs, textActions),
    /** Aborts all tasks and releases the records. */
    close(): void {
      runs.close();
      actions.dropRecipe();
      actions.dropStates();
      cards.actions.close();
      texts.close();
      results.actions.close();
    },
  };
  return {
    store,
    actions,
    target,
    dataset,
    number,
    results,
    cards,
    texts,
    values,
    wells,
    selectWells,
    scopePath,
    requestedWells,
    focusAnswer: runs.focusAnswer,
  };
}

export type QueryTab = ReturnType<typeof createQueryTab>;
