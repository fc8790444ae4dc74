import { createStore } from 'zustand/vanilla';
import type { Dataset, DatasetAddress } from '../../../shared/datasets.ts';
import type { GrantedFile } from '../../../shared/files.ts';
import type { Job } from '../../../shared/jobs.ts';
import type { UploadTemplate } from '../../../shared/upload-templates.ts';
import type { Mapping } from '../../../shared/upload.ts';
import type { Well } from '../../../shared/wells.ts';
import type { Api } from '../../api/api.ts';
import type { Feature } from '../../state/context.tsx';
import type { ScopedWell } from '../wells/scope.ts';
import { corrected, type Correction } from './corrections.ts';
import { createFileReader, type FileReader } from './file-reader.ts';
import { createLines } from './lines.ts';
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
} from './mapping-choices.ts';
import { createMatcher } from './matcher.ts';
import { withWellsBy, type ColumnType } from './prefill.ts';
import { restoreOrigin } from './origin.ts';
import type { ReadingChoices } from './reading-choices.ts';
import { createStanding } from './standing.ts';
import type { Step } from './steps.ts';
import { createWellNames, settleName } from './well-names.ts';
import { wellQuestion, withFileWells, withOneWell } from './well-question.ts';
import { createTemplates } from './templates.ts';
import { createWellZone } from './well-zone.ts';
import { createUploadRuns } from './upload-runs.ts';
import { emptyUpload, noRun, type Existing, type UploadTabState } from './upload-state.ts';

export interface UploadTabActions extends Pick<FileReader, 'take' | 'choose' | 'accept'> {
  readonly read: (reading: ReadingChoices) => Promise<void>;
  readonly readAgain: () => Promise<void>;
  /** Gives up reading the file. */
  readonly cancelReading: () => void;
  readonly into: (dataset: Dataset) => void;
  readonly mapColumn: (column: string, choice: ColumnChoice | null) => void;
  /** Appends further columns to a column that has a place; none: it stands alone again. */
  readonly joinColumn: (column: string, join: readonly string[]) => void;
  readonly fill: (path: string, source: FieldSource) => void;
  readonly nameNulls: (nulls: string) => void;
  /** Names one more text that stands for no value. */
  readonly takeAsNull: (text: string) => void;
  /** Takes a text that stood for null as a value of the file. */
  readonly keepAsText: (text: string) => void;
  /** Sets the share of values, from 0 to 1, under which exceptions don't change a column's type. */
  readonly allowExceptions: (exceptionShare: number) => void;
  /** Reads a column of numbers as codes of so many digits, with the zeros before them. */
  readonly restoreZeros: (column: string, digits: number) => void;
  /** What a name of a well in the file stands for; null: what the platform says. */
  readonly settleWell: (column: string, name: string, assetId: number | null) => void;
  /** Settles which wells are meant: those that the file names. */
  readonly selectFileWells: () => void;
  /** Settles which wells are meant: one for all rows, whatever the file names. */
  readonly selectOneWell: () => void;
  readonly lookForWells: () => Promise<void>;
  readonly cancelWells: () => void;
  /** Shows a line of the file, with a column of it marked where one is meant. */
  readonly showLine: (line: number, column: string | null) => Promise<void>;
  readonly leaveLine: () => void;
  /** Corrects what a check has found, and checks again; what is corrected elsewhere is gone to. */
  readonly correct: (correction: Correction, text?: string) => Promise<void>;
  /** Counts what stands in the dataset where the rows belong. @param again also where it is known */
  readonly countStanding: (again: boolean) => Promise<void>;
  readonly cancelStanding: () => void;
  readonly treatExisting: (existing: Existing) => void;
  readonly loadTemplates: () => Promise<void>;
  /** Keeps the mapping under a name, for files with the same header. */
  readonly keepTemplate: (name: string) => Promise<void>;
  readonly renameTemplate: (template: UploadTemplate, name: string) => Promise<void>;
  readonly removeTemplate: (id: string) => Promise<void>;
  readonly applyTemplate: (template: UploadTemplate) => void;
  /** Takes over what was chosen for another file; whether this one could be sent with it. */
  readonly adopt: (from: Pick<UploadTabState, 'dataset' | 'choices' | 'existing'>) => Promise<boolean>;
  /** Has it wait its turn, or not any more. */
  readonly queue: (queued: boolean) => void;
  readonly go: (step: Step) => void;
  /** Goes to where it is said how a column is read; null: where it is said of all. */
  readonly goToColumn: (column: string | null) => void;
  /** The column that was gone to is in view. */
  readonly arrive: () => void;
  /** Checks all rows, unless that was done, or they are being sent. */
  readonly enterCheck: () => Promise<void>;
  /** Reads and converts every row, and compares it with what is stored; nothing is sent. */
  readonly check: () => Promise<void>;
  readonly send: () => Promise<void>;
  /** Gives up a job that has not begun. */
  readonly cancelStart: () => void;
  /** Ends what runs in the tab itself; its jobs go on. */
  readonly close: () => void;
}

