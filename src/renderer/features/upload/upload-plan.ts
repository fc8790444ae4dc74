import { withFieldUnits, withoutOtherFieldUnits, type NumberColumn } from '../../../shared/upload/units.ts';
import { withWellZone, type UploadMatch } from '../../../shared/upload/preview.ts';
import type { Proposals } from '../../../shared/upload/proposals.ts';
import type { Mapping } from '../../../shared/upload/upload.ts';
import { scopeOf } from '../../../shared/wells/wells.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import { idle, load, loading, type Loadable } from '../../state/loadable.ts';
import { targetRecordsQuery } from './check/record-query.ts';
import { missingFields, withCertainSources, withProposals } from './columns/fields.ts';
import { assetPaths, isAssetPath } from '../../../shared/datasets/datasets.ts';
import { mappingFrom, withNullText } from './columns/mapping-choices.ts';
import {
  isRejects,
  headerOf,
  choicesInUnits,
  choicesOf,
  mappingFor,
  type createTemplates,
} from './columns/templates.ts';
import {
  noRun,
  targetKind,
  type Offer,
  type UploadDependencies,
  type UploadStore,
  type UploadTabState,
} from './upload-state.ts';
import { namesToLookUp, wellNamedByFile, withHeaderWell, withLookups } from './wells/file-wells.ts';

/** What the dataset says about new records, once its fields are loaded. */
function expected({
  proposals,
}: Pick<UploadTabState, 'proposals'>): Pick<Proposals, 'requiresWell'> &
  Partial<Pick<Proposals, 'storedUnits'>> {
  if (proposals.status !== 'loaded') return { requiresWell: false };
  const { requiresWell, storedUnits } = proposals.value;
  return { requiresWell, storedUnits };
}

const numberColumns = (columns: UploadMatch['columns']): NumberColumn[] =>
  columns.flatMap(({ column, to, unit, reading }) =>
    to !== null && reading?.as === 'number' ? [{ column, to, unit }] : [],
  );

/** The mapping of the choices alone: it applies to files of other wells too. */
export function chosenMapping(state: UploadTabState): Mapping {
  const { storedUnits = {} } = expected(state);
  return withFieldUnits(
    withoutOtherFieldUnits(mappingFrom(state.choices, targetKind(state.match)), storedUnits),
    numberColumns(state.match.value?.columns ?? []),
    storedUnits,
  );
}

/** The mapping of the choices, with the wells' time zone where none was selected. */
export function uploadMapping(state: UploadTabState): Mapping {
  const mapping = chosenMapping(state);
  return state.wellZone ? withWellZone(mapping, state.wellZone) : mapping;
}

/** The file, dataset, and mapping that main is asked about; null: the file or the dataset is missing. */
export function uploadSource(state: UploadTabState) {
  const { file, dataset, reading } = state;
  if (file.status !== 'ready' || !dataset) return null;
  const { provider, dataset: name } = dataset;
  return { provider, dataset: name, source: file.file.token, reading, mapping: uploadMapping(state) };
}

function matchRequest(state: UploadTabState) {
  const source = uploadSource(state);
  return source && state.dataset ? { ...source, ...expected(state), type: state.dataset.type } : null;
}

type Facts = Pick<UploadTabState, 'file' | 'reading' | 'dataset' | 'match'>;

const choicesFor = (
  mapping: Mapping,
  { match }: Facts,
  isUsed: (column: UploadMatch['columns'][number]) => boolean,
) =>
  (match.value?.columns ?? [])
    .filter(isUsed)
    .map(({ column, to, reading }) => [column, to, reading?.format, mapping.columns[column]]);

/** What the wells of the rows depend on. */
const wellsOfRows = (mapping: Mapping, state: Facts) => [
  assetPaths.map((path) => mapping.constants[path]),
  choicesFor(mapping, state, ({ to }) => to !== null && isAssetPath(to)),
];

/** What the time zone of the wells depends on. */
const zoneFacts = (mapping: Mapping, state: Facts) => [
  state.file,
  state.reading,
  state.dataset,
  [mapping.nulls, mapping.keepAsText],
  wellsOfRows(mapping, state),
  choicesFor(mapping, state, ({ reading }) => reading?.as === 'time'),
];

