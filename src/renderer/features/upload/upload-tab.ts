import { createStore } from 'zustand/vanilla';
import { corrected } from './check/corrections.ts';
import { createFileReader } from './file/file-reading.ts';
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
  type MappingChoices,
} from './columns/mapping-choices.ts';
import { createMatcher } from './columns/matching.ts';
import { withWellsBy, type ColumnType } from './columns/prefill.ts';
import { restoreOrigin } from './origin.ts';
import { createRestoring } from './restore-upload.ts';
import { createStanding } from './check/standing.ts';
import { createWellNames, settleName } from './wells/well-names.ts';
import { wellQuestion, withFileWells, withOneWell } from './wells/well-question.ts';
import { createTemplates } from './columns/templates.ts';
import { createWellZone } from './wells/well-zone.ts';
import { createUploadRuns } from './job/upload-runs.ts';
import { emptyUpload, noRun, type UploadTabState } from './upload-state.ts';
import type { UploadSubject, UploadTab, UploadTabActions, UploadTabNeeds } from './upload-tab-types.ts';

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

  const restoring = createRestoring({
    store,
    api: api.files,
    reader,
    matcher,
    findWells: () => wellNames.follow().then(wellZone.follow),
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
      if (!choices && correction.how === 'option') return actions.goToOption(correction.option);
      if (!choices) return goToColumn('column' in correction ? correction.column : null);
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
    queue: (queued, after) => store.setState({ queued, queuedAfter: after ?? null }),
    ...restoring,
    lookForWells: wellNames.again,
    cancelWells: wellNames.cancel,
    go: (step) => store.setState({ step }),
    goToColumn,
    goToOption: (pointedOption) => store.setState({ step: 'file', pointedOption }),
    arrive: () => store.setState({ pointedAt: null, pointedOption: null }),
    enterCheck,
    check: () => runs.start('check'),
    send: () => runs.start('send'),
    cancelStart: runs.cancelStart,
    close() {
      store.setState({ queued: false, queuedAfter: null });
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
