import { createStore } from 'zustand/vanilla';
import { isAssetPath, isSameAddress, type Dataset } from '../../../shared/datasets/datasets.ts';
import { toAppError, type AppError } from '../../../shared/errors/errors.ts';
import type { GrantedFile } from '../../../shared/files/files.ts';
import { matchesHeader, type UploadTemplate, isRejectColumn } from '../../../shared/upload/templates.ts';
import { words } from '../../words/words.ts';
import { idle, loading, load, type Loadable } from '../../state/loadable.ts';
import { createQualityRun } from '../quality/quality-run.ts';
import {
  type MappingChoices,
  noChoices,
  chooseColumn,
  chooseColumns,
  fillField,
  joinColumns,
  retargeted,
  withNullText,
  withoutNullText,
  type ColumnChoice,
  type FieldSource,
  takesDigits,
} from './columns/mapping-choices.ts';
import {
  hasMostColumns,
  headerOf,
  readingFor,
  tableOfFiles,
  type TableOfFiles,
  createTemplates,
  hasSameUnits,
  choicesForOtherFiles,
  choicesInUnits,
} from './columns/templates.ts';
import type { FormatOption, FormatOptions } from './file/format-options.ts';
import { createFixes } from './job/rejected-rows.ts';
import { queuedWell, queuedChoices } from './queue/queued-file.ts';
import {
  type UploadDraft,
  type Step,
  initialState,
  fileName,
  isMatchReady,
  isSent,
  jobOf,
  noMatch,
  noRun,
  type Existing,
  type UploadDependencies,
  type UploadSubject,
  type UploadTabState,
  isConverted,
  type UploadStore,
  type Run,
  emptyUpload,
  type Offer,
  targetKind,
} from './upload-state.ts';
import { UploadPlan, chosenMapping, uploadMapping, uploadSource } from './upload-plan.ts';
import { assignName, wellQuestion, withFileWells, withOneWell } from './wells/file-wells.ts';
import type { FilePreview } from '../../../shared/upload/preview.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import type { UploadRequest, Fold } from '../../../shared/upload/upload.ts';
import { withoutProposals, withWellMatch, suggestedChoice } from './columns/fields.ts';
import { mappingOfMatch, type FieldMatch } from '../../../shared/upload/proposals.ts';

const isReady = (state: UploadTabState): boolean => isMatchReady(state) && !wellQuestion(state);

/** An edited file leaves its queue, which sends files without another check. */
const noQueue = { isQueued: false, queuedAfter: null } as const;

const comparedParts = ['file', 'reading', 'dataset', 'choices', 'wellZone'] as const;

