import { Copy, FileDown } from 'lucide-react';
import { useEffect, type RefObject } from 'react';
import { formatBytes } from '../../format/numbers.ts';
import { formatDuration } from '../../format/times.ts';
import { Button } from '../../ui/button.tsx';
import type { GridControl } from '../../ui/grid/index.ts';
import { MenuButton } from '../../ui/menu-button.tsx';
import { Status } from '../../ui/status.tsx';
import { words } from '../../words/words.ts';
import { FollowButton } from '../live/follow-button.tsx';
import { ColumnChooser } from './column-chooser.tsx';
import { useResults, useResultsState } from './context.ts';
import { FindBox } from './find-box.tsx';
import { ViewChoice } from './look-choices.tsx';
import { copyFormats, savedFormats, type SavedFormat } from './records/copied.ts';
import { isLimited, resultsViews, type Answered } from './results.ts';
import { useCopy } from './use-copy.ts';
import type { WellZones } from './times/well-zones.ts';
import { ZoneBox } from './times/zone-box.tsx';
import { useShape } from './use-shape.ts';

interface AnswerBarPart {
  readonly answered: Answered;
  readonly control: RefObject<GridControl | null>;
}

interface AnswerBarProps extends AnswerBarPart {
  readonly wells: WellZones;
}

/** What is to be said of an answer, and how it is looked at. */
export function AnswerBar({ answered, control, wells }: AnswerBarProps) {
  const { actions, dataset } = useResults();
  const view = useResultsState((state) => state.view);
  const zone = useResultsState((state) => state.zone);
  return (
    <div className="answer-bar">
      <ViewChoice value={view} of={resultsViews} onChange={actions.lookAt} />
      <Reach answered={answered} />
      <FollowButton dataset={dataset} asked={answered.asked} />
      <Said />
      {answered.records > 0 && (
        <span className="answer-tools">
          {view !== 'plot' && (
            <>
              <FindBox key={answered.held.id} answered={answered} control={control} />
              <ColumnChooser answered={answered} />
              <CopyMenu answered={answered} control={control} />
            </>
          )}
          <ZoneBox value={zone} wells={wells} raw onChange={actions.show} />
        </span>
      )}
    </div>
  );
}

/** How many records there are, and the way to the others where the limit was reached. */
function Reach({ answered }: { answered: Answered }) {
  const { actions } = useResults();
  const view = useResultsState((state) => state.view);
  const { known, complete } = useShape(answered.held);
  const limited = isLimited(answered);
  return (
    <span className="answer-reach">
      <Status className="numbers">
        {complete ? words.results.records(known) : words.results.recordsSoFar(known)}
        {limited && <span className="quiet"> · {words.results.limited}</span>}
        <span className="quiet answer-cost">
          {' · '}
          {formatDuration(answered.ms)} · {formatBytes(answered.bytes)}
        </span>
      </Status>
      {/* A plot says so itself. */}
      {limited && view === 'table' && answered.asked.kind === 'find' && (
        <Button variant="quiet" onPress={() => void actions.showAll()}>
          {words.results.showAll}
        </Button>
      )}
    </span>
  );
}

const saidForMs = 4000;

/** What was done last that can't be seen. */
function Said() {
  const { actions } = useResults();
  const said = useResultsState((state) => state.said);
  useEffect(() => {
    if (said === null) return undefined;
    const timer = setTimeout(() => actions.say(null), saidForMs);
    return () => clearTimeout(timer);
  }, [said, actions]);
  return <Status className="answer-said">{said}</Status>;
}

const saveId = (format: SavedFormat) => `save-${format}`;

/** Copies or saves the selected rows, or all that are loaded where none is selected. */
function CopyMenu({ answered, control }: AnswerBarPart) {
  const copy = useCopy(answered);
  return (
    <MenuButton
      label={words.results.copyAs}
      icon={Copy}
      items={[
        ...copyFormats.map((id) => ({ id, text: words.results.copyFormats[id] })),
        ...savedFormats.map((id) => ({
          id: saveId(id),
          text: words.results.saveFormats[id],
          icon: FileDown,
        })),
      ]}
      onChoose={(id) => {
        const format = copyFormats.find((each) => each === id);
        const file = savedFormats.find((each) => saveId(each) === id);
        const selected = control.current?.selected() ?? [];
        const rows = selected.length > 1 ? selected : null;
        if (format) void copy.rows(rows, format);
        if (file) void copy.save(rows, file);
      }}
    />
  );
}
