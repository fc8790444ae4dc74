import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { QuestionText } from '../../../shared/query/question.ts';
import { rangeFieldOf, writeRange } from '../../../shared/language/text/range.ts';
import { liveFieldOf, openLive } from '../live/live-kind.ts';
import type { QueryLinks } from '../results/links.ts';
import { ResultsView } from '../results/results-view.tsx';
import { TabContext, useSession, useTabState } from '../../contexts.ts';
import { NoticesOfTab } from '../../ui/notices.tsx';
import { SizeDivider } from '../../ui/size-divider.tsx';
import { words } from '../../words/words.ts';
import { EmptyResult } from './latest/empty-result.tsx';
import { ParameterForm } from './parameter-form.tsx';
import { useIsCurrent } from './question-parts.ts';
import { QuestionForm } from './question-form.tsx';
import { CopyQueryOffer } from './mode-switch.tsx';
import { useIsTextShown } from './question-fold.tsx';
import type { QueryTab } from './query-tab.ts';
import { usualGroups } from './summary/summary-choices.ts';
import { ScopeBar, ScopeNotice } from './range/scope-bar.tsx';
import { CountProblem, RunBar } from './run-bar.tsx';
import './query.css';
import './range/range.css';

/** A query and its result, with a divider between them. */
export default function QueryTabView({ tab }: { tab: QueryTab }) {
  const session = useSession();
  const isMaximized = useStore(tab.results.store, (state) => state.isMaximized);
  const links = useMemo((): QueryLinks => {
    const { dataset } = tab;
    const { sortBy, filterBy, exportAnswer, change } = tab.actions;
    const field = rangeFieldOf(dataset.type);
    return {
      onSort: sortBy,
      onFilter: filterBy,
      onExport: (request, fields) => exportAnswer({ request, fields }),
      renderEmpty: (request) => <EmptyResult tab={tab} request={request} />,
      onSummarize: (parts) => void tab.actions.summarize(parts),
      meanGroups: usualGroups({ type: dataset.type, wellPath: tab.scopePath() }),
      ...(field && { range: { field, use: (range) => change((text) => writeRange(text, field, range)) } }),
      ...(liveFieldOf(dataset) && { onFollow: (request) => openLive(session, dataset, request) }),
    };
  }, [tab, session]);
  return (
    <TabContext value={useMemo(() => ({ query: tab }), [tab])}>
      <NoticesOfTab>
        <div className="query-tab">
          {isMaximized ? <CountProblem /> : <QuestionPart />}
          <div className="query-answer" data-help="look.md">
            <ResultPanel tab={tab} links={links} />
          </div>
        </div>
      </NoticesOfTab>
    </TabContext>
  );
}

function ResultPanel({ tab, links }: { tab: QueryTab; links: QueryLinks }) {
  const isCurrent = useIsCurrent('run');
  const run = () => void tab.actions.run();
  return <ResultsView results={tab.results} links={links} isEarlier={!isCurrent} onRun={run} />;
}

/** Heights in pixels: of a line of code, of what an editor adds to its lines, and of cards of a pipeline. */
const heights = { line: 20, around: 16, heading: 24, cards: 400, summary: 92, sql: 230, min: 36 };
const lines = { find: 1, part: 3, max: 8 };

const linesIn = (text: string): number => text.trimEnd().split('\n').length;

/** The height that a question's text needs, from one line to eight. */
function heightFor({ mode, find, pipeline }: QuestionText): number {
  if (mode === 'find') return heightOf(find.query, lines.find);
  if (mode === 'sql') return heights.sql;
  return pipeline.view === 'text'
    ? heightOf(pipeline.stages, lines.part) + heights.heading
    : heights[pipeline.view];
}

const heightOf = (text: string, minLines: number): number =>
  Math.min(Math.max(minLines, linesIn(text)), lines.max) * heights.line + heights.around;

/** The question as high as its text, until the person moves the divider. */
function QuestionPart() {
  const needed = useTabState('query', ({ text }) => heightFor(text));
  const [chosen, setChosen] = useState<number | null>(null);
  const height = chosen ?? needed;
  const isTextShown = useIsTextShown();
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    section.current?.style.setProperty('--question-height', `${String(height)}px`);
  }, [height]);
  return (
    <>
      <section ref={section} className="query-question" aria-label={words.query.region}>
        <RunBar />
        <CountProblem />
        <ScopeBar />
        <ScopeNotice />
        <CopyQueryOffer />
        <ParameterForm />
        {isTextShown && <QuestionForm />}
      </section>
      {isTextShown && (
        <SizeDivider
          part="above"
          label={words.query.height}
          value={height}
          min={heights.min}
          onChange={setChosen}
          onReset={() => setChosen(null)}
        />
      )}
    </>
  );
}
