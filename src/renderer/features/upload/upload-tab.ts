import { createStore } from 'zustand/vanilla';
import type { Dataset } from '../../../shared/datasets/datasets.ts';
import { toAppError } from '../../../shared/errors/errors.ts';
import type { GrantedFile } from '../../../shared/files/files.ts';
import { matchesHeader, type UploadTemplate } from '../../../shared/upload/templates.ts';
import { words } from '../../words/words.ts';
import { idle, loading } from '../../state/loadable.ts';
import { createQualityRun } from '../quality/quality-run.ts';
import { applyCorrection, type Correction, type FileOption } from './check/findings.ts';
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
import { createFileReader } from './file/file-reader.ts';
import type { FormatOptions } from './file/format-options.ts';
import { createUploadRuns } from './job/upload-runs.ts';
import { queuedWell } from './queue/queued-file.ts';
import {
  offersOf,
  type UploadDraft,
  type Step,
  initialState,
  fileName,
  isMatchReady,
  jobOf,
  noRun,
  type Existing,
  type UploadDependencies,
  type UploadSubject,
  type UploadTabState,
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
import { UploadPlan, chosenMapping, uploadMapping } from './upload-plan.ts';
import { assignName, wellQuestion, withFileWells, withOneWell } from './wells/file-wells.ts';

const isReady = (state: UploadTabState): boolean => isMatchReady(state) && !wellQuestion(state);

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
    setState(now);
    return plan.update();
  }

  /** Sets new choices. A check of the previous ones no longer applies. */
  function setChoices(choices: MappingChoices | null): void {
    if (choices) void change({ ...getState(), choices, check: noRun });
  }

  /** Reads the file, and plans again. */
  function readFile(now: UploadTabState): Promise<void> {
    reader.leaveLine();
    setState(now);
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
  const goToOption = (focusedOption: FileOption) => setState({ step: 'file', focusedOption });

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
    async applyTemplate(template: UploadTemplate) {
      if (await readTable(template)) void change(withTemplate(getState(), template));
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
      setState({ existing, check: noRun });
      void enterCheck();
    },
    /**
     * Adds the upload to the queue, or removes it.
     * @param after the job before it, once that started
     */
    /** The name of its file, with the table of a file that has several. */
    title(): string {
      const { table } = tableOfFiles(getState());
      const name = fileName(getState()) ?? '';
      return table === undefined ? name : words.tableOf(name, table);
    },
    /** The job that sends it; null: none does. */
    job: () => jobOf(getState().send),
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
      runs.drop();
      reader.drop();
      plan.drop();
      setState({ isQueued: false, queuedAfter: null, check: noRun });
      comparison.close();
    },
  };
  return { store, actions, connection, mapping: () => uploadMapping(getState()), comparison };
}

export type UploadTab = ReturnType<typeof createUploadTab>;