export interface UploadTab extends Feature<UploadTabState, UploadTabActions> {
  readonly connection: string;
  /** What the choices come to as a mapping for the engine. */
  readonly mapping: () => Mapping;
}

export interface UploadTabNeeds {
  readonly api: {
    readonly upload: Api['upload'];
    readonly query: Pick<Api['query'], 'count'>;
    readonly files: Pick<Api['files'], 'chooseSources'>;
  };
  /** Hands a file of the page to main. @throws AppError */
  readonly handOver: (file: File, signal: AbortSignal) => Promise<GrantedFile>;
  /** @throws AppError where the dataset is gone */
  readonly findDataset: (address: DatasetAddress) => Promise<Dataset>;
  /** Stops a job and removes it; never rejects. */
  readonly dropJob: (job: string) => Promise<void>;
}

export interface UploadSubject {
  readonly connection: string;
  /** Where the rows are to go, when that is known. */
  readonly dataset: Dataset | null;
  /** The chosen wells, asked for when they are needed. */
  readonly wells: () => readonly ScopedWell[];
  /** The listed wells with these asset ids. @throws AppError */
  readonly wellsOf: (assets: readonly number[]) => Promise<readonly Well[]>;
  /** A job that was begun elsewhere, whose ledger this tab is to show. */
  readonly job?: Job;
}

/** What a tab begins with. */
function firstState({ dataset, job }: UploadSubject): UploadTabState {
  if (!job) return { ...emptyUpload, dataset };
  const file = { face: 'handing', name: job.file, bytes: null } as const;
  return { ...emptyUpload, dataset, file, send: { face: 'started', job: job.id } };
}

/** What each column holds, by what a mapping calls it. */
function columnTypes({ preview, inspection }: UploadTabState): ReadonlyMap<string, ColumnType> {
  if (preview.face !== 'full' || inspection.face !== 'full') return new Map();
  const { columns } = inspection.value;
  return new Map(
    preview.value.columns.flatMap(({ key }, at) => {
      const type = columns[at]?.type;
      return type === undefined ? [] : [[key, type] as const];
    }),
  );
}

