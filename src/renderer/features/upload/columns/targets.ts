import { useMemo } from 'react';
import type { ComboOption } from '../../../ui/combo-box.tsx';
import { useTabState } from '../../../state/contexts.ts';
import { words } from '../../../words/words.ts';
import { fieldName } from './field-name.ts';

const w = words.upload.columns;
/** The id of the option that skips a column. */
export const skipTarget = '\u0000';

/** The target of an option; null: the column is skipped. */
export const targetOf = (option: string): string | null => (option === skipTarget ? null : option);

/** The targets to select from, and the text of one. */
export function useTargets(): {
  readonly options: readonly ComboOption[];
  readonly textOf: (to: string | null) => string;
} {
  const match = useTabState('upload', (state) => state.match.value);
  return useMemo(() => {
    const fields = new Set(match?.fields.map(({ path }) => path));
    const nameOf = (path: string) => (fields.has(path) ? fieldName(path) : path);
    const named = (match?.targets ?? []).map((path): ComboOption => {
      const text = nameOf(path);
      return text === path ? { id: path, text } : { id: path, text, note: path };
    });
    return {
      options: [...named, { id: skipTarget, text: w.leaveOut }],
      textOf: (to) => (to === null ? w.leaveOut : nameOf(to)),
    };
  }, [match]);
}
