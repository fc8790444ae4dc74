import { TextField } from '../../ui/text-field.tsx';
import { words } from '../../words/words.ts';
import { useTab, useTabState } from './context.ts';
import type { FindText } from '../../../shared/question.ts';

/** Sort, fields, limit and skip of the query. Enter in one of them runs it. */
export function QueryOptions() {
  const { actions } = useTab();
  const inputs = useTabState((state) => state.text.find);
  const problems = useTabState((state) => state.problems);
  const field = (name: Exclude<keyof FindText, 'query'>) => ({
    name,
    label: words.query[name],
    value: inputs[name],
    onChange: (text: string) => actions.type('find', { [name]: text }),
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
