import type { StoreApi } from 'zustand/vanilla';
import type { QuestionMode, QuestionText } from '../../../shared/query/question.ts';
import type { Problems } from '../../state/problems.ts';
import { carried } from './carry.ts';
import { conditionsOf, withConditions } from './conditions.ts';
import type { QuestionField } from './query-request.ts';

/** What a person does to the text of a question. */
export interface Typing {
  /** Puts what is typed into one of the modes. */
  readonly type: <M extends QuestionMode>(mode: M, typed: Partial<QuestionText[M]>) => void;
  /** Asks in another mode; each keeps its own text. */
  readonly switchTo: (mode: QuestionMode) => void;
  /** Puts what was asked in the mode before in the place of this one's text. */
  readonly carryOver: () => void;
  readonly refuseCarry: () => void;
  /** Fills the question in with what has been learnt of the dataset since, unless something was typed. */
  readonly fillInAnew: () => void;
  /** What `{{ask:…}}` is answered with. */
  readonly answer: (name: string, said: string) => void;
  readonly set: (options: Partial<Pick<QuestionText, 'timeout' | 'countFirst'>>) => void;
  /** Changes the conditions of the mode that is asked; what gives null leaves them. */
  readonly change: (write: (conditions: string) => string | null) => void;
}

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
): Typing {
  let filled = first;
  const textNow = () => store.getState().text;
  return {
    type(mode, typed) {
      const fine = Object.fromEntries(Object.keys(typed).map((field) => [field, undefined]));
      store.setState(({ text, problems }) => ({
        text: { ...text, [mode]: { ...text[mode], ...typed } },
        problems: { ...problems, ...fine },
      }));
    },
    switchTo(mode) {
      store.setState(({ text }) => ({ text: { ...text, mode }, problems: {}, left: text.mode }));
    },
    carryOver() {
      store.setState(({ text, left }) => {
        const found = left && carried(text, left, text.mode);
        return found ? { text: found.text, left: null, problems: {} } : {};
      });
    },
    refuseCarry: () => store.setState({ left: null }),
    fillInAnew() {
      if (textNow() !== filled) return;
      filled = fill();
      store.setState({ text: filled });
    },
    answer: (name, said) =>
      store.setState(({ text }) => ({ text: { ...text, answers: { ...text.answers, [name]: said } } })),
    set: (options) => store.setState(({ text }) => ({ text: { ...text, ...options } })),
    change(write) {
      const conditions = conditionsOf(textNow());
      const changed = conditions === null ? null : write(conditions);
      if (changed !== null)
        store.setState(({ text }) => ({ text: withConditions(text, changed), problems: {} }));
    },
  };
}
