import { useState } from 'react';
import { useStore } from 'zustand';
import { Alert } from '../../../ui/alert.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { Empty } from '../../../ui/faces.tsx';
import { words } from '../../../words/words.ts';
import { useTab } from '../context.ts';
import { QueryCodeEditor } from '../editing/query-code-editor.tsx';
import { useKnowledge } from '../knowledge.ts';
import { objectIn } from '../text/outline.ts';
import { replaceSpan } from '../text/edits.ts';
import { refusalOf } from './refusal.ts';
import { StageForm, stagesWithForm } from './stage-form.tsx';
import type { StageCard } from './stage-list.ts';
import { StagePreview } from './stage-preview.tsx';

type As = 'form' | 'text';
const ways: { id: As; text: string }[] = [
  { id: 'form', text: words.stages.asForm },
  { id: 'text', text: words.stages.asText },
];

/** The stage that is looked at: a form or its text, why it is refused, and what comes out of it. */
export function StageDetail({ cards }: { cards: readonly StageCard[] }) {
  const chosen = useStore(useTab().cards.store, (state) => state.chosen);
  const at = cards.findIndex(({ id }) => id === chosen);
  const card = cards[at];
  if (!card) return <Empty>{words.stages.choose}</Empty>;
  return (
    <div className="stage-detail">
      <Stage key={card.id} card={card} name={words.stages.name(at + 1, card.operator)} />
      <StagePreview off={!card.on} />
    </div>
  );
}

function Stage({ card, name }: { card: StageCard; name: string }) {
  const [as, setAs] = useState<As>('form');
  const { actions } = useTab().cards;
  const { operator, body, text, on } = card;
  const refused = refusalOf(operator);
  const hasForm = operator !== null && stagesWithForm.has(operator);
  const write = (next: string) => {
    const entry = objectIn(text)?.items[0];
    if (entry) actions.rewrite(card.id, replaceSpan(text, entry.value, next));
  };
  return (
    <section className="stage-edit" aria-label={name}>
      <div className="stage-edit-head">
        <h3 className="part-heading">{name}</h3>
        {on && hasForm && (
          <Choice label={words.stages.show} layout="line" value={as} options={ways} onChange={setAs} />
        )}
      </div>
      {on && refused && <Alert tone="error">{words.stages.refused[refused]}</Alert>}
      {!on && <p className="scope-note">{words.stages.offNote}</p>}
      {on && hasForm && as === 'form' && <StageForm operator={operator} body={body} onChange={write} />}
      {on && !(hasForm && as === 'form') && <StageText card={card} name={name} />}
    </section>
  );
}

function StageText({ card, name }: { card: StageCard; name: string }) {
  const tab = useTab();
  return (
    <QueryCodeEditor
      label={words.stages.stageText(name)}
      mode="stage"
      value={card.text}
      knowledge={useKnowledge()}
      onChange={(text) => tab.cards.actions.rewrite(card.id, text)}
      onRun={() => void tab.actions.run()}
    />
  );
}