/**
 * A part of the plan that main answers. The same request shares its answer, also one that failed or was canceled.
 * @param show keeps each status in the state
 */
function createPart<Request, T>(
  call: (request: Request, options: { readonly signal: AbortSignal }) => Promise<T>,
  show: (part: Loadable<T>) => void,
) {
  const task = createLatestTask();
  let current: { readonly key: string; readonly answer: Promise<T | null> } | null = null;
  return {
    /** Resolves with null if there is no answer. @param key what the answer depends on */
    ask(request: Request, key: string = JSON.stringify(request)): Promise<T | null> {
      if (current?.key !== key) {
        show(loading);
        current = { key, answer: load(task, (signal) => call(request, { signal }), show) };
      }
      return current.answer;
    },
    cancel: task.cancel,
    /** Forgets the answer, so that the next request is sent. */
    drop() {
      current = null;
      task.drop();
    },
  };
}

/** The requests of a plan, with what their answers change in the state. */
function createParts(
  { getState, setState }: UploadStore,
  { api: { upload, query } }: Pick<UploadDependencies, 'api'>,
) {
  const showPreview = (preview: UploadTabState['preview']) => {
    // The start of the file stays until it is known in another encoding.
    if (preview.status === 'failed') setState({ preview, inspection: idle });
    else if (preview.status !== 'loading') setState({ preview });
  };
  const existingRecords = createPart(
    async (request: Parameters<typeof query.count>[0], options) =>
      (await query.count(request, options)).count,
    (existingRecords) => setState({ existingRecords }),
  );
  return {
    preview: createPart(upload.preview, showPreview),
    decodedPreview: createPart(upload.preview, showPreview),
    inspection: createPart(upload.inspect, (inspection) => {
      // What was inspected stays until more is known.
      if (inspection.status !== 'loading' || getState().inspection.status !== 'loaded')
        setState({ inspection });
    }),
    /** From records of each dataset: only when they are shown. */
    fittingDatasets: createPart(upload.datasetsFor, (fittingDatasets) => setState({ fittingDatasets })),
    proposals: createPart(upload.propose, (proposals) => setState({ proposals })),
    match: createPart(upload.match, (part) => {
      if (part.status === 'loaded') {
        // The records of another match are counted again, as soon as a view has it.
        existingRecords.drop();
        setState({ match: { value: part.value, error: null }, existingRecords: idle });
      }
      if (part.status === 'failed') setState({ match: { value: null, error: part.error } });
    }),
    existingRecords,
    wellNames: createPart(upload.wells, (wellNames) => setState({ wellNames })),
    fileWell: createPart(
      async ({ connection, source, reading }: Parameters<typeof upload.datasetsFor>[0], options) => {
        const mapping = { columns: {}, constants: {}, rest: 'skip' } as const;
        const columns = await upload.wells({ connection, source, reading, mapping }, options);
        const isNamed = wellNamedByFile(columns, []) !== null;
        const inName = isNamed ? [] : await upload.wellsInName({ connection, source }, options);
        return { well: wellNamedByFile(columns, inName) };
      },
      (fileWell) => setState({ fileWell }),
    ),
    wellZone: createPart(
      async (request: Parameters<typeof upload.wellZone>[0], options) => ({
        zone: await upload.wellZone(request, options),
      }),
      () => undefined,
    ),
  };
}

/**
 * The plan of an upload: what its file has, where its columns go, and to which wells. It is made of the state alone, so
 * that a new file, a restored draft, and a file of a queue take the same way. What is proposed once is in `offers`: a
 * person may want something else.
 */
export class UploadPlan {
  readonly #store: UploadStore;
  readonly #dependencies: UploadDependencies;
  readonly #templates: Pick<ReturnType<typeof createTemplates>, 'only'>;
  readonly #onMatched: () => void;
  readonly #parts: ReturnType<typeof createParts>;
  readonly #planning = createLatestTask();
  /** The wells for which a time zone was found; null: a draft may have it. */
  #zonedWells: string | null = null;
  #matched: Promise<void> = Promise.resolve();
  #planned: Promise<void> = Promise.resolve();