export function createUploadTab(dependencies: UploadDependencies, subject: UploadSubject) {
  const { api, connection } = dependencies;
  const store = createStore<UploadTabState>()(() => initialState(subject));
  const { getState, setState } = store;
  const reader = createFileReader(store, dependencies);
  const templates = createTemplates(store, dependencies, () =>
    chosenMapping({ ...getState(), choices: choicesForOtherFiles(getState().choices) }),
  );
  const runs = createUploadRuns(store, dependencies);
  const plan = new UploadPlan(store, dependencies, templates, () => void enterCheck());
  const comparison = createQualityRun(dependencies);
  // A comparison of another file, format, or mapping no longer shows what the upload would do.
  store.subscribe((now, before) => {
    if (comparedParts.some((part) => now[part] !== before[part])) comparison.reset();
  });
  const fixes = createFixes(api);
  let restoredDraft: UploadDraft | null = null;
  let restoration: Promise<boolean> = Promise.resolve(false);

  /** Starts a check if the step is shown and there was none. */
  async function enterCheck(): Promise<void> {
    const { step, check, isQueued } = getState();
    const shouldCheck = step === 'check' && check.status === 'none' && !isSent(getState()) && !isQueued;
    if (shouldCheck && isReady(getState())) await runs.check();
  }

  async function keepMapping(): Promise<void> {
    if (getState().send.status === 'started') await templates.keepLast();
  }

  function change(now: UploadTabState): Promise<void> {
    setState({ ...now, ...noQueue });
    return plan.update();
  }

  /** Sets new choices. A check of the previous ones no longer applies. */
  function setChoices(choices: MappingChoices | null): void {
    if (choices) void change({ ...getState(), choices, check: noRun });
  }

  function readFile(now: UploadTabState): Promise<void> {
    reader.leaveLine();
    setState({ ...now, ...noQueue });
    return plan.restart();
  }

  const accept = (file: GrantedFile): Promise<void> => readFile(withReading(withFile(getState(), file)));

  /** Reads the table of other files, if the file has it. @returns whether it is read now */
  async function readTable(table: TableOfFiles): Promise<boolean> {
    const reading = readingFor(getState(), table);
    if (reading) await readFile(withReading(getState(), reading));
    return matchesHeader(headerOf(getState()), table);
  }

  /**
   * Copies the choices of another file, if this one has the same table or most of its columns; its other columns are
   * matched by name. A selected table stays if it has that header. The well is that of this file.
   * @returns whether this file can be sent with them
   */
  async function copySettings(first: UploadTabState): Promise<boolean> {
    const table = tableOfFiles(first);
    const isTable = matchesHeader(headerOf(getState()), table) || (await readTable(table));
    if (!isTable && !hasMostColumns(first, getState())) return false;
    // Values in another unit would be converted like those of that file, and nobody would notice.
    if (!hasSameUnits(getState(), first)) return false;
    await plan.findOwnWell();
    if (queuedWell(first, getState()).from === 'missing') return false;
    await change(withQueuedChoices(getState(), first));
    const canSend = isReady(getState());
    // Queued uploads are checked when their turn comes.
    if (canSend) setState({ step: 'check', isQueued: true });
    return canSend;
  }

  async function restoreDraft(draft: UploadDraft): Promise<boolean> {
    const { file, queuedAfter: _, ...stored } = draft;
    // The choices are stored as they are until the file is read.
    setState({ ...stored, file: { status: 'ready', file }, preview: loading });
    try {
      if (!(await api.files.find({ token: file.token }))) {
        setState({ file: { status: 'missing', file, error: null }, preview: idle });
        return false;
      }
      await plan.restart();
      await plan.whenDone();
    } catch (error) {
      setState({ file: { status: 'missing', file, error: toAppError(error) }, preview: idle });
      return false;
    }
    // Queued rows were checked with this time zone: another one would change their times.
    return getState().wellZone?.zone === draft.wellZone?.zone && isReady(getState());
  }

  const actions = {
    accept,
    /** Adds a file of the page: dropped, or selected where the host has no dialog. */
    async addFile(file: File) {
      const granted = await reader.transfer(file);
      if (granted) await accept(granted);
    },
    async addSample() {
      const granted = await reader.takeSample();
      if (granted) await accept(granted);
    },
    /** Opens the system's dialog. @returns further selected files */
    async choose(): Promise<readonly GrantedFile[]> {
      const [first, ...more] = await reader.openDialog();
      if (first) void accept(first);
      return more;
    },
    read: (format: FormatOptions) => readFile(withFormat(getState(), format)),
    /** Cuts the lines at these positions, while they stay in view; undefined: as detected. */
    setColumnEdges(columnEdges: readonly number[] | undefined) {
      const { reading, preview } = getState();
      const { columnEdges: _, ...otherOptions } = reading;
      const format = columnEdges ? { ...otherOptions, columnEdges: [...columnEdges] } : otherOptions;
      return readFile({ ...withFormat(getState(), format), preview });
    },
    readAgain: () => readFile(withReading(getState())),
    cancelReading() {
      // The current file may still be read.
      if (!reader.cancel()) plan.cancelReading();
    },
    dismissNextFile: () => setState({ nextFile: null }),
    showLine: reader.showLine,
    leaveLine: reader.leaveLine,
    setDataset: (dataset: Dataset) => void change(withDataset(getState(), dataset)),
    confirmDataset: () => setState({ isDatasetAssumed: false }),
    ...createColumnActions({ getState, setChoices }),
    /** Assigns a well to a name in the file; null: the platform's match applies. */
    assignWell: (column: string, name: string, assetId: number | null) =>
      setChoices(assignName(getState().choices, column, name, assetId)),
    selectFileWells: () => setChoices(withFileWells(getState())),
    selectOneWell: () => setChoices(withOneWell(getState())),
    loadWells: () => plan.loadWells(),
    cancelWells: plan.cancelWells,
    findOwnWell: () => plan.findOwnWell(),
    undoEarlierMapping: () => void change(withoutEarlierMapping(getState())),
    loadTemplates: templates.load,
    saveTemplate: templates.save,
    renameTemplate: templates.rename,
    removeTemplate: templates.remove,
    /** Sets the choices of a template, of another table of the file where the template is for that. */
    async applyTemplate(listed: UploadTemplate) {
      const template = await templates.current(listed);
      if (await readTable(template)) void change(withTemplate(getState(), template, connection));
    },
    copySettings,
    countExisting: (again: boolean) => plan.countExisting(again),
    cancelCounting: plan.cancelCounting,
    setExistingMode(existing: Existing) {
      setState({ existing, check: noRun, ...noQueue });
      void enterCheck();
    },
    /** The name of its file, with the table of a file that has several. */
    title(): string {
      const { table } = tableOfFiles(getState());
      const name = fileName(getState()) ?? '';
      return table === undefined ? name : words.tableOf(name, table);
    },
    /** The job that sends it; null: none does. */
    job: () => jobOf(getState().send),
    /** @param after the job before it, once that started */
    setQueued: (isQueued: boolean, after: string | null = null) => setState({ isQueued, queuedAfter: after }),
    async restore(draft: UploadDraft) {
      restoredDraft = draft;
      restoration = restoreDraft(draft);
      await restoration;
    },
    /** Looks again for the file from before a reload. */
    async restoreAgain() {
      if (restoredDraft) await actions.restore(restoredDraft);
    },
    /** Resolves when the restored file is read and matched, with whether it can be sent as it was queued. */
    whenRestored: () => restoration,
    /** Opens a step; the Check step starts a check at once, so that no button is enabled for a moment. */
    goToStep(step: Step): Promise<void> {
      setState({ step });
      return enterCheck();
    },
    /** Opens the format of a column; null: the Columns step. */
    goToColumn: (column: string | null) => setState({ step: 'columns', focusedColumn: column }),
    goToOption: (focusedOption: FormatOption) => setState({ step: 'file', focusedOption }),
    clearFocus: () => setState({ focusedColumn: null, focusedOption: null }),
    togglePreview: () => setState(({ isPreviewShown }) => ({ isPreviewShown: !isPreviewShown })),
    /** Validates every row and compares it with existing records. Nothing is sent. */
    check: runs.check,
    send: (again?: boolean) => runs.send(again).then(keepMapping),
    resumeEarlier: runs.resumeEarlier,
    lookUpJob: (run: 'check' | 'send') => lookUpJob(store, run, dependencies.waitForJob),
    sendQueued: () => runs.sendQueued().then(keepMapping),
    cancelStart: runs.cancelStart,
    /** Stops the tab's own tasks. Its jobs continue. */
    close() {
      for (const part of [runs, reader, plan]) part.drop();
      setState({ ...noQueue, check: noRun });
      comparison.close();
      fixes.close();
    },
  };
  return { store, actions, connection, mapping: () => uploadMapping(getState()), comparison, fixes };
}

