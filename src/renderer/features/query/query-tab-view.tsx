import { useEffect, useMemo, useRef, type KeyboardEvent } from 'react';
import { Group, Panel, Separator, type PanelImperativeHandle } from 'react-resizable-panels';
import type { QuestionText } from '../../../shared/query/question.ts';
import { liveFieldOf } from '../live/live-field.ts';
import type { QuestionLinks } from '../results/links.ts';
import { ResultsView } from '../results/results-view.tsx';
import { TabContext, useApp, useSession, useTabState } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';
import { AskForm } from './ask-form.tsx';
import { mayAsk } from './bound-query.ts';
import { useIsCurrent } from './question-parts.ts';
import { QuestionForm } from './question-form.tsx';
import { CarryOffer } from './mode-switch.tsx';
import type { QueryTab } from './query-tab.ts';
import { ScopeBar, ScopeNotice } from './range/scope-bar.tsx';
import { CountProblem, RunBar } from './run-bar.tsx';
import './query.css';

function useQuestionKeys({ actions }: QueryTab) {
  const { commandOf } = useApp().commands.actions;
  return (event: KeyboardEvent) => {
    const command = commandOf(event.nativeEvent);
    if (command !== 'run' && command !== 'count') return;
    event.preventDefault();
    event.stopPropagation();
    void actions[command]();
  };
}

/** One question and its answer: the editor above, the answer below, the divider moves. */
export function QueryTabView({ tab }: { tab: QueryTab }) {
  const openLive = useSession().openLive;
  const links = useMemo((): QuestionLinks => {
    const { dataset } = tab;
    const { sortBy, filterBy, exportAnswer } = tab.actions;
    return {
      onSort: sortBy,
      onFilter: filterBy,
      onExport: (request, fields) => exportAnswer({ request, fields }),
      ...(liveFieldOf(dataset) && { onFollow: (request) => openLive(dataset, request) }),
    };
  }, [tab, openLive]);
  return (
    <TabContext value={useMemo(() => ({ query: tab }), [tab])}>
      <Group orientation="vertical" className="query-tab">
        <QuestionPanel tab={tab} />
        <Separator className="divider divider-row" />
        <Panel id="answer" minSize="120px">
          <Answer tab={tab} links={links} />
        </Panel>
      </Group>
    </TabContext>
  );
}

function Answer({ tab, links }: { tab: QueryTab; links: QuestionLinks }) {
  const isCurrent = useIsCurrent('run');
  const run = () => void tab.actions.run();
  return <ResultsView results={tab.results} links={links} isEarlier={!isCurrent} onRun={run} />;
}

/**
 * Three editors with what is found in them, and fields for what is asked, want more room than a query, cards with what
 * comes out of a stage the most; it goes back with them, and whoever moves the divider keeps that. In pixels.
 */
const room = { forQuery: 280, forParts: 340, forCards: 460 };

function roomFor(text: QuestionText): number {
  if (text.mode === 'pipeline' && text.pipeline.view === 'cards') return room.forCards;
  return text.mode !== 'find' || mayAsk(text) ? room.forParts : room.forQuery;
}

function QuestionPanel({ tab }: { tab: QueryTab }) {
  const panel = useRef<PanelImperativeHandle>(null);
  const onKeys = useQuestionKeys(tab);
  const wanted = useTabState('query', ({ text }) => roomFor(text));
  // What it had before it was given more, and how much that was.
  const given = useRef<{ readonly before: number; readonly size: number } | null>(null);
  useEffect(() => {
    if (!panel.current) return;
    const size = panel.current.getSize().inPixels;
    const last = given.current;
    const before = last && Math.abs(size - last.size) < 1 ? last.before : size;
    const next = wanted > room.forQuery ? Math.max(before, wanted) : before;
    if (next !== size) panel.current.resize(`${String(next)}px`);
    given.current = next > before ? { before, size: next } : null;
  }, [wanted]);
  return (
    <Panel
      id="question"
      panelRef={panel}
      defaultSize={`${String(room.forQuery)}px`}
      minSize="132px"
      maxSize="70%"
      groupResizeBehavior="preserve-pixel-size"
    >
      {/* The capture comes before the editor, which has a meaning of its own for these keys. */}
      <section
        className="query-question"
        data-question
        aria-label={words.query.region}
        onKeyDownCapture={onKeys}
      >
        <RunBar />
        <CountProblem />
        <ScopeBar />
        <ScopeNotice />
        <CarryOffer />
        <AskForm />
        <QuestionForm />
      </section>
    </Panel>
  );
}
