import { createStore } from 'zustand/vanilla';
import type { Dataset } from '../../../shared/datasets/datasets.ts';
import { toAppError } from '../../../shared/errors/errors.ts';
import type { GrantedFile } from '../../../shared/files/files.ts';
import { idle, loading } from '../../state/loadable.ts';
import { applyCorrection, type Correction } from './check/corrections.ts';
import { createComparison } from './check/comparison.ts';
import { createExistingCount } from './check/existing-count.ts';
import type { FileOption } from './check/warning-fixes.ts';
import { createColumnActions } from './columns/column-actions.ts';
import { noChoices, valueChoices, type MappingChoices } from './columns/mapping-choices.ts';
import { createMappingReuse } from './columns/mapping-reuse.ts';
import { createMatching } from './columns/matching.ts';
import { createProposing, withoutProposals } from './columns/proposals.ts';
import { createTemplates } from './columns/templates.ts';
import { createFileReader } from './file/file-reader.ts';
import type { FormatOptions } from './file/format-options.ts';
import { createUploadRuns } from './job/upload-runs.ts';
import type { UploadDraft } from './stored-upload.ts';
import type { Step } from './steps.ts';
import {
  initialState,
  isMatchReady,
  noMatch,
  noRun,
  type Existing,
  type UploadDependencies,
  type UploadSubject,
  type UploadTabState,
} from './upload-state.ts';
import { createOwnWell } from './wells/own-well.ts';
import { createWellNames, assignName } from './wells/well-names.ts';
import { wellQuestion, withFileWells, withOneWell } from './wells/well-question.ts';
import { withHeaderWell } from './wells/header-well.ts';
import { createWellZone } from './wells/well-zone.ts';

const isReady = (state: UploadTabState): boolean => isMatchReady(state) && !wellQuestion(state);

