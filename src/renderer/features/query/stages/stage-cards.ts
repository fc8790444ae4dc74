import { createStore, type StoreApi } from 'zustand/vanilla';
import type { JsonValue } from '../../../../shared/json.ts';
import type { Api } from '../../../api/api.ts';
import { idle, type Loadable, load, loading } from '../../../state/loadable.ts';
import type { FindTarget } from '../../../../shared/query/query.ts';
import {
  movedStages,
  joinPipeline,
  rewriteStages,
  withStageEnabled,
  splitPipeline,
  withStage,
  withoutStage,
  type PipelinePieces,
  canSwitch,
  stagePlace,
  type StagePiece,
  type StagePlace,
} from '../../../../shared/language/text/pipeline.ts';
import { objectOutlineOf, textOf } from '../../../../shared/language/text/edits.ts';
import { createLatestTask } from '../../../state/latest-task.ts';
import { parseRecords } from '../../records/request.ts';
import type { Problem } from '../../../state/problems.ts';
import { stages as knownStages, writingStages } from '../../../../shared/language/catalogue.ts';

/** The number of documents in a preview (specification, section 4.1: validate with a small limit first). */
const previewDocuments = 5;
/** The number of records that a preview passes to stages that otherwise read all records. */
const previewRecords = 1000;

/** Stages that pass on records before they have read all; $sort does with an index. */
const streamingStages = new Set('$match $sort $limit $skip $project $addFields $set $unset'.split(' '));

const operatorOf = (text: string) => objectOutlineOf(text)?.items[0]?.key ?? '';

function isSmallLimit(text: string): boolean {
  const entry = objectOutlineOf(text)?.items[0];
  return entry?.key === '$limit' && Number(textOf(text, entry.value)) <= previewRecords;
}

/**
 * The stages for a preview: those up to the selected one, a small limit at the end, and one before the first
 * stage that reads all records. `sampled`: that limit, if there is one.
 */
function previewOf(pieces: PipelinePieces, at: number): { stages: string; sampled: number | null } {
  const sent = pieces.stages.slice(0, at + 1).flatMap(({ on, text }) => (on ? [text] : []));
  const whole = sent.findIndex((text) => !streamingStages.has(operatorOf(text)));
  const isHeld = whole >= 0 && sent.slice(0, whole).some(isSmallLimit);
  const sampled = whole < 0 || isHeld ? null : previewRecords;
  const limitedStages =
    sampled === null ? sent : sent.toSpliced(whole, 0, `{ $limit: ${String(previewRecords)} }`);
  return {
    stages: `[${[...limitedStages, `{ $limit: ${String(previewDocuments)} }`].join(',\n')}]`,
    sampled,
  };
}

/** The delay after a change, in milliseconds, so that typing sends one request. */
const debounceMs = 400;

export function createStagePreview(
  { api, target, text, bind }: Omit<StageCardsDependencies, 'write'>,
  store: Pick<StoreApi<StageCardsState>, 'getState' | 'setState'>,
) {
  const previewTask = createLatestTask();
  let waiting: ReturnType<typeof setTimeout> | undefined;

  async function preview(at: number): Promise<void> {
    const pieces = splitPipeline(text());
    if (!pieces) return store.setState({ preview: idle });
    await load(
      previewTask,
      async (signal) => {
        const { stages, sampled } = previewOf(pieces, at);
        const page = await api.query.pipeline({ ...target, stages: await bind(stages) }, { signal });
        return { documents: parseRecords(page.records), ms: page.ms, sampled };
      },
      (part) => store.setState({ preview: part }),
    );
  }

  const close = () => {
    clearTimeout(waiting);
    previewTask.drop();
  };
  return {
    close,
    /** Requests the preview again after the delay, and aborts the current request. */
    schedule(): void {
      close();
      const { selected, cards } = store.getState();
      const at = cards?.findIndex(({ id }) => id === selected) ?? -1;
      // A stage that the service is known to reject shows the reason instead.
      const isRefused = cards?.[at]?.on && refusalOf(cards[at].operator) !== null;
      if (at < 0 || isRefused) return store.setState({ preview: idle });
      store.setState({ preview: loading });
      waiting = setTimeout(() => void preview(at), debounceMs);
    },
  };
}

/** The first documents after a stage. */
export interface Preview {
  readonly documents: readonly JsonValue[];
  readonly ms: number;
  /** The number of records passed to stages that read all; null: no such stage. */
  readonly sampled: number | null;
}

