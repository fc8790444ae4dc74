import type { StoreApi } from 'zustand/vanilla';
import type { QuestionMode, QuestionText } from '../../../shared/query/question.ts';
import type { Problems } from '../../state/problems.ts';
import { carried } from './carry.ts';
import { conditionsOf, withConditions } from './conditions.ts';
import type { QuestionField } from './query-request.ts';

interface Typed {
  readonly text: QuestionText;
  readonly problems: Problems<QuestionField>;
  readonly left: QuestionMode | null;
}

/**
 * Changes of a question's text.
 * @param fill what the question is filled in with now
 * @param first what it was filled in with at first; null: it was typed before
 */
export function createTyping(
  store: Pick<StoreApi<Typed>, 'getState' | 'setState'>,
  fill: () => QuestionText,
  first: QuestionText | null,
) {
  let filled = first;
  const textNow = () => store.getState().text;
  return {
    /** Puts what is typed into one of the modes. */
    type<M extends QuestionMode>(mode: M, typed: Partial<QuestionText[M]>): void {
      const fine = Object.fromEntries(Object.keys(typed).map((field) => [field, undefined]));
      store.setState(({ text, problems }) => ({
        text: { ...text, [mode]: { ...text[mode], ...typed } },
        problems: { ...problems, ...fine },
      }));
    },
    /** Asks in another mode; each keeps its own text. */
    switchTo(mode: QuestionMode): void {
      store.setState(({ text }) => ({ text: { ...text, mode }, problems: {}, left: text.mode }));
    },
    /** Puts what was asked in the mode before in the place of this one's text. */
    carryOver(): void {
      store.setState(({ text, left }) => {
        const found = left && carried(text, left, text.mode);
        return found ? { text: found.text, left: null, problems: {} } : {};
      });
    },
    refuseCarry: (): void => store.setState({ left: null }),
    /** Fills the question in with what has been learnt of the dataset since, unless something was typed. */
    fillInAnew(): void {
      if (textNow() !== filled) return;
      filled = fill();
      store.setState({ text: filled });
    },
    /** Whether nothing was typed since it was filled in. */
    isAsFilled: (): boolean => textNow() === filled,
    /** What `{{ask:…}}` is answered with. */
    answer: (name: string, said: string): void =>
      store.setState(({ text }) => ({ text: { ...text, answers: { ...text.answers, [name]: said } } })),
    set: (options: Partial<Pick<QuestionText, 'timeout' | 'countFirst'>>): void =>
      store.setState(({ text }) => ({ text: { ...text, ...options } })),
    /** Changes the conditions of the mode that is asked; what gives null leaves them. */
    change(write: (conditions: string) => string | null): void {
      const conditions = conditionsOf(textNow());
      const changed = conditions === null ? null : write(conditions);
      if (changed !== null)
        store.setState(({ text }) => ({ text: withConditions(text, changed), problems: {} }));
    },
  };
}
