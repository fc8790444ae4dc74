import { createStore } from 'zustand/vanilla';
import type { Dataset } from '../../../shared/datasets/datasets.ts';
import { toAppError } from '../../../shared/errors/errors.ts';
import type { GrantedFile } from '../../../shared/files/files.ts';
import type { UploadTemplate } from '../../../shared/upload/templates.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import { idle, load, loading } from '../../state/loadable.ts';
import { corrected, type Correction } from './check/corrections.ts';
import { lookQueryOf } from './check/look-query.ts';
import type { FileOption } from './check/warning-fixes.ts';
import {
  chooseColumn,
  fillField,
  isAssetPath,
  joinColumns,
  noChoices,
  valueChoices,
  withNullText,
  withoutNullText,
  type ColumnChoice,
  type FieldSource,
  type MappingChoices,
} from './columns/mapping-choices.ts';
import { createMatching } from './columns/matching.ts';
import { columnTypes, withWellsBy } from './columns/fields.ts';
import { choicesFrom, createTemplates } from './columns/templates.ts';
import { createFileReading } from './file/file-reading.ts';
import type { ReadingChoices } from './file/reading-choices.ts';
import { createUploadRuns } from './job/upload-runs.ts';
import type { UploadDraft } from './kept-upload.ts';
import type { Step } from './steps.ts';
import {
  firstState,
  noMatch,
  noRun,
  type Existing,
  type UploadNeeds,
  type UploadSubject,
  type UploadTabState,
} from './upload-state.ts';
import { createWellNames, settleName } from './wells/well-names.ts';
import { wellQuestion, withFileWells, withOneWell } from './wells/well-question.ts';
import { createWellZone } from './wells/well-zone.ts';

const isReady = (state: UploadTabState): boolean => state.match.value?.ready === true && !wellQuestion(state);