export interface StageCardsState {
  /** Null: the text can't be read as stages. */
  readonly cards: readonly StageCard[] | null;
  readonly selected: string | null;
  readonly preview: Loadable<Preview>;
  /** The text before the last stage was removed, as long as the removal can be undone. */
  readonly removed: {
    readonly before: string;
    readonly after: string;
    readonly operator: string | null;
  } | null;
}

export interface StageCardsDependencies {
  readonly api: { readonly query: Pick<Api['query'], 'pipeline'> };
  readonly target: FindTarget;
  readonly text: () => string;
  readonly write: (text: string) => void;
  /** The stages with parameters replaced. @throws AppError */
  readonly bind: (stages: string) => Promise<string>;
}

/** The stages of a pipeline as cards. The text is the truth: each change edits it. */
export function createStageCards(dependencies: StageCardsDependencies) {
  const { text, write } = dependencies;
  const store = createStore<StageCardsState>()(() => ({
    cards: [],
    selected: null,
    preview: idle,
    removed: null,
  }));
  const { schedule, close } = createStagePreview(dependencies, store);
  let lastId = 0;
  let read: string | null = null;
  // Those of the cards, even while the text of one of them can't be read.
  let pieces: PipelinePieces | null = null;
  const newId = () => `stage-${(lastId += 1)}`;

  /** Shows the stages of a text. @param before the cards whose ids unchanged stages keep */
  function show(now: string, ofText: PipelinePieces | null, before: CardIds): void {
    read = now;
    pieces = ofText;
    store.setState(({ selected, removed }) => {
      const cards = ofText && cardsOf(ofText, before, newId);
      return {
        cards,
        selected: cards?.some(({ id }) => id === selected) ? selected : null,
        removed: removed?.after === now ? removed : null,
      };
    });
    schedule();
  }

  function follow(now = text()): void {
    if (now !== read) show(now, splitPipeline(now), store.getState().cards ?? []);
  }

  /** @returns false: the stages can't be read, or none has the id */
  function change(by: (pieces: PipelinePieces, at: number) => PipelinePieces, id: string | null): boolean {
    follow();
    const { cards } = store.getState();
    const at = cards?.findIndex((card) => card.id === id) ?? -1;
    if (!pieces || (id !== null && at < 0)) return false;
    write(joinPipeline(by(pieces, at)));
    return true;
  }

  /** Reads the text, whose stages have the ids of these cards, in their order. */
  const keepIds = (cards: readonly StageCard[]) => {
    const ofText = splitPipeline(text());
    const stages = ofText?.stages ?? [];
    show(
      text(),
      ofText,
      cards.map(({ id }, at) => ({ id, text: stages[at]?.text ?? '' })),
    );
  };

  /** Keeps the cards while the text of one of them can't be read, so that its editor stays. */
  function rewrite(id: string, stage: string): void {
    follow();
    const cards = store.getState().cards ?? [];
    const at = cards.findIndex((card) => card.id === id);
    if (!pieces || at < 0) return;
    const changed = rewriteStages(pieces, at, stage);
    const now = joinPipeline(changed);
    const next = splitPipeline(now);
    if (next && next.stages.length >= cards.length) {
      write(now);
      return follow();
    }
    show(now, changed, cards);
    write(now);
  }

  const actions = {
    /** Updates the cards for a text; cheap if it is unchanged. */
    follow,
    select(id: string | null): void {
      store.setState({ selected: id });
      schedule();
    },
    /** Requests the preview of the selected stage again, as after a change of parameters. */
    refreshPreview: schedule,
    /** Adds a stage after the selected one, or at the end. */
    add(stage: string): void {
      const { cards, selected } = store.getState();
      const at = (cards ?? []).findIndex(({ id }) => id === selected);
      const place = at < 0 ? (cards ?? []).length : at + 1;
      if (!change((pieces) => withStage(pieces, stage, place), null)) return;
      follow();
      store.setState({ selected: store.getState().cards?.[place]?.id ?? null });
      schedule();
    },
    remove(id: string): void {
      const before = text();
      const { cards, selected } = store.getState();
      const at = (cards ?? []).findIndex((card) => card.id === id);
      if (!change(withoutStage, id)) return;
      const left = (cards ?? []).filter((card) => card.id !== id);
      keepIds(left);
      store.setState({
        removed: { before, after: text(), operator: cards?.[at]?.operator ?? null },
        selected: selected === id ? (left[Math.min(at, left.length - 1)]?.id ?? null) : selected,
      });
      schedule();
    },
    restoreRemoved(): void {
      const { removed } = store.getState();
      if (!removed) return;
      write(removed.before);
      follow();
    },
    toggle(id: string): void {
      if (change(withStageEnabled, id)) follow();
    },
    /** Moves stages, in their order, before another one; null: to the end. */
    move(ids: ReadonlySet<string>, before: string | null): void {
      const cards = store.getState().cards ?? [];
      const from = cards.flatMap((card, at) => (ids.has(card.id) ? [at] : []));
      const place = before === null ? cards.length : cards.findIndex(({ id }) => id === before);
      if (from.length === 0 || place < 0) return;
      let next: number[] = [];
      const isMoved = change((pieces) => {
        const result = movedStages(pieces, from, place);
        next = result.order;
        return result.pieces;
      }, null);
      if (isMoved) keepIds(next.flatMap((at) => cards[at] ?? []));
    },
    shift(id: string, by: number): void {
      const cards = store.getState().cards ?? [];
      const at = cards.findIndex((card) => card.id === id);
      const to = at + by;
      if (at < 0 || to < 0 || to >= cards.length) return;
      actions.move(new Set([id]), cards[by > 0 ? to + 1 : to]?.id ?? null);
    },
    rewrite,
    close,
  };
  return { store, actions };
}