export type UploadTab = ReturnType<typeof createUploadTab>;

/** Lines shown before the requested one. */
const linesBefore = 5;

const hasLine = (rows: Loadable<FilePreview> | undefined, line: number): boolean =>
  rows?.status === 'loaded' && rows.value.rows.some((row) => row.line === line);

/** The encoding may come from the inspection of the whole file. */
const encodingOf = (inspection: UploadTabState['inspection']) =>
  inspection.status === 'loaded' && !isConverted(inspection.value)
    ? { encoding: inspection.value.encoding }
    : {};

export function createFileReader(store: UploadStore, { api, transferFile }: UploadDependencies) {
  const transferTask = createLatestTask();
  const lineTask = createLatestTask();

  const failFile = (name: string, error: AppError) =>
    store.setState({ nextFile: { status: 'failed', name, error } });

  async function orFail<T>(call: () => Promise<T>, failed: T): Promise<T> {
    try {
      return await call();
    } catch (error) {
      failFile('', toAppError(error));
      return failed;
    }
  }

  return {
    /** Transfers a file of the page to main; null: the transfer failed or was canceled. */
    async transfer(file: File): Promise<GrantedFile | null> {
      const nextFile = { status: 'transferring', name: file.name, bytes: file.size } as const;
      // A queue could send the current file after this one was selected.
      store.setState({ nextFile, ...noQueue });
      const transfer = (signal: AbortSignal) => transferFile(file, signal);
      return load(transferTask, transfer, (part) => {
        if (part.status === 'failed') failFile(file.name, part.error);
        if (part.status === 'idle') store.setState({ nextFile: null });
      });
    },
    /** The sample file; null: it isn't available, which the state says. */
    takeSample: () => orFail<GrantedFile | null>(() => api.files.sample({}), null),
    openDialog: () => orFail<readonly GrantedFile[]>(() => api.files.chooseSources({}), []),
    async showLine(line: number, column: string | null): Promise<void> {
      const { file, reading, inspection, preview: start, viewedLine } = store.getState();
      if (file.status !== 'ready') return;
      const show = (rows: Loadable<FilePreview>) =>
        store.setState({ viewedLine: rows.status === 'idle' ? null : { line, column, rows } });
      lineTask.drop();
      const shown = [viewedLine?.rows, start].find((rows) => hasLine(rows, line));
      if (shown) return show(shown);
      show(loading);
      const encoding = encodingOf(inspection);
      const { token: source } = file.file;
      const from = Math.max(line - linesBefore, 1);
      const request = { source, ...encoding, ...reading, from };
      await load(lineTask, (signal) => api.upload.preview(request, { signal }), show);
    },
    /** Shows the first rows again. */
    leaveLine() {
      lineTask.drop();
      store.setState({ viewedLine: null });
    },
    /** @returns whether the file that is to replace the current one was being transferred */
    cancel(): boolean {
      transferTask.cancel();
      return store.getState().nextFile?.status === 'transferring';
    },
    /** Aborts all tasks without changing the state. */
    drop() {
      for (const task of [transferTask, lineTask]) task.drop();
    },
  };
}

