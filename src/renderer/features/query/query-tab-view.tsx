import { Group, Panel, Separator } from 'react-resizable-panels';
import { ResultsView } from '../results/results-view.tsx';
import { useWells } from '../wells/context.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { words } from '../../words/words.ts';
import { sameScope } from '../wells/wells.ts';
import { ProvideQueryTab, useTab, useTabState } from './context.ts';
import { QueryEditor } from './query-editor.tsx';
import { QueryOptions } from './query-options.tsx';
import type { QueryTab } from './query-tab.ts';
import { CountProblem, RunBar } from './run-bar.tsx';
import './query.css';

/** One question and its answer: the editor above, the answer below, the divider moves. */
export function QueryTabView({ tab }: { tab: QueryTab }) {
  return (
    <ProvideQueryTab value={tab}>
      <Group orientation="vertical" className="query-tab">
        <Panel
          id="question"
          defaultSize="216px"
          minSize="132px"
          maxSize="70%"
          groupResizeBehavior="preserve-pixel-size"
        >
          <section className="question" aria-label={words.query.region}>
            <RunBar />
            <CountProblem />
            <OtherWells />
            <QueryEditor />
            <QueryOptions />
          </section>
        </Panel>
        <Separator className="divider divider-row" />
        <Panel id="answer" minSize="120px">
          <ResultsView results={tab.results} onRun={() => void tab.actions.run()} />
        </Panel>
      </Group>
    </ProvideQueryTab>
  );
}

/**
 * Says when the chosen wells are others than those the query was filled in for, and offers to put them in; and when
 * there are none at all.
 */
function OtherWells() {
  const { actions } = useTab();
  const own = useTabState((state) => state.wells);
  const touched = useTabState((state) => state.touched);
  const chosen = useWells((state) => state.chosen);
  if (sameScope(own, chosen))
    return own.length > 0 || touched ? null : <Alert tone="info">{words.query.noScope}</Alert>;
  const fill = (
    <Button variant="quiet" onPress={() => actions.fillIn(chosen)}>
      {words.query.takeWells}
    </Button>
  );
  return (
    <Alert tone="info" actions={fill}>
      {words.query.otherWells}
    </Alert>
  );
}
