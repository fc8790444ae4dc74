import type { QuestionText } from '../../../../shared/query/question.ts';
import type { Problem } from '../../../state/problems.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { useTab, useTabState } from '../../../contexts.ts';
import { words } from '../../../words/words.ts';
import { stageProblem, type StageCard } from './stage-list.ts';
import { Plus } from 'lucide-react';
import { lazy, Suspense, useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { OptionGroup } from '../../../ui/option-group.tsx';
import { Empty, Loading } from '../../../ui/view-states.tsx';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { QueryCodeEditor } from '../editing/query-code-editor.tsx';
import { StageDetail } from './stage-detail.tsx';
import { StageList } from './stage-list-view.tsx';
import './stages.css';

// Loaded with the first summary.
const SummaryForm = lazy(() => import('../summary/summary-form.tsx'));

interface StagesAlertProps {
  readonly problem: Problem;
  /** The stage with the problem; if it is selected, the problem is shown there. */
  readonly card: StageCard | null | undefined;
  readonly chosen: string | null;
}

function StagesAlert({ problem, card, chosen }: StagesAlertProps) {
  const { actions } = useTab('query').cards;
  if (card && card.id === chosen) return null;
  const show = card && (
    <Button variant="quiet" onPress={() => actions.select(card.id)}>
      {words.stages.showStage}
    </Button>
  );
  return (
    <Alert isStrip tone="error" actions={show ?? undefined}>
      {problem.message}
    </Alert>
  );
}

const views: { id: QuestionText['pipeline']['view']; text: string }[] = [
  { id: 'text', text: words.stages.view.text },
  { id: 'cards', text: words.stages.view.cards },
  { id: 'summary', text: words.summary.region },
];

/** A pipeline, as the text of its stages or as cards. */
export function PipelineForm() {
  const { actions } = useTab('query');
  const view = useTabState('query', (state) => state.text.pipeline.view);
  if (view === 'summary')
    return (
      <Suspense fallback={<Loading what={words.summary.loading} />}>
        <SummaryForm />
      </Suspense>
    );
  return (
    <div className="query-pipeline">
      <div className="pipeline-head">
        <OptionGroup
          label={words.stages.view.label}
          layout="line"
          value={view}
          options={views}
          onChange={(next) => actions.type('pipeline', { view: next })}
        />
        {view === 'cards' && <CardsBar />}
      </div>
      {view === 'cards' ? <StageCards /> : <StagesText />}
    </div>
  );
}

function StagesText() {
  const { actions } = useTab('query');
  const stages = useTabState('query', (state) => state.text.pipeline.stages);
  return (
    <QueryCodeEditor
      label={`${words.query.stages}. ${words.query.stagesHint}`}
      mode="stages"
      field="stages"
      value={stages}
      onChange={(text) => actions.type('pipeline', { stages: text })}
    />
  );
}

const newStages: Readonly<Record<string, string>> = {
  $match: '{ $match: {} }',
  $sort: '{ $sort: { timestamp: -1 } }',
  $limit: '{ $limit: 20 }',
  $group: '{ $group: { _id: null, count: { $sum: 1 } } }',
  $project: '{ $project: { _id: 1 } }',
  $addFields: '{ $addFields: {} }',
  $unwind: '{ $unwind: "$data" }',
  $skip: '{ $skip: 0 }',
  $count: '{ $count: "count" }',
};

function CardsBar() {
  const { actions, store } = useTab('query').cards;
  const removed = useStore(store, (state) => state.removed);
  return (
    <>
      <MenuButton
        label={words.stages.add}
        icon={Plus}
        items={Object.keys(newStages).map((id) => ({ id, text: id }))}
        onSelect={(operator) => actions.add(newStages[operator] ?? '{ $match: {} }')}
      >
        {words.stages.add}
      </MenuButton>
      <span className="field-note pipeline-hint">{words.stages.listHint}</span>
      {removed && (
        <output className="pipeline-removed">
          {words.stages.removed(removed.operator)}{' '}
          <Button variant="quiet" onPress={actions.restoreRemoved}>
            {words.stages.putBack}
          </Button>
        </output>
      )}
    </>
  );
}

function StageCards() {
  const tab = useTab('query');
  const { actions, store } = tab.cards;
  const text = useTabState('query', (state) => state.text.pipeline.stages);
  const problem = useTabState('query', (state) => state.problems.stages);
  const cards = useStore(store, (state) => state.cards);
  const chosen = useStore(store, (state) => state.selected);
  const cardProblem = useMemo(() => stageProblem(text, problem), [text, problem]);
  useEffect(() => actions.follow(text), [actions, text]);
  if (!cards)
    return (
      <Empty
        action={
          <Button onPress={() => tab.actions.type('pipeline', { view: 'text' })}>
            {words.stages.toText}
          </Button>
        }
      >
        {words.stages.unreadable}
      </Empty>
    );
  return (
    <>
      {problem && (
        <StagesAlert problem={problem} card={cardProblem && cards[cardProblem.at]} chosen={chosen} />
      )}
      <div className="stage-cards">
        {cards.length === 0 ? (
          <Empty>{words.stages.empty}</Empty>
        ) : (
          <StageList cards={cards} problemIndex={cardProblem?.at ?? null} />
        )}
        <StageDetail cards={cards} problem={cardProblem} />
      </div>
    </>
  );
}