/** The jobs of an upload: the check of all rows, and the job that sends them. */
export function createUploadRuns(
  store: UploadStore,
  {
    api,
    connection,
    removeJob,
    resumeJob,
  }: Pick<UploadDependencies, 'api' | 'connection' | 'removeJob' | 'resumeJob'>,
) {
  // Separate tasks: starting to send must not drop a check that is starting.
  const startTasks = { check: createLatestTask(), send: createLatestTask() };
  // A finished check has no further use and would stay in the list of jobs.
  store.subscribe((now, before) => {
    const formerJob = jobOf(before.check);
    if (formerJob !== null && formerJob !== jobOf(now.check)) void removeJob(formerJob);
    // A check that started with earlier choices is aborted.
    if (before.check.status === 'starting' && now.check.status === 'none') startTasks.check.drop();
  });

  /** Starts the job of the choices, unless the file or the dataset is missing. */
  async function start(
    run: 'check' | 'send',
    how: Partial<Pick<UploadRequest, 'checked' | 'again' | 'dryRun'>> = {},
  ): Promise<void> {
    const source = uploadSource(store.getState());
    if (!source) return;
    const request = { connection, ...source, existing: store.getState().existing, ...how };
    const set = (now: Run, other: Partial<UploadTabState> = {}) => store.setState({ ...other, [run]: now });
    // A refusal to send was of what was checked before.
    const isRefused = run === 'check' && store.getState().send.status === 'failed';
    set({ status: 'starting' }, isRefused ? { send: noRun } : {});
    await startTasks[run].run((signal) => api.upload.start(request, { signal }), {
      onDone: ({ job }) => set({ status: 'started', job }, run === 'send' ? { check: noRun } : {}),
      // Of a file that changed, what was checked is no longer what would be sent.
      onFailed: (error) =>
        set(
          { status: 'failed', error },
          run === 'send' && error.is('upload_changed') ? { check: noRun } : {},
        ),
      onCanceled: () => set(noRun),
    });
  }

  return {
    check: () => start('check', { dryRun: true }),
    /**
     * Sends what was checked, once; nothing without a check.
     * @param again whether to send it although an earlier upload of the file can be resumed
     */
    async send(again = false): Promise<void> {
      const { check, send: run } = store.getState();
      if (check.status === 'started' && run.status !== 'starting')
        await start('send', { checked: check.job, again });
    },
    /** Resumes the earlier upload because of which this one was refused, and shows it here without this tab's columns. */
    async resumeEarlier(): Promise<void> {
      const { send: run } = store.getState();
      if (run.status !== 'failed' || !run.error.is('upload_repeated')) return;
      const { job, isRunning } = run.error.details;
      if (!isRunning) await resumeJob(job);
      store.setState({ send: { status: 'started', job }, check: noRun, match: noMatch });
    },
    /** Sends a file of a queue, which is matched with the mapping of a checked one. */
    sendQueued: () => start('send'),
    cancelStart: () => Object.values(startTasks).forEach((task) => task.cancel()),
    drop: () => Object.values(startTasks).forEach((task) => task.drop()),
  };
}