/** One upload, from a file to its ledger. */
export function createUploadTab(
  { api, handOver, dropJob, findDataset }: UploadTabNeeds,
  subject: UploadSubject,
): UploadTab {
  const { connection } = subject;
  const store = createStore<UploadTabState>()(() => firstState(subject));
  const matcher = createMatcher({
    store,
    api: api.upload,
    wells: subject.wells,
    onMatch() {
      standing.forget();
      void wellNames.follow().then(wellZone.follow);
      void reader.follow();
      void enterCheck();
    },
  });
  const templates = createTemplates({
    store,
    api: api.upload,
    mapping: matcher.chosenMapping,
    change: matcher.change,
  });
  const lines = createLines(store, api.upload);
  const standing = createStanding({ store, api: api.query, connection });
  const wellNames = createWellNames({ store, api: api.upload, connection, mapping: matcher.mapping });
  const wellZone = createWellZone({ store, wellsOf: subject.wellsOf, onChange: () => void matcher.match() });
  const reader = createFileReader({
    store,
    api,
    handOver,
    onLook() {
      matcher.forget();
      wellNames.forget();
    },
    onRead: () => void restoreOrigin({ store, api: api.upload, findDataset }).then(matcher.match),
  });

  const runs = createUploadRuns({
    store,
    api: api.upload,
    connection,
    mapping: matcher.mapping,
    dropJob,
  });

  /** Checks all rows where the step is shown and nothing was checked yet. */
  async function enterCheck(): Promise<void> {
    const { step, check, send, queued, match } = store.getState();
    const isDue = step === 'check' && check.face === 'none' && send.face === 'none' && !queued;
    if (isDue && match.value?.ready === true && !wellQuestion(store.getState())) await runs.start('check');
  }

  /** Takes over choices that the file is read anew with. */
  function changeValues(choices: MappingChoices): void {
    matcher.change(choices);
    // Where there is no dataset yet, nothing is matched that would see to it.
    if (!store.getState().dataset) void reader.follow();
  }
  const goToColumn = (column: string | null) => store.setState({ step: 'columns', pointedAt: column });

  const actions: UploadTabActions = {
    take: reader.take,
    choose: reader.choose,
    accept: reader.accept,
    async read(reading) {
      // Another header is another set of columns: what was said of the old ones means nothing for them.
      const kept = valueChoices(store.getState().choices);
      store.setState({ reading, choices: { ...noChoices, ...kept } });
      await reader.look();
    },
    readAgain: reader.look,
    cancelReading: reader.cancel,
    into: matcher.into,
    mapColumn(column, choice) {
      const named = choice && !choice.skip && isAssetPath(choice.to);
      const { choices: now } = store.getState();
      const choices = chooseColumn(named ? { ...now, usesFileWells: true } : now, column, choice);
      matcher.change(withWellsBy(choices, column, columnTypes(store.getState())));
    },
    joinColumn(column, join) {
      const { choices, match } = store.getState();
      const to = match.value?.columns.find((each) => each.column === column)?.to;
      if (to) matcher.change(joinColumns(choices, column, to, join));
    },
    fill(path, source) {
      const { choices, match } = store.getState();
      const filledBy = match.value?.fields.find((field) => field.path === path)?.columns ?? [];
      // Who says which column gives the wells means the wells that it names.
      const named = isAssetPath(path) ? { ...choices, usesFileWells: source.from === 'column' } : choices;
      const filled = fillField(named, path, filledBy, source);
      matcher.change(
        source.from === 'column' ? withWellsBy(filled, source.column, columnTypes(store.getState())) : filled,
      );
    },
    nameNulls: (nulls) => changeValues({ ...store.getState().choices, nulls }),
    takeAsNull: (text) => changeValues(withNullText(store.getState().choices, text)),
    keepAsText: (text) => changeValues(withoutNullText(store.getState().choices, text)),
    allowExceptions: (exceptionShare) => changeValues({ ...store.getState().choices, exceptionShare }),
    restoreZeros(column, digits) {
      const to = store.getState().match.value?.columns.find((each) => each.column === column)?.to;
      if (to) matcher.change(chooseColumn(store.getState().choices, column, { to, type: 'string', digits }));
    },
    settleWell: (column, name, assetId) =>
      matcher.change(settleName(store.getState().choices, column, name, assetId)),
    selectFileWells() {
      const next = withFileWells(store.getState());
      if (next) matcher.change(next);
    },
    selectOneWell() {
      const next = withOneWell(store.getState());
      if (next) matcher.change(next);
    },
    showLine: lines.show,
    leaveLine: lines.leave,
    async correct(correction, text) {
      const choices = corrected(store.getState().choices, correction, text);
      if (!choices) return goToColumn(correction.how === 'reading' ? correction.column : null);
      matcher.change(choices);
      await runs.start('check');
    },
    async countStanding(again) {
      if (again || store.getState().standing.face === 'idle') await standing.count();
    },
    cancelStanding: standing.cancel,
    treatExisting(existing) {
      store.setState({ existing, check: noRun });
      void enterCheck();
    },
    loadTemplates: templates.load,
    keepTemplate: templates.keep,
    renameTemplate: templates.rename,
    removeTemplate: templates.remove,
    applyTemplate: templates.use,
    async adopt({ dataset, choices, existing }) {
      store.setState({ dataset, choices, existing });
      matcher.forget();
      await matcher.match();
      await wellNames.follow();
      const ready = store.getState().match.value?.ready === true && !wellQuestion(store.getState());
      // It waits its turn: nothing is checked before.
      if (ready) store.setState({ step: 'check', queued: true });
      return ready;
    },
    queue: (queued) => store.setState({ queued }),
    lookForWells: wellNames.again,
    cancelWells: wellNames.cancel,
    go: (step) => store.setState({ step }),
    goToColumn,
    arrive: () => store.setState({ pointedAt: null }),
    enterCheck,
    check: () => runs.start('check'),
    send: () => runs.start('send'),
    cancelStart: runs.cancelStart,
    close() {
      store.setState({ queued: false });
      runs.drop();
      reader.drop();
      matcher.forget();
      wellNames.forget();
      standing.forget();
      lines.leave();
    },
  };
  return { store, actions, connection, mapping: matcher.mapping };
}
