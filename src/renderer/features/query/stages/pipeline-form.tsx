import type { QuestionText } from '../../../../shared/query/question.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { useTab, useTabState } from '../../../contexts.ts';
import { words } from '../../../words/words.ts';
import { stageProblem, type StageCard, refusalOf, type StageProblem } from './stage-cards.ts';
import { Plus, CircleAlert, GripVertical, X } from 'lucide-react';
import { lazy, Suspense, useEffect, useMemo, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { OptionGroup } from '../../../ui/option-group.tsx';
import { Empty, Loading, Failed } from '../../../ui/view-states.tsx';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { QueryCodeEditor } from '../editing/query-code-editor.tsx';
import './stages.css';
import { stringifyJson, isObject, type JsonValue } from '../../../../shared/json.ts';
import { formatDuration } from '../../../format/times.ts';
import { parameterKey } from '../question-keys.ts';
import { useTabWells } from '../../tabs/use-tab-wells.ts';
import { Button as AriaButton } from 'react-aria-components/Button';
import { GridList, GridListItem } from 'react-aria-components/GridList';
import { Switch } from 'react-aria-components/Switch';
import { useDragAndDrop } from 'react-aria-components/useDragAndDrop';

const w = words.stages;

interface StagesProps {
  readonly cards: readonly StageCard[];
  /** The problem that stopped the last run, for one of the stages. */
  readonly problem: StageProblem | null;
}

function StageList({ cards, problem }: StagesProps) {
  const { actions, store } = useTab('query').cards;
  const chosen = useStore(store, (state) => state.selected);
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': String(key) })),
    onReorder({ keys, target }) {
      const at = cards.findIndex(({ id }) => id === target.key);
      const before = target.dropPosition === 'before' ? at : at + 1;
      actions.move(new Set([...keys].map(String)), cards[before]?.id ?? null);
    },
  });
  return (
    <MoveByKey>
      <GridList
        aria-label={w.list}
        className="stage-list"
        items={cards}
        dependencies={[problem?.at]}
        selectionMode="single"
        selectionBehavior="replace"
        selectedKeys={chosen === null ? [] : [chosen]}
        onSelectionChange={(keys) => {
          const [id] = keys === 'all' ? [] : keys;
          if (id !== undefined) actions.select(String(id));
        }}
        dragAndDropHooks={dragAndDropHooks}
      >
        {(card) => {
          const at = cards.indexOf(card);
          return <StageRow card={card} at={at + 1} isWrong={at === problem?.at} />;
        }}
      </GridList>
    </MoveByKey>
  );
}

/** Alt and an arrow key move the focused stage, Delete removes it. */
function MoveByKey({ children }: { children: ReactNode }) {
  const { actions } = useTab('query').cards;
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, altKey, target } = event;
    const row = target instanceof Element ? target.closest('[role=row]') : null;
    const id = row?.getAttribute('data-key');
    const by = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : 0;
    if (!id || !((altKey && by !== 0) || (key === 'Delete' && target === row))) return;
    event.preventDefault();
    event.stopPropagation();
    if (by !== 0) actions.shift(id, by);
    else actions.remove(id);
  };
  return (
    // oxlint-disable-next-line no-static-element-interactions -- the rows inside are the elements that are acted upon
    <div className="stage-list-keys scroll" onKeyDownCapture={onKeyDown}>
      {children}
    </div>
  );
}

function StageRow({ card, at, isWrong }: { card: StageCard; at: number; isWrong: boolean }) {
  const { actions } = useTab('query').cards;
  const { id, on, operator, body, canSwitch } = card;
  const refused = refusalOf(operator);
  const against = refused ? w.refusedShort[refused] : isWrong ? w.refusedInRun : null;
  const name = w.name(at, operator);
  return (
    <GridListItem
      id={id}
      textValue={`${name}${on ? '' : `, ${w.off}`}`}
      className={`stage-item row faint-below hoverable focus-inside${on ? '' : ' stage-off'}`}
    >
      <AriaButton slot="drag" className="stage-drag center quiet" aria-label={w.move(name)}>
        <GripVertical size={14} aria-hidden />
      </AriaButton>
      <Switch
        className="query-switch row flex-none"
        aria-label={w.turnOn(name)}
        isSelected={on}
        isDisabled={!canSwitch}
        onChange={() => actions.toggle(id)}
      >
        <span className="switch-track relative flex-none" aria-hidden />
      </Switch>
      <span className="stage-operator flex-none mono">{operator ?? '?'}</span>
      {against !== null && on ? (
        <span className="row gap-1 grow tone-error">
          <CircleAlert size={14} aria-hidden /> {against}
        </span>
      ) : (
        <span className="stage-body ellipsis grow mono small quiet">
          {body.replaceAll(/\s+/g, ' ').slice(0, 120)}
        </span>
      )}
      <Button
        variant="quiet"
        icon={X}
        size="small"
        className="flex-none"
        aria-label={w.remove(name)}
        onPress={() => actions.remove(id)}
      />
    </GridListItem>
  );
}

