import { useMemo } from 'react';
import type { Mark } from '../../ui/editor/index.ts';
import { useTabState } from '../../state/contexts.ts';
import type { QuestionField } from './inputs.ts';

/** What a run was refused for in one input, as marks in its text. */
export function useProblemMarks(field: QuestionField): readonly Mark[] {
  const problem = useTabState('query', (state) => state.problems[field]);
  return useMemo(
    () =>
      problem ? [{ message: problem.message, line: problem.line ?? 1, column: problem.column ?? 1 }] : [],
    [problem],
  );
}
