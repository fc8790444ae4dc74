import { useState } from 'react';
import { useStore } from 'zustand';
import { Alert } from '../../../ui/alert.tsx';
import { OptionGroup } from '../../../ui/option-group.tsx';
import { Empty } from '../../../ui/view-states.tsx';
import { words } from '../../../words/words.ts';
import { QueryCodeEditor } from '../editing/query-code-editor.tsx';
import { objectOutlineOf } from '../../../../shared/language/text/outline.ts';
import { replaceSpan } from '../../../../shared/language/text/edits.ts';
import { useTab } from '../../../contexts.ts';
import { refusalOf, type StageCard, type StageProblem } from './stage-list.ts';
import { StageForm, stagesWithForm } from './form/stage-form.tsx';
import { StagePreview } from './stage-preview.tsx';

type StageView = 'form' | 'text';
const stageViews: { id: StageView; text: string }[] = [
  { id: 'form', text: words.stages.asForm },
  { id: 'text', text: words.stages.asText },
];

export interface StageDetailProps {
  readonly cards: readonly StageCard[];
  /** The problem that stopped the last run, for one of the stages. */
  readonly problem: StageProblem | null;
}

/** The selected stage: a form or its text, its problem, and its output. */
export function StageDetail({ cards, problem }: StageDetailProps) {
  const chosen = useStore(useTab('query').cards.store, (state) => state.selected);
  const at = cards.findIndex(({ id }) => id === chosen);
  const card = cards[at];
  if (!card) return <Empty>{words.stages.choose}</Empty>;
  return (
    <div className="stage-detail">
      <Stage
        key={card.id}
        card={card}
        name={words.stages.name(at + 1, card.operator)}
        wrong={problem?.at === at ? problem : null}
      />
      {(!card.on || refusalOf(card.operator) === null) && <StagePreview off={!card.on} />}
    </div>
  );
}

interface StageProps {
  readonly card: StageCard;
  readonly name: string;
  readonly wrong: StageProblem | null;
}

function Stage({ card, name, wrong }: StageProps) {
  const [as, setAs] = useState<StageView>('form');
  const { actions } = useTab('query').cards;
  const { operator, body, text, on } = card;
  const refused = refusalOf(operator);
  const hasForm = operator !== null && stagesWithForm.has(operator);
  const write = (next: string) => {
    const entry = objectOutlineOf(text)?.items[0];
    if (entry) actions.rewrite(card.id, replaceSpan(text, entry.value, next));
  };
  return (
    <section className="stage-edit" aria-label={name}>
      <div className="stage-edit-head">
        <h3 className="part-heading">{name}</h3>
        {on && hasForm && (
          <OptionGroup
            label={words.stages.show}
            layout="line"
            value={as}
            options={stageViews}
            onChange={setAs}
          />
        )}
      </div>
      {on && refused && (
        <Alert isStrip tone="error">
          {words.stages.refused[refused]}
        </Alert>
      )}
      {on && !refused && wrong && hasForm && as === 'form' && (
        <Alert isStrip tone="error">
          {wrong.message}
        </Alert>
      )}
      {!on && <p className="stage-note">{words.stages.offNote}</p>}
      {on && hasForm && as === 'form' && <StageForm operator={operator} body={body} onChange={write} />}
      {on && !(hasForm && as === 'form') && <StageText card={card} name={name} wrong={wrong} />}
    </section>
  );
}

function StageText({ card, name, wrong }: StageProps) {
  const { actions } = useTab('query').cards;
  return (
    <QueryCodeEditor
      label={words.stages.stageText(name)}
      mode="stage"
      value={card.text}
      onChange={(text) => actions.rewrite(card.id, text)}
      problem={wrong}
    />
  );
}