/** Looks up a job that the list doesn't have: it may be older than the listed ones, or discarded. */
async function lookUpJob(
  { getState, setState }: UploadStore,
  run: 'check' | 'send',
  waitForJob: UploadDependencies['waitForJob'],
): Promise<void> {
  const job = jobOf(getState()[run]);
  if (job === null || (await waitForJob(job)) !== 'discarded' || jobOf(getState()[run]) !== job) return;
  // Rows that were sent aren't sent again.
  setState(run === 'check' ? { check: noRun } : { send: { status: 'started', job, isDiscarded: true } });
}

interface ColumnActionsDependencies {
  readonly getState: () => UploadTabState;
  readonly setChoices: (choices: MappingChoices) => void;
}

/**
 * The choices that include or skip columns. Included ones that were skipped get what is proposed for them, else are
 * matched by name. Those that a file of rejected rows adds are included one at a time only.
 */
function withColumns(state: UploadTabState, columns: readonly string[], isIncluded: boolean): MappingChoices {
  const { choices, match } = state;
  // Skipped although nobody chose that, such as the names of wells of an export.
  const skippedByName = new Set(
    (match.value?.columns ?? []).flatMap(({ column, to, joinedTo }) =>
      to === null && joinedTo === null && !Object.hasOwn(choices.columns, column) ? [column] : [],
    ),
  );
  const chosen = columns.flatMap((column): (readonly [string, ColumnChoice | null])[] => {
    // A skipped column stays as it is: one that is only empty in this file isn't skipped in others.
    if (!isIncluded) return choices.columns[column]?.skip ? [] : [[column, { skip: true }]];
    const isSkippedByName = skippedByName.has(column) && (columns.length === 1 || !isRejectColumn(column));
    if (!choices.columns[column]?.skip && !isSkippedByName) return [];
    const proposal = suggestedChoice(state, column);
    if (proposal && !proposal.skip) return [[column, proposal]];
    const to = /^(?:meta)?data\./.test(column) ? column : `data.${column}`;
    return [[column, isSkippedByName ? { to } : null]];
  });
  return chooseColumns(choices, new Map(chosen));
}