  /** @param onMatched is called when the columns are matched and the wells that the file names are known */
  constructor(
    store: UploadStore,
    dependencies: UploadDependencies,
    templates: Pick<ReturnType<typeof createTemplates>, 'only'>,
    onMatched: () => void,
  ) {
    this.#store = store;
    this.#dependencies = dependencies;
    this.#templates = templates;
    this.#onMatched = onMatched;
    this.#parts = createParts(store, dependencies);
  }

  /**
   * Plans again after a change: only what depends on it is asked again. Resolves when the columns are matched and the
   * wells that the file names are known.
   */
  async update(): Promise<void> {
    const matched = Promise.withResolvers<void>();
    this.#matched = matched.promise;
    this.#planned = this.#planning
      .run((signal) => this.#make(signal, matched.resolve), {
        onDone: () => undefined,
        onFailed(error) {
          throw error;
        },
      })
      .finally(matched.resolve);
    // A newer plan may replace this one.
    for (let current = null; current !== this.#matched; await current) current = this.#matched;
  }

  /** Resolves when the time zone of the wells is known, too. */
  async whenDone(): Promise<void> {
    for (let current = null; current !== this.#planned; await current) current = this.#planned;
  }

  /** Forgets all answers, because the file is read again, and plans. */
  restart(): Promise<void> {
    this.drop();
    return this.update();
  }

  /** Looks up the wells again, and applies what depends on them. */
  loadWells(): Promise<void> {
    this.#parts.wellNames.drop();
    return this.update();
  }

  /** Finds the well that the file names. Resolves when the state has it. */
  async findOwnWell(): Promise<void> {
    if (this.#state().fileWell.status === 'failed') this.#parts.fileWell.drop();
    const file = this.#file();
    if (file) await this.#parts.fileWell.ask(file);
  }

  /** Counts the existing records of the file's wells and range. @param again also if they were counted */
  async countExisting(again: boolean): Promise<void> {
    const { dataset, existingRecords } = this.#state();
    if (!again && existingRecords.status !== 'idle') return;
    const target = targetRecordsQuery(this.#state());
    if (!dataset || !target) return;
    const { provider, dataset: name } = dataset;
    this.#parts.existingRecords.drop();
    const { connection } = this.#dependencies;
    await this.#parts.existingRecords.ask({ connection, provider, dataset: name, query: target.query });
  }

  readonly cancelCounting = (): void => this.#parts.existingRecords.cancel();

  readonly cancelWells = (): void => this.#parts.wellNames.cancel();

  cancelReading(): void {
    const { preview, decodedPreview, inspection } = this.#parts;
    for (const part of [preview, decodedPreview, inspection]) part.cancel();
  }

  /** Aborts the plan without changing the state. */
  drop(): void {
    this.#planning.drop();
    this.#zonedWells = null;
    for (const part of Object.values(this.#parts)) part.drop();
  }

  #state(): UploadTabState {
    return this.#store.getState();
  }

  #set(now: Partial<UploadTabState>): void {
    this.#store.setState(now);
  }

  /** What main is asked about; null: there is no file. */
  #file() {
    const { file, reading } = this.#state();
    const { connection } = this.#dependencies;
    return file.status === 'ready' ? { connection, source: file.file.token, reading } : null;
  }

  #isOffered(offer: Offer): boolean {
    return this.#state().offers.includes(offer);
  }

  /** Sets what is offered, if anything, and doesn't offer it again. */
  #offer(offers: readonly Offer[], now: Partial<UploadTabState> = {}): void {
    this.#set({ ...now, offers: [...new Set([...this.#state().offers, ...offers])] });
  }