/** One upload, from a file to its ledger. */
export function createUploadTab(needs: UploadNeeds, subject: UploadSubject) {
  const { api, connection } = needs;
  const store = createStore<UploadTabState>()(() => firstState(subject));
  const { getState, setState } = store;
  const reading = createFileReading(store, needs);
  const matching = createMatching(store, needs);
  const wellNames = createWellNames(store, needs, matching.mapping);
  const followZone = createWellZone(store, needs);
  const runs = createUploadRuns(store, needs, matching.mapping);
  const templates = createTemplates(store, needs, matching.chosenMapping);
  const counting = createLatestTask();
  let restoring: Promise<boolean> = Promise.resolve(false);

  /** Works out what the choices come to, and fetches what depends on it. */
  async function match(): Promise<void> {
    if (!(await matching.match())) return;
    forgetExisting();
    void findWells();
    void reading.reread();
    void enterCheck();
  }

  /** Resolves once the wells that the file names, and their zone, are known. */
  async function findWells(): Promise<void> {
    await wellNames.follow();
    if (await followZone()) void match();
  }

  /** Checks all rows where the step is shown and nothing was checked yet. */
  async function enterCheck(): Promise<void> {
    const { step, check, send, queued } = getState();
    const isDue = step === 'check' && check.status === 'none' && send.status === 'none' && !queued;
    if (isDue && isReady(getState())) await runs.start('check');
  }

  /** Takes over choices, if there are any. What a trial has shown held for those before. */
  function change(choices: MappingChoices | null): void {
    if (!choices) return;
    setState({ choices, check: noRun });
    void match();
  }

  /** Takes over choices for values: without a dataset nothing is matched that would read the file again. */
  function changeValues(choices: MappingChoices): void {
    change(choices);
    if (!getState().dataset) void reading.reread();
  }

  /** Shows how the file begins, reads all of it, and matches its columns. */
  async function look(): Promise<void> {
    if (getState().file.status !== 'granted') return;
    matching.forget();
    wellNames.forget();
    if (!(await reading.read())) return;
    await templates.restoreOrigin();
    await match();
  }

  /** Takes a file that main knows already. */
  function accept(file: GrantedFile): Promise<void> {
    reading.begin({ status: 'granted', file });
    return look();
  }

  function forgetExisting(): void {
    counting.drop();
    if (getState().existingRecords !== idle) setState({ existingRecords: idle });
  }

  async function restoreDraft(draft: UploadDraft): Promise<boolean> {
    const { file, isMatched, queuedAfter: _, ...chosen } = draft;
    setState({ ...chosen, file: { status: 'granted', file }, preview: loading });
    try {
      if (!(await api.files.find({ token: file.token }))) {
        setState({ file: { status: 'gone', file }, preview: idle });
        return false;
      }
      if (isMatched) matching.keepCleared();
      await reading.read();
      await match();
      await findWells();
    } catch (error) {
      setState({ file: { status: 'failed', name: file.name, error: toAppError(error) }, preview: idle });
      return false;
    }
    // Rows in the queue go as they were looked at: their times must not mean others.
    return getState().wellZone?.zone === draft.wellZone?.zone && isReady(getState());
  }

  const goToColumn = (column: string | null) => setState({ step: 'columns', pointedAt: column });
  const goToOption = (pointedOption: FileOption) => setState({ step: 'file', pointedOption });
  const placeOf = (column: string) =>
    getState().match.value?.columns.find((each) => each.column === column)?.to ?? null;

  const actions = {
    accept,
    /** Takes a file of the page's own: dropped, or picked where the host has no dialog. */
    async take(file: File) {
      const granted = await reading.take(file);
      if (granted) await accept(granted);
    },
    /** Asks by the system's dialog; gives the further files that were chosen. */
    async choose(): Promise<readonly GrantedFile[]> {
      const [first, ...more] = await reading.choose();
      if (first) void accept(first);
      return more;
    },
    async read(choices: ReadingChoices) {
      // Another header is another set of columns: what was said of the old ones means nothing for them.
      setState({ reading: choices, choices: { ...noChoices, ...valueChoices(getState().choices) } });
      await look();
    },
    readAgain: look,
    cancelReading: reading.cancel,
    showLine: reading.showLine,
    leaveLine: reading.leaveLine,
    into(dataset: Dataset) {
      const { choices, dataset: before } = getState();
      // Another type has other fields: a value for all rows would go along unseen.
      const isOther = before !== null && before.type !== dataset.type;
      if (isOther) matching.fillInAgain();
      setState({ dataset, match: noMatch });
      change(isOther ? { ...choices, constants: {} } : choices);
    },
    mapColumn(column: string, choice: ColumnChoice | null) {
      const namesWells = choice && !choice.skip && isAssetPath(choice.to);
      const { choices: now } = getState();
      const choices = chooseColumn(namesWells ? { ...now, usesFileWells: true } : now, column, choice);
      change(withWellsBy(choices, column, columnTypes(getState())));
    },
    /** Appends further columns to a column that has a place; none: it stands alone again. */
    joinColumn(column: string, join: readonly string[]) {
      const to = placeOf(column);
      if (to !== null) change(joinColumns(getState().choices, column, to, join));
    },
    fill(path: string, source: FieldSource) {
      const {
        choices,
        match: { value },
      } = getState();
      const filledBy = value?.fields.find((field) => field.path === path)?.columns ?? [];
      // Who says which column gives the wells means the wells that it names.
      const named = isAssetPath(path) ? { ...choices, usesFileWells: source.from === 'column' } : choices;
      const filled = fillField(named, path, filledBy, source);
      change(source.from === 'column' ? withWellsBy(filled, source.column, columnTypes(getState())) : filled);
    },
    nameNulls: (nulls: string) => changeValues({ ...getState().choices, nulls }),
    takeAsNull: (text: string) => changeValues(withNullText(getState().choices, text)),
    keepAsText: (text: string) => changeValues(withoutNullText(getState().choices, text)),
    /** @param exceptionShare under which share of values, from 0 to 1, exceptions don't change a column's type */
    allowExceptions: (exceptionShare: number) => changeValues({ ...getState().choices, exceptionShare }),
    /** Reads a column of numbers as codes of so many digits, with the zeros before them. */
    restoreZeros(column: string, digits: number) {
      const to = placeOf(column);
      if (to !== null) change(chooseColumn(getState().choices, column, { to, type: 'string', digits }));
    },
    /** What a name of a well in the file stands for; null: what the platform says. */
    settleWell: (column: string, name: string, assetId: number | null) =>
      change(settleName(getState().choices, column, name, assetId)),
    /** Settles which wells are meant: those that the file names. */
    selectFileWells: () => change(withFileWells(getState())),
    /** Settles which wells are meant: one for all rows, whatever the file names. */
    selectOneWell: () => change(withOneWell(getState())),
    lookForWells: wellNames.look,
    cancelWells: wellNames.cancel,
    loadTemplates: templates.load,
    keepTemplate: templates.keep,
    renameTemplate: templates.rename,
    removeTemplate: templates.remove,
    applyTemplate: ({ mapping }: UploadTemplate) => change(choicesFrom(mapping, getState().choices)),
    /** Corrects what a check has found, and checks again; what is corrected elsewhere is gone to. */
    async correct(correction: Correction, text?: string) {
      const choices = corrected(getState().choices, correction, text);
      if (!choices && correction.how === 'option') return goToOption(correction.option);
      if (!choices) return goToColumn('column' in correction ? correction.column : null);
      change(choices);
      await runs.start('check');
    },
    /** Counts the records in the dataset where the rows belong. @param again also where they were counted */
    async countExisting(again: boolean) {
      const { dataset, existingRecords: counted } = getState();
      if (!again && counted.status !== 'idle') return;
      const look = lookQueryOf(getState());
      if (!dataset || !look) return;
      const request = { connection, provider: dataset.provider, dataset: dataset.dataset, query: look.query };
      setState({ existingRecords: loading });
      await load(
        counting,
        async (signal) => (await api.query.count(request, { signal })).count,
        (existingRecords) => setState({ existingRecords }),
      );
    },
    cancelCounting: counting.cancel,
    treatExisting(existing: Existing) {
      setState({ existing, check: noRun });
      void enterCheck();
    },
    /** Takes over what was chosen for another file; whether this one could be sent with it. */
    async adopt({ dataset, choices, existing }: Pick<UploadTabState, 'dataset' | 'choices' | 'existing'>) {
      setState({ dataset, choices, existing });
      matching.forget();
      await match();
      await wellNames.follow();
      // It waits its turn: nothing is checked before.
      if (isReady(getState())) setState({ step: 'check', queued: true });
      return isReady(getState());
    },
    /** Has it wait its turn, or not any more. @param after the job that goes before it, once that has begun */
    queue: (queued: boolean, after: string | null = null) => setState({ queued, queuedAfter: after }),
    /** Takes up what was begun before the page was loaded again. */
    async restore(draft: UploadDraft) {
      restoring = restoreDraft(draft);
      await restoring;
    },
    /** Resolves once what was restored is read and matched, with whether it can be sent as it was queued. */
    whenRestored: () => restoring,
    go: (step: Step) => setState({ step }),
    /** Goes to where it is said how a column is read; null: where it is said of all. */
    goToColumn,
    goToOption,
    /** What was gone to is in view. */
    arrive: () => setState({ pointedAt: null, pointedOption: null }),
    enterCheck,
    /** Reads and converts every row, and compares it with what is stored; nothing is sent. */
    check: () => runs.start('check'),
    send: () => runs.start('send'),
    cancelStart: runs.cancelStart,
    /** Ends what runs in the tab itself; its jobs go on. */
    close() {
      setState({ queued: false, queuedAfter: null });
      runs.drop();
      reading.drop();
      matching.forget();
      wellNames.forget();
      forgetExisting();
      reading.leaveLine();
    },
  };
  return { store, actions, connection, mapping: matching.mapping };
}

export type UploadTab = ReturnType<typeof createUploadTab>;

declare module '../../state/contexts.ts' {
  interface TabParts {
    readonly upload: UploadTab;
  }
}
