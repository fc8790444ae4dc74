import type { AggregateText } from '../../../shared/query/question.ts';
import { TextField } from '../../ui/text-field.tsx';
import { useTab, useTabState } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';
import { QueryCodeEditor } from './editing/query-code-editor.tsx';
import { useKnowledge } from './knowledge.ts';
import { OptionFindings } from './editing/option-findings.tsx';
import { OptionsForm } from './options-form.tsx';
import { useProblemMarks } from './problem-marks.ts';

const parts = [
  { field: 'match', kind: 'query', hint: words.query.matchHint },
  { field: 'group', kind: 'group', hint: words.query.groupHint },
  { field: 'project', kind: 'project', hint: words.query.projectHint },
] as const;

/** A simple aggregate: which records, grouped how, and what is shown of the groups. */
export function AggregateForm() {
  return (
    <>
      <div className="aggregate-parts">
        {parts.map((part) => (
          <AggregatePart key={part.field} {...part} />
        ))}
      </div>
      <AggregateOptions />
    </>
  );
}

function AggregatePart({ field, kind, hint }: (typeof parts)[number]) {
  const { actions, kept } = useTab('query');
  const value = useTabState('query', (state) => state.text.aggregate[field]);
  return (
    <div className="aggregate-part">
      <h3 className="part-heading">{words.query[field]}</h3>
      <QueryCodeEditor
        label={`${words.query[field]}. ${hint}`}
        mode={kind}
        value={value}
        keep={{ in: kept, as: field }}
        knowledge={useKnowledge()}
        onChange={(text) => actions.type('aggregate', { [field]: text })}
        onRun={() => void actions.run()}
        problems={useProblemMarks(field)}
      />
    </div>
  );
}

function AggregateOptions() {
  const { actions } = useTab('query');
  const inputs = useTabState('query', (state) => state.text.aggregate);
  const problems = useTabState('query', (state) => state.problems);
  const field = (name: Exclude<keyof AggregateText, 'match' | 'group' | 'project'>) => ({
    name,
    label: name === 'limit' ? words.query.limitOfGroup : words.query[name],
    value: inputs[name],
    onChange: (text: string) => actions.type('aggregate', { [name]: text }),
    problem: problems[name]?.message,
    mono: true,
  });
  return (
    <OptionsForm>
      <TextField {...field('sort')} className="option-wide" placeholder={words.query.sortHint} />
      <TextField {...field('limit')} className="option-middle" inputMode="numeric" />
      <TextField {...field('skip')} className="option-narrow" inputMode="numeric" />
      <OptionFindings />
    </OptionsForm>
  );
}
