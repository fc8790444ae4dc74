import { useState, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { Alert } from '../../../ui/alert.tsx';
import { OptionGroup } from '../../../ui/option-group.tsx';
import { Empty, Failed, Loading } from '../../../ui/view-states.tsx';
import { words } from '../../../words/words.ts';
import { QueryCodeEditor } from '../editing/query-code-editor.tsx';
import { objectOutlineOf } from '../../../../shared/language/text/outline.ts';
import { replaceSpan } from '../../../../shared/language/text/edits.ts';
import { useTab, useTabState } from '../../../contexts.ts';
import { refusalOf, type StageCard, type StageProblem } from './stage-list.ts';
import { StageForm, stagesWithForm } from './form/stage-form.tsx';
import { stringifyJson, isObject, type JsonValue } from '../../../../shared/json.ts';
import { formatDuration } from '../../../format/times.ts';
import { parameterParts } from '../question-parts.ts';
import { useTabWells } from '../../tabs/use-tab-wells.ts';

type StageView = 'form' | 'text';
const stageViews: { id: StageView; text: string }[] = [
  { id: 'form', text: words.stages.asForm },
  { id: 'text', text: words.stages.asText },
];

interface StageDetailProps {
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

/** Updates the preview when parameters of the stages change, such as the selected wells. */
function useRefreshPreview(): void {
  const { cards, values } = useTab('query');
  useTabWells();
  const parameters = useTabState('query', ({ text }) => parameterParts(text, values).join(''));
  const shown = useRef(parameters);
  useEffect(() => {
    if (shown.current === parameters) return;
    shown.current = parameters;
    cards.actions.refreshPreview();
  }, [cards, parameters]);
}

/** The first documents after the selected stage. */
function StagePreview({ off }: { off: boolean }) {
  const { store } = useTab('query').cards;
  useRefreshPreview();
  const preview = useStore(store, (state) => state.preview);
  const { preview: phrases } = words.stages;
  return (
    <section className="stage-preview" aria-label={phrases.heading}>
      <h3 className="part-heading">
        {phrases.heading}
        {preview.status === 'loaded' && (
          <span className="quiet numbers">
            {' · '}
            {phrases.documents(preview.value.documents.length)}
            {preview.value.sampled !== null && ` ${phrases.sampled(preview.value.sampled)}`}
            {' · '}
            {formatDuration(preview.value.ms)}
          </span>
        )}
      </h3>
      {off && <p className="field-note">{phrases.switchedOff}</p>}
      {preview.status === 'loading' && <Loading what={phrases.loading} />}
      {preview.status === 'failed' && <Failed error={preview.error} />}
      {preview.status === 'loaded' && <Documents documents={preview.value.documents} />}
    </section>
  );
}

function Documents({ documents }: { documents: readonly JsonValue[] }) {
  if (documents.length === 0) return <p className="quiet">{words.stages.preview.none}</p>;
  return (
    <ol className="documents">
      {documents.map((document, at) => (
        // oxlint-disable-next-line no-array-index-key -- documents have no identity but their place
        <li key={at} className="stage-document">
          {isObject(document) ? (
            Object.entries(document).map(([key, value]) => (
              <span key={key} className="document-field">
                <span className="document-key">{key}</span> {stringifyJson(value)}
              </span>
            ))
          ) : (
            <span className="document-field">{stringifyJson(document)}</span>
          )}
        </li>
      ))}
    </ol>
  );
}