/** One upload, from a file to its ledger. */
export function createUploadTab(dependencies: UploadDependencies, subject: UploadSubject) {
  const { api, connection } = dependencies;
  const store = createStore<UploadTabState>()(() => initialState(subject));
  const { getState, setState } = store;
  const reading = createFileReader(store, dependencies);
  const proposing = createProposing(store, dependencies);
  const matching = createMatching(store, dependencies, proposing.propose);
  const wellNames = createWellNames(store, dependencies, matching.mapping);
  const ownWell = createOwnWell(store, dependencies);
  const updateZone = createWellZone(store, dependencies, matching.mapping);
  const runs = createUploadRuns(store, dependencies, matching.mapping);
  const templates = createTemplates(store, dependencies, matching.chosenMapping);
  const reuse = createMappingReuse(store, { matching, templates, ownWell, setChoices, readFile, prepare });
  const existingCount = createExistingCount(store, dependencies);
  const comparison = createComparison(store, dependencies);
  let isHeaderWellOffered = false;
  let restoredDraft: UploadDraft | null = null;
  let restoration: Promise<boolean> = Promise.resolve(false);

  /** Matches the choices, and loads what depends on the match. */
  async function match(): Promise<void> {
    await reuse.offerEarlier();
    if (!(await matching.match())) return;
    existingCount.reset();
    void findWells();
    void reading.reread();
    void enterCheck();
  }

  /** Resolves once the wells in the file and their time zone are known. */
  async function findWells(): Promise<void> {
    await wellNames.update();
    const choices = isHeaderWellOffered ? null : withHeaderWell(getState());
    // Once for each file: a person may want another well.
    if (choices) {
      isHeaderWellOffered = true;
      return setChoices(choices);
    }
    ownWell.offer();
    if (await updateZone()) void match();
    // A question about wells may be answered now.
    else void enterCheck();
  }

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

  /** Sets new choices. A check of the previous ones no longer applies. */
  function setChoices(choices: MappingChoices | null): void {
    if (!choices) return;
    setState({ choices, check: noRun });
    void match();
  }

  /** Sets new value choices. Without a dataset, no match would inspect the file again. */
  function setValueChoices(choices: MappingChoices): void {
    setChoices(choices);
    if (!getState().dataset) void reading.reread();
  }

  /** Reads the file and matches its columns. @param keepsPreview whether the preview stays until the next one */
  async function readFile(keepsPreview = false): Promise<void> {
    if (getState().file.status !== 'ready') return;
    matching.reset();
    proposing.reset();
    wellNames.reset();
    if (!(await reading.read(keepsPreview))) return;
    if (!getState().dataset) void proposing.suggestDatasets();
    await templates.restoreOrigin();
    await match();
  }

  /** Matches copied choices. @returns whether the file can be sent with them */
  async function prepare(): Promise<boolean> {
    await match();
    await wellNames.update();
    return isReady(getState());
  }

  async function readWith(format: FormatOptions, keepsPreview = false): Promise<void> {
    // Another header row means other columns: their choices no longer apply.
    reuse.setOffered(false);
    setState({
      reading: format,
      choices: { ...noChoices, ...valueChoices(getState().choices) },
      earlierMapping: null,
      unitDifferences: [],
    });
    await readFile(keepsPreview);
  }

  /** Accepts a file that main has already. */
  function accept(file: GrantedFile): Promise<void> {
    isHeaderWellOffered = false;
    reuse.setOffered(false);
    reading.begin({ status: 'ready', file });
    return readFile();
  }

  async function restoreDraft(draft: UploadDraft): Promise<boolean> {
    const { file, isMatched, queuedAfter: _, ...stored } = draft;
    // The choices are stored as they are until the file is read.
    setState({ ...stored, isFilledIn: isMatched, file: { status: 'ready', file }, preview: loading });
    try {
      if (!(await api.files.find({ token: file.token }))) {
        setState({ file: { status: 'missing', file, error: null }, preview: idle });
        return false;
      }
      if (isMatched) matching.skipFillIn();
      reuse.setOffered(isMatched);
      if ((await reading.read()) && !getState().dataset) void proposing.suggestDatasets();
      await match();
      await findWells();
    } catch (error) {
      setState({ file: { status: 'missing', file, error: toAppError(error) }, preview: idle });
      return false;
    }
    // Queued rows were checked with this time zone: another one would change their times.
    return getState().wellZone?.zone === draft.wellZone?.zone && isReady(getState());
  }

  const goToColumn = (column: string | null) => setState({ step: 'columns', focusedColumn: column });
  const goToOption = (focusedOption: FileOption) => setState({ step: 'file', focusedOption });

  const columnActions = createColumnActions({ getState, setChoices, setValueChoices });

  const actions = {
    accept,
    /** Adds a file of the page: dropped, or selected where the host has no dialog. */
    async addFile(file: File) {
      const granted = await reading.transfer(file);
      if (granted) await accept(granted);
    },
    async addSample() {
      const granted = await reading.takeSample();
      if (granted) await accept(granted);
    },
    /**
     * Opens the system's dialog.
     * @returns further selected files
     */
    async choose(): Promise<readonly GrantedFile[]> {
      const [first, ...more] = await reading.openDialog();
      if (first) void accept(first);
      return more;
    },
    read: readWith,
    /** Cuts the lines at these positions, while they stay in view; undefined: as detected. */
    setColumnEdges: (columnEdges: readonly number[] | undefined) => {
      const { columnEdges: _, ...otherOptions } = getState().reading;
      return readWith(columnEdges ? { ...otherOptions, columnEdges: [...columnEdges] } : otherOptions, true);
    },
    readAgain: () => readFile(),
    cancelReading: reading.cancel,
    dismissNextFile: () => setState({ nextFile: null }),
    showLine: reading.showLine,
    leaveLine: reading.leaveLine,
    setDataset(dataset: Dataset) {
      const { choices, dataset: before } = getState();
      // Another type has other fields: a constant would be sent unseen.
      const isOther = before !== null && before.type !== dataset.type;
      if (isOther) {
        matching.resetFillIn();
        reuse.setOffered(false);
      }
      matching.resetProposals();
      const kept = withoutProposals(choices, getState());
      setState({ dataset, isDatasetAssumed: false, match: noMatch });
      setChoices(isOther ? { ...kept, constants: {} } : kept);
    },
    confirmDataset: () => setState({ isDatasetAssumed: false }),
    ...columnActions,
    /** Assigns a well to a name in the file; null: the platform's match applies. */
    assignWell: (column: string, name: string, assetId: number | null) =>
      setChoices(assignName(getState().choices, column, name, assetId)),
    /** The wells named in the file apply. */
    selectFileWells: () => setChoices(withFileWells(getState())),
    /** One well applies to all rows. */
    selectOneWell: () => setChoices(withOneWell(getState())),
    /** Looks up the wells again, and applies what depends on them. */
    async loadWells() {
      wellNames.load();
      await findWells();
    },
    cancelWells: wellNames.cancel,
    findOwnWell: ownWell.find,
    ...reuse.actions,
    /** Applies a correction, which starts another check. A correction in another step opens that step. */
    correct(correction: Correction, text?: string) {
      const choices = applyCorrection(getState().choices, correction, text);
      if (choices) setChoices(choices);
      else if (correction.kind === 'option') goToOption(correction.option);
      else goToColumn('column' in correction ? correction.column : null);
    },
    countExisting: existingCount.count,
    cancelCounting: existingCount.cancel,
    setExistingMode(existing: Existing) {
      setState({ existing, check: noRun });
      void enterCheck();
    },
    /**
     * Adds the upload to the queue, or removes it.
     * @param after the job before it, once that started
     */
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
      setState({ isQueued: false, queuedAfter: null });
      runs.drop();
      reading.drop();
      matching.reset();
      proposing.reset();
      wellNames.reset();
      ownWell.reset();
      existingCount.reset();
      reading.leaveLine();
      comparison.close();
    },
  };
  return { store, actions, connection, mapping: matching.mapping, comparison };
}

export type UploadTab = ReturnType<typeof createUploadTab>;
