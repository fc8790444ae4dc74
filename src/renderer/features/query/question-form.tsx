import { Form } from '../../ui/form.tsx';
import { lazy, Suspense, type ReactNode } from 'react';
import type { FindText } from '../../../shared/query/question.ts';
import { useTab, useTabState, useApp, useAppState } from '../../contexts.ts';
import { Loading } from '../../ui/view-states.tsx';
import { ListField } from '../../ui/list-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { words } from '../../words/words.ts';
import { OptionFindings } from './editing/findings.tsx';
import { QueryCodeEditor } from './editing/query-code-editor.tsx';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { readList } from '../../../shared/value-lists.ts';

const w = words.query;

// Loaded when first needed: few queries are pipelines.
const PipelineForm = lazy(() => import('./stages/pipeline-form.tsx'));
const SqlForm = lazy(() => import('./sql/sql-form.tsx'));

export function QuestionForm() {
  const mode = useTabState('query', (state) => state.text.mode);
  if (mode === 'find') return <FindForm />;
  const isSql = mode === 'sql';
  return (
    <Suspense fallback={<Loading what={isSql ? words.sql.loading : words.stages.loading} />}>
      {isSql ? <SqlForm /> : <PipelineForm />}
    </Suspense>
  );
}

/** Enter runs the query. */
export function OptionsForm({ children }: { children: ReactNode }) {
  const { actions } = useTab('query');
  return (
    <Form className="query-options row wrap items-start faint-above" onSubmit={() => void actions.run()}>
      {children}
      {/* A form with several fields needs a submit button for Enter. */}
      <button type="submit" hidden tabIndex={-1} aria-hidden="true" />
    </Form>
  );
}

function FindForm() {
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
    isInline: true,
  });
  return (
    <>
      <QueryCodeEditor
        label={`${w.editor}. ${w.editorHint}`}
        mode="query"
        field="query"
        value={inputs.query}
        onChange={(query) => actions.type('find', { query })}
      />
      <OptionsForm>
        <TextField {...field('sort')} className="option-wide" placeholder={w.sortHint} />
        <ListField {...field('fields')} kind="words" className="option-wide" placeholder={w.fieldsHint} />
        <TextField {...field('limit')} className="option-narrow" inputMode="numeric" />
        <TextField {...field('skip')} className="option-narrow" inputMode="numeric" />
        <OptionFindings />
      </OptionsForm>
    </>
  );
}

/** Whether the text of a find, its sort, fields, limit, and skip are open: in all tabs, where the user left them. */
export function useFold(): { readonly isOpen: boolean; readonly setOpen: (isOpen: boolean) => void } {
  const { query } = useApp().settings.actions.places;
  const isOpen = useAppState('settings', (state) => state.stored.remembered?.query === 'open');
  return { isOpen, setOpen: (open) => query.setItem('query', open ? 'open' : 'folded') };
}

/** Whether the question of a tab shows its text: that of a find is folded, unless the user opened it or it has a problem. */
export function useIsTextShown(): boolean {
  const { isOpen } = useFold();
  return useTabState('query', ({ text, revealsText }) => text.mode !== 'find' || isOpen || revealsText);
}

/** Opens and folds the text of a find, and says what a folded one has besides its conditions. */
export function FoldButton({ text }: { text: FindText }) {
  const { actions } = useTab('query');
  const { setOpen } = useFold();
  const isShown = useIsTextShown();
  const { fold, folded } = words.query;
  const { limit } = actions.initialFind();
  const fields = readList(text.fields, 'words').length;
  const parts = [
    ...(text.limit.trim() === limit ? [] : [folded.limit(text.limit)]),
    ...(['', '0'].includes(text.skip.trim()) ? [] : [folded.skip(text.skip)]),
    ...(fields === 0 ? [] : [folded.fields(fields)]),
  ];
  return (
    <Button
      variant="quiet"
      className="min-0 push"
      icon={isShown ? ChevronDown : ChevronRight}
      aria-expanded={isShown}
      onPress={() => {
        setOpen(!isShown);
        actions.collapseText();
      }}
    >
      {fold}
      {!isShown && parts.length > 0 && <span className="quiet ellipsis"> {parts.join(' · ')}</span>}
    </Button>
  );
}
