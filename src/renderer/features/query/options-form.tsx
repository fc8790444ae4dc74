import type { ReactNode } from 'react';
import { useTab } from '../../state/contexts.ts';

/** The short inputs of a question, in one line. Enter in one of them runs it. */
export function OptionsForm({ children }: { children: ReactNode }) {
  const { actions } = useTab('query');
  return (
    <form
      className="query-options"
      onSubmit={(event) => {
        event.preventDefault();
        void actions.run();
      }}
    >
      {children}
      {/* Enter in a form with several fields needs a button to submit by. */}
      <button type="submit" hidden tabIndex={-1} aria-hidden="true" />
    </form>
  );
}