function createColumnActions({ getState, setChoices }: ColumnActionsDependencies) {
  const targetOf = (column: string) =>
    getState().match.value?.columns.find((fieldMatch) => fieldMatch.column === column)?.to ?? null;

  const filledBy = (path: string): readonly string[] =>
    getState().match.value?.fields.find((field) => field.path === path)?.columns ?? [];

  const toOther = (column: string, to: string) => {
    const { choices, match } = getState();
    return retargeted(choices.columns[column], to, targetKind(match)(to));
  };

  function mapColumn(column: string, choice: ColumnChoice | null): void {
    const namesWells = choice && !choice.skip && isAssetPath(choice.to);
    const { choices: now } = getState();
    const chosen = choice ?? suggestedChoice(getState(), column);
    const choices = chooseColumn(namesWells ? { ...now, usesFileWells: true } : now, column, chosen);
    setChoices(withWellMatch(choices, column, getState().match));
  }

  function fill(path: string, source: FieldSource): void {
    const { choices, match } = getState();
    // Selecting the column of the wells means that the wells in the file apply.
    const namedChoices = isAssetPath(path)
      ? { ...choices, usesFileWells: source.from === 'column' }
      : choices;
    const filled = fillField(namedChoices, path, filledBy(path), source, targetKind(match)(path));
    setChoices(source.from === 'column' ? withWellMatch(filled, source.column, match) : filled);
  }

  return {
    mapColumn,
    /** Sets the target of a column, whose cells are read as before; null: the column is skipped; empty: no change. */
    setTarget(column: string, to: string | null) {
      if (to !== '') mapColumn(column, to === null ? { skip: true } : toOther(column, to));
    },
    /** Sends a column to a field that fits, with the conversion between their units; its cells are read as before. */
    selectMatch(column: string, match: FieldMatch) {
      mapColumn(column, { ...toOther(column, match.field), ...mappingOfMatch(match) });
    },
    includeColumns: (columns: readonly string[], isIncluded: boolean) =>
      setChoices(withColumns(getState(), columns, isIncluded)),
    /** Joins columns to a mapped column; empty: no join. */
    joinColumn(column: string, join: readonly string[]) {
      const to = targetOf(column);
      if (to !== null) setChoices(joinColumns(getState().choices, column, to, join));
    },
    fill,
    /** Changes the constant of a field: that of all rows, or of those where its columns are blank. */
    setConstant(path: string, text: string) {
      const { choices } = getState();
      if (filledBy(path).length === 0) fill(path, { from: 'constant', text });
      else setChoices({ ...choices, constants: { ...choices.constants, [path]: text } });
    },
    setNulls: (nulls: readonly string[]) => setChoices({ ...getState().choices, nulls }),
    treatAsNull: (text: string) => setChoices(withNullText(getState().choices, text)),
    keepAsText: (text: string) => setChoices(withoutNullText(getState().choices, text)),
    /** @param exceptionShare the share, from 0 to 1, below which exceptions don't change a column's type */
    allowExceptions: (exceptionShare: number) => setChoices({ ...getState().choices, exceptionShare }),
    /** Combines rows into records; null: each row is a record. */
    combineRows: (fold: Fold | null) => setChoices({ ...getState().choices, fold: fold ?? undefined }),
    /** Reads a column of numbers as codes with leading zeros. @param digits their length */
    restoreZeros(column: string, digits: number) {
      const to = targetOf(column);
      if (to === null || !takesDigits(targetKind(getState().match)(to))) return;
      setChoices(chooseColumn(getState().choices, column, { to, type: 'string', digits }));
    },
  };
}

// What a person changes in an upload: functions from state to state. Its plan is made again after each of them.

/**
 * The state with another file: the dataset stays, choices are reset. A file with the name of a missing one
 * keeps its choices, and what was offered for them isn't offered again.
 */
function withFile(current: UploadTabState, file: GrantedFile): UploadTabState {
  const { dataset, isDatasetAssumed, reading, choices, proposedNulls } = current;
  const { existing, offers, origin, selectedWell } = current;
  const isSame = current.file.status === 'missing' && current.file.file.name === file.name;
  return {
    ...emptyUpload,
    dataset,
    isDatasetAssumed,
    file: { status: 'ready', file },
    ...(isSame ? { reading, choices, proposedNulls, existing, offers, origin, selectedWell } : {}),
  };
}