/** The stage that stopped a run, with the place in its own text. */
export interface StageProblem extends StagePlace {
  readonly message: string;
}

/** The stage of a problem in the whole text; null: none, or all. */
export function stageProblem(text: string, problem: Problem | undefined): StageProblem | null {
  if (problem?.line === undefined || problem.column === undefined) return null;
  const place = stagePlace(text, problem.line, problem.column);
  return place && { ...place, message: problem.message };
}

type Refusal = 'writes' | 'unknown' | 'unreadable';

/** Why the service rejects a stage with this operator; null: no known reason. */
export function refusalOf(operator: string | null): Refusal | null {
  if (operator === null) return 'unreadable';
  if (writingStages.has(operator)) return 'writes';
  return knownStages.has(operator) ? null : 'unknown';
}

export interface StageCard {
  /** Stays the same while the stage is moved and changed. */
  readonly id: string;
  readonly on: boolean;
  readonly text: string;
  /** Such as `$match`; null: it can't be read. */
  readonly operator: string | null;
  readonly body: string;
  readonly canSwitch: boolean;
}

function readStage(text: string): { operator: string | null; body: string } {
  const [entry, ...otherEntries] = objectOutlineOf(text)?.items ?? [];
  if (!entry || otherEntries.length > 0) return { operator: null, body: text };
  return { operator: entry.key, body: textOf(text, entry.value) };
}

function cardOf(piece: StagePiece, id: string): StageCard {
  const { on, text } = piece;
  const { operator, body } = readStage(text);
  return { id, on, text, operator, body, canSwitch: canSwitch(piece) };
}

type CardIds = readonly Pick<StageCard, 'id' | 'text'>[];

/**
 * The ids of the stages after a change: unchanged stages at the start and at the end keep theirs, changed
 * ones between them by position.
 */
function matchIds(before: CardIds, texts: readonly string[], newId: () => string): string[] {
  let front = 0;
  while (front < Math.min(before.length, texts.length) && before[front]?.text === texts[front]) front++;
  let back = 0;
  const rest = Math.min(before.length, texts.length) - front;
  while (back < rest && before.at(-1 - back)?.text === texts.at(-1 - back)) back++;
  const free = before.slice(front, before.length - back);
  return texts.map((_text, at) => {
    if (at < front) return before[at]?.id ?? newId();
    const fromEnd = texts.length - at;
    if (fromEnd <= back) return before.at(-fromEnd)?.id ?? newId();
    return free[at - front]?.id ?? newId();
  });
}

/** The cards of a pipeline. @param before the cards whose ids unchanged stages keep */
function cardsOf({ stages }: PipelinePieces, before: CardIds, newId: () => string): StageCard[] {
  const ids = matchIds(
    before,
    stages.map((piece) => piece.text),
    newId,
  );
  return stages.map((piece, at) => cardOf(piece, ids[at] ?? newId()));
}