function StageDetail({ cards, problem }: StagesProps) {
  const { actions, store } = useTab('query').cards;
  const chosen = useStore(store, (state) => state.selected);
  const at = cards.findIndex(({ id }) => id === chosen);
  const card = cards[at];
  if (!card) return <Empty>{w.choose}</Empty>;
  const { id, operator, text, on } = card;
  const name = w.name(at + 1, operator);
  const refused = on ? refusalOf(operator) : null;
  return (
    <div className="stack gap-0 min-0 scroll">
      <section key={id} className="stage-edit stack gap-0 flex-none" aria-label={name}>
        <h3 className="part-heading small quiet pad-x-3 pad-y-1">{name}</h3>
        {refused && (
          <Alert isStrip tone="error">
            {w.refused[refused]}
          </Alert>
        )}
        {on ? (
          <QueryCodeEditor
            label={w.stageText(name)}
            mode="stage"
            value={text}
            onChange={(next) => actions.rewrite(id, next)}
            problem={problem?.at === at ? problem : null}
          />
        ) : (
          <p className="query-note quiet pad-x-3">{w.offNote}</p>
        )}
      </section>
      {!refused && <StagePreview off={!on} />}
    </div>
  );
}

/** Updates the preview when parameters of the stages change, such as the selected wells. */
function useRefreshPreview(): void {
  const { cards, values } = useTab('query');
  useTabWells();
  const parameters = useTabState('query', ({ text }) => parameterKey({ text, values: values() }));
  const shown = useRef(parameters);
  useEffect(() => {
    if (shown.current === parameters) return;
    shown.current = parameters;
    cards.actions.refreshPreview();
  }, [cards, parameters]);
}

function StagePreview({ off }: { off: boolean }) {
  const { store } = useTab('query').cards;
  useRefreshPreview();
  const preview = useStore(store, (state) => state.preview);
  const { preview: phrases } = words.stages;
  return (
    <section className="stage-preview grow faint-above pad-x-3" aria-label={phrases.heading}>
      <h3 className="part-heading small quiet">
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
  if (documents.length === 0) return <p className="quiet">{w.preview.none}</p>;
  return (
    <ol className="stack gap-1">
      {documents.map((document, at) => (
        // oxlint-disable-next-line no-array-index-key -- documents have no identity but their place
        <li key={at} className="stage-document round mono small break pad-x-2 pad-y-1">
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

// Loaded with the first summary.
const SummaryForm = lazy(() => import('../summary/summary-form.tsx'));

const views: { id: QuestionText['pipeline']['view']; text: string }[] = [
  { id: 'text', text: w.view.text },
  { id: 'cards', text: w.view.cards },
  { id: 'summary', text: words.summary.region },
];

export default function PipelineForm() {
  const { actions } = useTab('query');
  const view = useTabState('query', (state) => state.text.pipeline.view);
  if (view === 'summary')
    return (
      <Suspense fallback={<Loading what={words.summary.loading} />}>
        <SummaryForm />
      </Suspense>
    );
  return (
    <div className="stack gap-0">
      <div className="pipeline-head row faint-below">
        <OptionGroup
          label={w.view.label}
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

// Each typed letter renders this component, not the whole form.
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
        label={w.add}
        icon={Plus}
        items={Object.entries(newStages).map(([id, stage]) => ({
          id,
          text: id,
          run: () => actions.add(stage),
        }))}
      >
        {w.add}
      </MenuButton>
      <span className="field-note ellipsis grow">{w.listHint}</span>
      {removed && (
        <output className="row gap-1 one-line">
          {w.removed(removed.operator)}{' '}
          <Button variant="quiet" onPress={actions.restoreRemoved}>
            {words.undo}
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
        action={<Button onPress={() => tab.actions.type('pipeline', { view: 'text' })}>{w.toText}</Button>}
      >
        {w.unreadable}
      </Empty>
    );
  const wrong = cardProblem ? cards[cardProblem.at] : undefined;
  return (
    <>
      {/* The selected stage shows its own problem. */}
      {problem && (!wrong || wrong.id !== chosen) && (
        <Alert
          isStrip
          tone="error"
          action={wrong && { text: w.showStage, run: () => actions.select(wrong.id) }}
        >
          {problem.message}
        </Alert>
      )}
      <div className="stage-cards flex-none">
        {cards.length === 0 ? <Empty>{w.empty}</Empty> : <StageList cards={cards} problem={cardProblem} />}
        <StageDetail cards={cards} problem={cardProblem} />
      </div>
    </>
  );
}
