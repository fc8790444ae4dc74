import { createStore } from 'zustand/vanilla';
import type { Dataset } from '../../../shared/datasets/datasets.ts';
import { toAppError, type AppError } from '../../../shared/errors/errors.ts';
import type { GrantedFile } from '../../../shared/files/files.ts';
import { matchesHeader, type UploadTemplate } from '../../../shared/upload/templates.ts';
import { words } from '../../words/words.ts';
import { idle, loading, load, type Loadable } from '../../state/loadable.ts';
import { createQualityRun } from '../quality/quality-run.ts';
import { applyCorrection, type Correction } from './check/findings.ts';
import { createColumnActions } from './columns/column-actions.ts';
import type { MappingChoices } from './columns/mapping-choices.ts';
import {
  hasMostColumns,
  headerOf,
  readingFor,
  tableOfFiles,
  type TableOfFiles,
  createTemplates,
  hasSameUnits,
} from './columns/templates.ts';
import type { FormatOption, FormatOptions } from './file/format-options.ts';
import { createFixes } from './job/rejected-rows.ts';
import { queuedWell } from './queue/queued-file.ts';
import {
  offersOf,
  type UploadDraft,
  type Step,
  initialState,
  fileName,
  isMatchReady,
  jobOf,
  noMatch,
  noRun,
  type Existing,
  type UploadDependencies,
  type UploadSubject,
  type UploadTabState,
  isConverted,
  type UploadFile,
  type UploadStore,
  type Run,
} from './upload-state.ts';
import {
  withDataset,
  withFile,
  withFormat,
  withoutEarlierMapping,
  withQueuedChoices,
  withReading,
  withTemplate,
} from './upload-changes.ts';
import { UploadPlan, chosenMapping, uploadMapping, uploadSource } from './upload-plan.ts';
import { assignName, wellQuestion, withFileWells, withOneWell } from './wells/file-wells.ts';
import type { FilePreview } from '../../../shared/upload/preview.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import type { UploadRequest } from '../../../shared/upload/upload.ts';

const isReady = (state: UploadTabState): boolean => isMatchReady(state) && !wellQuestion(state);

/** An edited file leaves its queue, which sends files without another check. */
const noQueue = { isQueued: false, queuedAfter: null } as const;

const comparedParts = ['file', 'reading', 'dataset', 'choices', 'wellZone'] as const;

