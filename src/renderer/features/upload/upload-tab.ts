import { createStore } from 'zustand/vanilla';
import type { Dataset } from '../../../shared/datasets.ts';
import type { GrantedFile } from '../../../shared/files.ts';
import type { Job } from '../../../shared/jobs.ts';
import type { Mapping } from '../../../shared/upload.ts';
import type { Api } from '../../api/api.ts';
import type { Feature } from '../../state/context.tsx';
import { latest } from '../../state/latest.ts';
import type { ScopedWell } from '../wells/wells.ts';
import { createFileReader, type FileReader } from './file-reader.ts';
import {
  chooseColumn,
  fillField,
  noChoices,
  type ColumnChoice,
  type FieldSource,
} from './mapping-choices.ts';
import { createMatcher } from './matcher.ts';
import { withWellsBy, type ColumnType } from './prefill.ts';
import type { ReadingChoices } from './reading-choices.ts';
import type { Step } from './steps.ts';
import { createWellNames, settleName } from './well-names.ts';
import { emptyUpload, jobOf, noRun, type Run, type UploadTabState } from './upload-state.ts';

export interface UploadTabActions extends Pick<FileReader, 'take' | 'choose' | 'accept'> {
  readonly read: (reading: ReadingChoices) => Promise<void>;
  readonly readAgain: () => Promise<void>;
  /** Gives up reading the file. */
  readonly cancelReading: () => void;
  readonly into: (dataset: Dataset) => void;
  readonly mapColumn: (column: string, choice: ColumnChoice | null) => void;
  readonly fill: (path: string, source: FieldSource) => void;
  readonly nameNulls: (nulls: string) => void;
  /** What a name of a well in the file stands for; null: what the platform says. */
  readonly settleWell: (column: string, name: string, assetId: number | null) => void;
  readonly lookForWells: () => Promise<void>;
  readonly cancelWells: () => void;
  readonly go: (step: Step) => void;
  /** Reads and converts every row; nothing is sent. */
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
    readonly files: Pick<Api['files'], 'chooseSources'>;
  };
  /** Hands a file of the page to main. @throws AppError */
  readonly handOver: (file: File, signal: AbortSignal) => Promise<GrantedFile>;
  /** Stops a job and removes it; never rejects. */
  readonly dropJob: (job: string) => Promise<void>;
}

export interface UploadSubject {
  readonly connection: string;
  /** Where the rows are to go, when that is known. */
  readonly dataset: Dataset | null;
  /** The chosen wells, asked for when they are needed. */
  readonly wells: () => readonly ScopedWell[];
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
  { api, handOver, dropJob }: UploadTabNeeds,
  subject: UploadSubject,
): UploadTab {
  const { connection } = subject;
  const store = createStore<UploadTabState>()(() => firstState(subject));
  const matcher = createMatcher({
    store,
    api: api.upload,
    wells: subject.wells,
    onMatch: () => void wellNames.follow(),
  });
  const wellNames = createWellNames({ store, api: api.upload, connection, mapping: matcher.mapping });
  const reader = createFileReader({
    store,
    api,
    handOver,
    onLook() {
      matcher.forget();
      wellNames.forget();
    },
    onRead: () => void matcher.match(),
  });

  const starting = latest();
  // A trial is of use while it is looked at; what it leaves behind would only stand in the way of the uploads.
  store.subscribe((now, before) => {
    const gone = jobOf(before.check);
    if (gone !== null && gone !== jobOf(now.check)) void dropJob(gone);
  });

  async function start(which: 'check' | 'send'): Promise<void> {
    const { file, dataset, reading } = store.getState();
    if (file.face !== 'granted' || !dataset) return;
    const set = (run: Run) => store.setState({ [which]: run });
    const request = {
      connection,
      provider: dataset.provider,
      dataset: dataset.dataset,
      source: file.file.token,
      reading,
      mapping: matcher.mapping(),
      dryRun: which === 'check',
    };
    set({ face: 'starting' });
    await starting.run((signal) => api.upload.start(request, { signal }), {
      done({ job }) {
        set({ face: 'started', job });
        if (which === 'send') store.setState({ check: noRun });
      },
      failed: (error) => set({ face: 'failed', error }),
      cancelled: () => set(noRun),
    });
  }

  const actions: UploadTabActions = {
    take: reader.take,
    choose: reader.choose,
    accept: reader.accept,
    async read(reading) {
      // Another header is another set of columns: what was said of the old ones means nothing for them.
      store.setState({ reading, choices: noChoices });
      await reader.look();
    },
    readAgain: reader.look,
    cancelReading: reader.cancel,
    into: matcher.into,
    mapColumn(column, choice) {
      const choices = chooseColumn(store.getState().choices, column, choice);
      matcher.change(withWellsBy(choices, column, columnTypes(store.getState())));
    },
    fill(path, source) {
      const { choices, match } = store.getState();
      const filledBy = match.value?.fields.find((field) => field.path === path)?.columns ?? [];
      const filled = fillField(choices, path, filledBy, source);
      matcher.change(
        source.from === 'column' ? withWellsBy(filled, source.column, columnTypes(store.getState())) : filled,
      );
    },
    nameNulls: (nulls) => matcher.change({ ...store.getState().choices, nulls }),
    settleWell: (column, name, assetId) =>
      matcher.change(settleName(store.getState().choices, column, name, assetId)),
    lookForWells: wellNames.again,
    cancelWells: wellNames.cancel,
    go: (step) => store.setState({ step }),
    check: () => start('check'),
    send: () => start('send'),
    cancelStart: starting.cancel,
    close() {
      starting.drop();
      reader.drop();
      matcher.forget();
      wellNames.forget();
    },
  };
  return { store, actions, connection, mapping: matcher.mapping };
}
