import { createStore } from 'zustand/vanilla';
import type { JsonValue } from '../../../../shared/json.ts';
import type { Api } from '../../../api/api.ts';
import { idle, type Loadable } from '../../../state/loadable.ts';
import type { FindTarget } from '../../../../shared/query/query.ts';
import {
  moved,
  putTogether,
  rewritten,
  switched,
  takeApart,
  withStage,
  without,
  type PipelinePieces,
} from '../../../../shared/language/text/pipeline.ts';
import { cardsOf, type StageCard } from './stage-list.ts';
import { createPreviewing } from './previewing.ts';

/** The first documents behind a stage. */
export interface Preview {
  readonly documents: readonly JsonValue[];
  readonly ms: number;
  /** Records that were let through to stages that work on all of them; null: no such stage. */
  readonly sampled: number | null;
}

export interface StageCardsState {
  /** Null: the text can't be read as stages. */
  readonly cards: readonly StageCard[] | null;
  /** The stage that is looked at. */
  readonly chosen: string | null;
  readonly preview: Loadable<Preview>;
  /** The text before the last stage was removed, for as long as it can be put back. */
  readonly removed: {
    readonly before: string;
    readonly after: string;
    readonly operator: string | null;
  } | null;
}

export interface StageCardsNeeds {
  readonly api: { readonly query: Pick<Api['query'], 'pipeline'> };
  readonly target: FindTarget;
  readonly text: () => string;
  readonly write: (text: string) => void;
  /** The stages with their parameters replaced. @throws AppError */
  readonly bind: (stages: string) => Promise<string>;
}

/** The stages of a pipeline as cards: the text is the truth, and every change is a change of the text. */
export function createStageCards(needs: StageCardsNeeds) {
  const { text, write } = needs;
  const store = createStore<StageCardsState>()(() => ({
    cards: [],
    chosen: null,
    preview: idle,
    removed: null,
  }));
  const { schedule, close } = createPreviewing(needs, store);
  let made = 0;
  let read: string | null = null;
  const fresh = () => `stage-${(made += 1)}`;

  function follow(now = text()): void {
    if (now === read) return;
    read = now;
    store.setState(({ cards, chosen, removed }) => {
      const next = cardsOf(now, cards ?? [], fresh);
      return {
        cards: next,
        chosen: next?.some(({ id }) => id === chosen) ? chosen : null,
        removed: removed?.after === now ? removed : null,
      };
    });
    schedule();
  }

  /** Changes the text, and gives the cards of the changed one the ids that belong to them. */
  function change(by: (pieces: PipelinePieces, at: number) => PipelinePieces, id: string | null): boolean {
    follow();
    const pieces = takeApart(text());
    const { cards } = store.getState();
    const at = cards?.findIndex((card) => card.id === id) ?? -1;
    if (!pieces || (id !== null && at < 0)) return false;
    write(putTogether(by(pieces, at)));
    return true;
  }

  const order = (cards: readonly StageCard[], ids: readonly string[]) => {
    const now = text();
    read = now;
    const texts = takeApart(now)?.stages.map((piece) => piece.text) ?? [];
    const known = ids.map((id, at) => ({ id, text: texts[at] ?? '' }));
    const before = known.map(({ id, text: stage }) => {
      const card = cards.find((each) => each.id === id);
      return card ? { ...card, text: stage } : null;
    });
    const next = cardsOf(
      now,
      before.filter((card) => card !== null),
      fresh,
    );
    store.setState({ cards: next });
    schedule();
  };

  const actions = {
    /** Brings the cards into step with a text; cheap where it has not changed. */
    follow,
    choose(id: string | null): void {
      store.setState({ chosen: id });
      schedule();
    },
    /** Previews the stage that is looked at again, as after its parameters came to stand for something else. */
    refreshPreview: schedule,
    /** Adds a stage behind the one that is looked at, or at the end. */
    add(stage: string): void {
      const { cards, chosen } = store.getState();
      const at = (cards ?? []).findIndex(({ id }) => id === chosen);
      const place = at < 0 ? (cards ?? []).length : at + 1;
      if (!change((pieces) => withStage(pieces, stage, place), null)) return;
      follow();
      store.setState({ chosen: store.getState().cards?.[place]?.id ?? null });
      schedule();
    },
    remove(id: string): void {
      const before = text();
      const { cards, chosen } = store.getState();
      const at = (cards ?? []).findIndex((card) => card.id === id);
      if (!change((pieces) => without(pieces, at), id)) return;
      const left = (cards ?? []).filter((card) => card.id !== id);
      order(
        left,
        left.map((card) => card.id),
      );
      store.setState({
        removed: { before, after: text(), operator: cards?.[at]?.operator ?? null },
        chosen: chosen === id ? (left[Math.min(at, left.length - 1)]?.id ?? null) : chosen,
      });
      schedule();
    },
    putBack(): void {
      const { removed } = store.getState();
      if (!removed) return;
      write(removed.before);
      follow();
    },
    turn(id: string): void {
      if (change(switched, id)) follow();
    },
    /** Moves stages, in their order, before another one; null: to the end. */
    move(ids: ReadonlySet<string>, before: string | null): void {
      const cards = store.getState().cards ?? [];
      const from = cards.flatMap((card, at) => (ids.has(card.id) ? [at] : []));
      const place = before === null ? cards.length : cards.findIndex(({ id }) => id === before);
      if (from.length === 0 || place < 0) return;
      let next: number[] = [];
      const done = change((pieces) => {
        const result = moved(pieces, from, place);
        next = result.order;
        return result.pieces;
      }, null);
      if (done)
        order(
          cards,
          next.flatMap((at) => cards[at]?.id ?? []),
        );
    },
    /** Moves one stage by so many places. */
    shift(id: string, by: number): void {
      const cards = store.getState().cards ?? [];
      const at = cards.findIndex((card) => card.id === id);
      const to = at + by;
      if (at < 0 || to < 0 || to >= cards.length) return;
      actions.move(new Set([id]), cards[by > 0 ? to + 1 : to]?.id ?? null);
    },
    rewrite(id: string, stage: string): void {
      if (change((pieces, at) => rewritten(pieces, at, stage), id)) follow();
    },
    close,
  };
  return { store, actions };
}