  async #make(signal: AbortSignal, showMatched: () => void): Promise<void> {
    if (!(await this.#readFile(signal))) return;
    await this.#offerOrigin(signal);
    signal.throwIfAborted();
    await this.#offerEarlierMapping(signal);
    do {
      do if (!(await this.#matchColumns(signal))) return;
      while (await this.#findWells(signal));
      // The wells may be known much later, or never: the rows can be checked without their time zone.
      this.#onMatched();
      showMatched();
    } while (await this.#findZone(signal));
  }

  /** Reads the start of the file, then all of it. @returns whether it was read */
  async #readFile(signal: AbortSignal): Promise<boolean> {
    const file = this.#file();
    if (!file) return false;
    const { source, reading } = file;
    const preview = await this.#parts.preview.ask({ source, ...reading });
    signal.throwIfAborted();
    if (!preview) return false;
    const isInspected = this.#state().inspection.status === 'loaded';
    const inspecting = this.#inspect(source);
    if (!isInspected) {
      const inspection = await inspecting;
      signal.throwIfAborted();
      if (!inspection) return false;
      const { encoding, footerRows, likelyNulls = [] } = inspection;
      // Only the whole file shows whether the encoding guessed from its start is right.
      if (preview.encoding !== encoding)
        void this.#parts.decodedPreview.ask({ source, ...reading, encoding, footerRows });
      if (likelyNulls.length > 0 && !this.#isOffered('nulls')) {
        const choices = likelyNulls.reduce(withNullText, this.#state().choices);
        this.#offer(['nulls'], { proposedNulls: likelyNulls, choices });
        const again = await this.#inspect(source);
        signal.throwIfAborted();
        if (!again) return false;
      }
    }
    if (!this.#state().dataset) void this.#parts.fittingDatasets.ask(file);
    return true;
  }

  #inspect(source: string) {
    const { reading, choices } = this.#state();
    const { nulls, keepAsText, exceptionShare } = choices;
    return this.#parts.inspection.ask({ source, ...reading, nulls: [...nulls], keepAsText, exceptionShare });
  }

  /** Restores the choices of the upload whose rejected rows the file has, unless it is gone. */
  async #offerOrigin(signal: AbortSignal): Promise<void> {
    const { file, preview, reading } = this.#state();
    if (this.#isOffered('origin') || file.status !== 'ready' || preview.status !== 'loaded') return;
    if (!isRejects({ preview })) return;
    this.#offer(['origin']);
    const { api, connection, findDataset } = this.#dependencies;
    try {
      const origin = await api.upload.origin({ source: file.file.token, reading });
      const dataset = origin && (await findDataset(origin));
      // The user made a choice meanwhile, or added another file.
      if (!origin || signal.aborted) return;
      const { existing, mapping } = origin;
      const restored = mapping && { choices: choicesOf(mappingFor(connection, { ...origin, mapping })) };
      this.#set({ origin, dataset, existing, ...restored });
    } catch {
      // Without the restored choices, columns are matched by name.
    }
  }

  /** Uses the mapping of the only template for this header and type of dataset, else that of the last upload with it. */
  async #offerEarlierMapping(signal: AbortSignal): Promise<void> {
    const { dataset, choices, origin } = this.#state();
    if (this.#isOffered('mapping') || !dataset) return;
    this.#offer(['mapping']);
    const header = headerOf(this.#state());
    const { type } = dataset;
    const isUnchanged = Object.keys(choices.columns).length === 0 && choices.fold === undefined;
    if (type === null || origin || header.length === 0 || !isUnchanged) return;
    const template = await this.#templates.only(header, type);
    const { api, connection } = this.#dependencies;
    // Without it, columns are matched by name.
    const last = template
      ? null
      : await api.upload.lastMapping({ header, type, connection }).catch(() => null);
    signal.throwIfAborted();
    const earlier = template ?? last;
    if (!earlier) return;
    const usedOf = template ? { template: template.name } : { file: last?.file ?? '' };
    this.#set({
      ...choicesInUnits(earlier, this.#state(), connection),
      earlierMapping: { ...usedOf, before: choices },
    });
  }

  /** Matches the columns, and fills in what is certain or proposed for them. @returns whether there is a match */
  async #matchColumns(signal: AbortSignal): Promise<boolean> {
    const { match: part, proposals, fittingDatasets } = this.#parts;
    // A match that failed, or is of another dataset, is asked again, and so are proposals.
    if (this.#state().match.value === null) {
      part.drop();
      if (this.#state().proposals.status === 'failed') proposals.drop();
    }
    for (;;) {
      const [file, request] = [this.#file(), matchRequest(this.#state())];
      if (!file || !request) return false;
      const { provider, dataset } = request;
      const key = JSON.stringify(request);
      // The answer determines which values are numbers; the first one may have read them as text.
      const isSettled = () => JSON.stringify(matchRequest(this.#state())) === key;
      const proposing = proposals.ask({ ...file, provider, dataset });
      const match = await part.ask(request, key);
      signal.throwIfAborted();
      if (!match) return false;
      if (!isSettled()) continue;
      const proposed = await proposing;
      signal.throwIfAborted();
      // The warning about a dataset with another index offers others.
      if (proposed?.otherIndex) void fittingDatasets.ask(file);
      // The dataset may require a well, or have units.
      if (isSettled() && !this.#fillIn(match, proposed)) return true;
    }
  }

  /**
   * Fills in the selected well and certain columns, and what is proposed for the others. If the user clears a field, it
   * stays empty.
   * @param proposals null: they couldn't be loaded
   * @returns whether the columns have to be matched again
   */
  #fillIn(match: UploadMatch, proposals: Proposals | null): boolean {
    const { choices, dataset, selectedWell } = this.#state();
    const type = dataset?.type ?? null;
    let filled = choices;
    let well = selectedWell;
    if (!this.#isOffered('sources')) {
      const selected = this.#dependencies.selectedWells();
      [well = null] = scopeOf(selected).length === 1 ? selected : [];
      filled = withCertainSources(filled, match, type, selected) ?? filled;
    }
    if (proposals && !this.#isOffered('fields'))
      filled = withProposals(filled, match, proposals.columns, type) ?? filled;
    const isFilled = filled !== choices;
    this.#offer(['sources', 'fields'], {
      selectedWell: well,
      choices: filled,
      ...(isFilled ? { check: noRun } : {}),
    });
    return isFilled;
  }

  /** Looks up the wells that the file names. @returns whether the columns have to be matched again */
  async #findWells(signal: AbortSignal): Promise<boolean> {
    const [file, names] = [this.#file(), namesToLookUp(this.#state(), uploadMapping(this.#state()))];
    const { wellNames } = this.#parts;
    if (file && names) {
      await wellNames.ask({ ...file, mapping: names.mapping }, names.key);
      signal.throwIfAborted();
    } else {
      wellNames.drop();
      if (this.#state().wellNames.status !== 'idle') this.#set({ wellNames: idle });
    }
    const choices = this.#isOffered('well') ? null : withHeaderWell(this.#state());
    if (choices) {
      this.#offer(['well'], { choices, check: noRun });
      return true;
    }
    const { match } = this.#state();
    if (match.value && missingFields(match.value).some(({ path }) => isAssetPath(path)))
      void this.findOwnWell();
    return false;
  }

  /** Sets the time zone of the rows' wells. @returns whether the columns have to be matched again */
  async #findZone(signal: AbortSignal): Promise<boolean> {
    const part = this.#parts.wellZone;
    const request = matchRequest(this.#state());
    const chosen = chosenMapping(this.#state());
    const mapping = withLookups(chosen, this.#state());
    const { connection } = this.#dependencies;
    const wells = JSON.stringify(wellsOfRows(chosen, this.#state()));
    const key = mapping && JSON.stringify(zoneFacts(mapping, this.#state()));
    const answer = request && key ? await part.ask({ ...request, mapping, connection }, key) : null;
    signal.throwIfAborted();
    // After an error, the next update asks again; meanwhile the zone stays if it is that of these wells.
    if (!answer) part.drop();
    this.#zonedWells = answer ? wells : (this.#zonedWells ?? wells);
    const kept = this.#zonedWells === wells ? this.#state().wellZone : null;
    const wellZone = answer ? answer.zone : kept;
    if (JSON.stringify(wellZone) === JSON.stringify(this.#state().wellZone)) return false;
    const before = JSON.stringify(uploadMapping(this.#state()));
    this.#set({ wellZone });
    // Times that name their zone, or need none, stay as they were checked.
    if (JSON.stringify(uploadMapping(this.#state())) === before) return false;
    this.#set({ check: noRun });
    return true;
  }
}
