import { TextField } from '../../ui/text-field.tsx';
import { words } from '../../words/words.ts';
import { useTab, useTabState } from './context.ts';
import type { FindField } from './inputs.ts';

/** Sort, fields, limit and skip of the query. Enter in one of them runs it. */
export function QueryOptions() {
  const { actions } = useTab();
  const inputs = useTabState((state) => state.inputs);
  const problems = useTabState((state) => state.problems);
  const field = (name: Exclude<FindField, 'query'>) => ({
    name,
    label: words.query[name],
    value: inputs[name],
    onChange: (text: string) => actions.type(name, text),
    problem: problems[name]?.message,
    mono: true,
  });
  return (
    <form
      className="query-options"
      onSubmit={(event) => {
        event.preventDefault();
        void actions.run();
      }}
    >
      <TextField {...field('sort')} className="option-wide" placeholder={words.query.sortHint} />
      <TextField {...field('fields')} className="option-wide" placeholder={words.query.fieldsHint} />
      <TextField {...field('limit')} className="option-narrow" inputMode="numeric" />
      <TextField {...field('skip')} className="option-narrow" inputMode="numeric" />
      {/* Enter in a form with several fields needs a button to submit by. */}
      <button type="submit" hidden tabIndex={-1} aria-hidden="true" />
    </form>
  );
}