/** One upload, from a file to its ledger. */
export function createUploadTab(dependencies: UploadDependencies, subject: UploadSubject) {
  const { api, connection } = dependencies;
  const store = createStore<UploadTabState>()(() => initialState(subject));
  const { getState, setState } = store;
  const reader = createFileReader(store, dependencies);
  const templates = createTemplates(store, dependencies, () => chosenMapping(getState()));
  const runs = createUploadRuns(store, dependencies);
  const plan = new UploadPlan(store, dependencies, templates, () => void enterCheck());
  const comparison = createQualityRun(dependencies);
  // It shows what the upload would not do.
  store.subscribe((now, before) => {
    if (comparedParts.some((part) => now[part] !== before[part])) comparison.reset();
  });
  const fixes = createFixes(api);
  let restoredDraft: UploadDraft | null = null;
  let restoration: Promise<boolean> = Promise.resolve(false);

  /** Starts a check if the step is shown and there was none. */
  async function enterCheck(): Promise<void> {
    const { step, check, send, isQueued } = getState();
    const isSent = send.status === 'starting' || send.status === 'started';
    const shouldCheck = step === 'check' && check.status === 'none' && !isSent && !isQueued;
    if (shouldCheck && isReady(getState())) await runs.check();
  }

  /** Stores the mapping of an upload that started. */
  async function keepMapping(): Promise<void> {
    if (getState().send.status === 'started') await templates.keepLast();
  }

  /** Plans what follows from a change. */
  function change(now: UploadTabState): Promise<void> {
    setState({ ...now, ...noQueue });
    return plan.update();
  }

  /** Sets new choices. A check of the previous ones no longer applies. */
  function setChoices(choices: MappingChoices | null): void {
    if (choices) void change({ ...getState(), choices, check: noRun });
  }

  /** Reads the file, and plans again. */
  function readFile(now: UploadTabState): Promise<void> {
    reader.leaveLine();
    setState({ ...now, ...noQueue });
    return plan.restart();
  }

  const accept = (file: GrantedFile): Promise<void> =>
    readFile(withReading(withFile(getState(), { status: 'ready', file })));

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
    const { file, offers: _, isMatched: __, queuedAfter: ___, ...stored } = draft;
    // The choices are stored as they are until the file is read.
    setState({ ...stored, offers: offersOf(draft), file: { status: 'ready', file }, preview: loading });
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

  const goToColumn = (column: string | null) => setState({ step: 'columns', focusedColumn: column });
  const goToOption = (focusedOption: FormatOption) => setState({ step: 'file', focusedOption });

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
    /**
     * Opens the system's dialog.
     * @returns further selected files
     */
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
    /** The wells named in the file apply. */
    selectFileWells: () => setChoices(withFileWells(getState())),
    /** One well applies to all rows. */
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
    /** Applies a correction, which starts another check. A correction in another step opens that step. */
    correct(correction: Correction, text?: string) {
      const choices = applyCorrection(getState().choices, correction, text);
      if (choices) setChoices(choices);
      else if (correction.kind === 'option') goToOption(correction.option);
      else goToColumn('column' in correction ? correction.column : null);
    },
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
    /** Restores an upload from before a reload. */
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
    goToColumn,
    goToOption,
    clearFocus: () => setState({ focusedColumn: null, focusedOption: null }),
    togglePreview: () => setState(({ isPreviewShown }) => ({ isPreviewShown: !isPreviewShown })),
    /** Validates every row and compares it with existing records. Nothing is sent. */
    check: runs.check,
    send: (again?: boolean) => runs.send(again).then(keepMapping),
    resumeEarlier: runs.resumeEarlier,
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

/** Adds a file, and shows lines of it. */
export function createFileReader(store: UploadStore, { api, transferFile }: UploadDependencies) {
  const transferTask = createLatestTask();
  const lineTask = createLatestTask();

  const setFile = (file: UploadFile) => store.setState((now) => withFile(now, file));
  const hasFile = () => 'file' in store.getState().file;
  // The current file stays with its mapping until another one is there.
  const failFile = (name: string, error: AppError) =>
    hasFile()
      ? store.setState({ nextFile: { status: 'failed', error } })
      : setFile({ status: 'failed', name, error });

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
      if (hasFile()) store.setState({ nextFile, ...noQueue });
      else setFile(nextFile);
      let granted: GrantedFile | null = null;
      await transferTask.run((signal) => transferFile(file, signal), {
        onDone: (result) => (granted = result),
        onFailed: (error) => failFile(file.name, error),
        onCanceled: () => (hasFile() ? store.setState({ nextFile: null }) : setFile({ status: 'none' })),
      });
      return granted;
    },
    /** The sample file; null: it isn't available, which the state says. */
    takeSample: () => orFail<GrantedFile | null>(() => api.files.sample({}), null),
    openDialog: () => orFail<readonly GrantedFile[]>(() => api.files.chooseSources({}), []),
    async showLine(line: number, column: string | null): Promise<void> {
      const { file, reading, inspection, preview: start, viewedLine } = store.getState();
      if (file.status !== 'ready') return;
      const show = (rows: Loadable<FilePreview>) =>
        store.setState({ viewedLine: rows.status === 'idle' ? null : { line, column, rows } });
      const hasLine = (rows: Loadable<FilePreview> | undefined) =>
        rows?.status === 'loaded' && rows.value.rows.some((row) => row.line === line);
      lineTask.drop();
      const shown = [viewedLine?.rows, start].find(hasLine);
      if (shown) return show(shown);
      show(loading);
      // The encoding may come from the inspection of the whole file.
      const isText = inspection.status === 'loaded' && !isConverted(inspection.value);
      const encoding = isText ? { encoding: inspection.value.encoding } : {};
      const { token: source } = file.file;
      const from = Math.max(line - linesBefore, 1);
      await load(
        lineTask,
        (signal) => api.upload.preview({ source, ...encoding, ...reading, from }, { signal }),
        show,
      );
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
    set({ status: 'starting' });
    await startTasks[run].run((signal) => api.upload.start(request, { signal }), {
      onDone: ({ job }) => set({ status: 'started', job }, run === 'send' ? { check: noRun } : {}),
      onFailed(error) {
        set({ status: 'failed', error });
        // What was checked is no longer what would be sent.
        if (run === 'send' && error.is('upload_changed')) store.setState({ check: noRun });
      },
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
    /** Cancels a job before it starts. */
    cancelStart() {
      for (const task of Object.values(startTasks)) task.cancel();
    },
    drop() {
      for (const task of Object.values(startTasks)) task.drop();
    },
  };
}