/** What was offered without these: they are offered again. */
const offeredBefore = ({ offers }: UploadTabState, ...again: readonly Offer[]): readonly Offer[] =>
  offers.filter((offer) => !again.includes(offer));

/**
 * The state before its file is read again, possibly with another format: nothing is known about its columns yet.
 * What the user declined is offered again only with another format, which may show other columns.
 */
const withReading = (current: UploadTabState, reading = current.reading): UploadTabState => ({
  ...current,
  reading,
  preview: loading,
  // A line of the file as it was read before.
  viewedLine: null,
  inspection: idle,
  match: noMatch,
  proposals: idle,
  fittingDatasets: idle,
  wellNames: idle,
  fileWell: idle,
  offers:
    reading === current.reading ? current.offers : offeredBefore(current, 'origin', 'sources', 'fields'),
  check: noRun,
});

/** The state with another format that the user set: another header row means other columns, so their choices are reset. */
function withFormat(current: UploadTabState, reading: FormatOptions): UploadTabState {
  // How values are read applies to all columns.
  const { nulls, keepAsText, exceptionShare } = current.choices;
  return {
    ...withReading(current, reading),
    choices: { ...noChoices, nulls, keepAsText, exceptionShare },
    earlierMapping: null,
    unitDifferences: [],
    offers: offeredBefore(current, 'origin', 'mapping', 'sources', 'fields', 'well'),
  };
}

/** The state with another dataset. One of another type has other fields: a constant would be sent unseen. */
function withDataset(current: UploadTabState, dataset: Dataset): UploadTabState {
  const isOther = current.dataset !== null && current.dataset.type !== dataset.type;
  const isSame = current.dataset !== null && isSameAddress(current.dataset, dataset);
  // Inserting all rows, and records without a well, were decided for the records of that dataset.
  const forDataset = ({ withoutWell, ...others }: MappingChoices): MappingChoices =>
    isSame && withoutWell ? { ...others, withoutWell } : others;
  const choices = withoutProposals(forDataset(current.choices), current);
  const { earlierMapping } = current;
  return {
    ...current,
    dataset,
    isDatasetAssumed: false,
    match: noMatch,
    choices: isOther ? { ...choices, constants: {} } : choices,
    earlierMapping: earlierMapping && { ...earlierMapping, before: forDataset(earlierMapping.before) },
    existing: isSame ? current.existing : 'skip',
    offers: offeredBefore(current, 'fields', ...(isOther ? (['mapping', 'sources', 'well'] as const) : [])),
    check: noRun,
  };
}

/** The state with the choices of a template, in the units of this file. @param connection that of this file */
const withTemplate = (
  current: UploadTabState,
  template: UploadTemplate,
  connection: string,
): UploadTabState => ({
  ...current,
  ...choicesInUnits(template, current, connection),
  earlierMapping: { template: template.name, before: current.choices },
  check: noRun,
});

const withoutEarlierMapping = (current: UploadTabState): UploadTabState => ({
  ...current,
  choices: current.earlierMapping?.before ?? current.choices,
  earlierMapping: null,
  unitDifferences: [],
  // The file may name a well, which the mapping had.
  offers: offeredBefore(current, 'sources', 'fields', 'well'),
  check: noRun,
});

/** The state with the choices of the first file of a queue, and its own well. */
const withQueuedChoices = (current: UploadTabState, first: UploadTabState): UploadTabState => ({
  ...current,
  dataset: first.dataset,
  isDatasetAssumed: false,
  choices: queuedChoices(first, first.dataset ? withDataset(current, first.dataset) : current),
  existing: first.existing,
  earlierMapping: null,
  unitDifferences: [],
  match: noMatch,
  offers: [...offeredBefore(current, 'mapping', 'sources', 'fields'), 'mapping'],
  check: noRun,
});
