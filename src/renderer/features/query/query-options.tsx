import type { FindText } from '../../../shared/query/question.ts';
import { TextField } from '../../ui/text-field.tsx';
import { useTab, useTabState } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';
import { OptionFindings } from './editing/option-findings.tsx';
import { OptionsForm } from './options-form.tsx';

/** Sort, fields, limit and skip of a find. */
export function QueryOptions() {
  const { actions } = useTab('query');
  const inputs = useTabState('query', (state) => state.text.find);
  const problems = useTabState('query', (state) => state.problems);
  const field = (name: Exclude<keyof FindText, 'query'>) => ({
    name,
    label: words.query[name],
    value: inputs[name],
    onChange: (text: string) => actions.type('find', { [name]: text }),
    problem: problems[name]?.message,
    mono: true,
  });
  return (
    <OptionsForm>
      <TextField {...field('sort')} className="option-wide" placeholder={words.query.sortHint} />
      <TextField {...field('fields')} className="option-wide" placeholder={words.query.fieldsHint} />
      <TextField {...field('limit')} className="option-narrow" inputMode="numeric" />
      <TextField {...field('skip')} className="option-narrow" inputMode="numeric" />
      <OptionFindings />
    </OptionsForm>
  );
}
