import { Copy, Download, FileDown, Maximize2, Minimize2, Radio } from 'lucide-react';
import { useEffect, type RefObject } from 'react';
import { formatBytes } from '../../format/numbers.ts';
import { formatDuration } from '../../format/times.ts';
import { Button } from '../../ui/button.tsx';
import type { GridControl } from '../../ui/grid/index.ts';
import { PartsMenuButton, type MenuPart } from '../../ui/menu-button.tsx';
import { Status } from '../../ui/status.tsx';
import { words } from '../../words/words.ts';
import { useCommand, useShortcut } from '../commands/use-command.ts';
import { ColumnChooser } from './column-chooser.tsx';
import { FindBox } from './find-box.tsx';
import { ViewChoice } from './look-choices.tsx';
import { copyFormats, savedFormats, type SavedFormat } from '../records/copied.ts';
import { useTab, useTabState } from '../../state/contexts.ts';
import { shownColumns } from './grid-view.ts';
import { isAll, isLimited, resultsViews, type Answered } from './results.ts';
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
  const { actions } = useTab('results');
  const view = useTabState('results', (state) => state.view);
  const zone = useTabState('results', (state) => state.zone);
  return (
    <div className="answer-bar">
      <ViewChoice value={view} of={resultsViews} onChange={actions.lookAt} />
      <Reach answered={answered} />
      <Follow asked={answered.asked} />
      <Said />
      {answered.records > 0 && (
        <span className="answer-tools">
          {view !== 'plot' && (
            <>
              <FindBox answered={answered} control={control} />
              <ColumnChooser answered={answered} />
              <CopyMenu answered={answered} control={control} />
            </>
          )}
          <ZoneBox value={zone} wells={wells} raw onChange={actions.show} />
        </span>
      )}
      <Maximize />
    </div>
  );
}

/** Gives the answer the room of the question, and gives it back. */
function Maximize() {
  const { onMaximize, isMaximized = false } = useTab('links');
  useCommand('maximize', onMaximize ? () => onMaximize(!isMaximized) : null);
  const keys = useShortcut('maximize');
  if (!onMaximize) return null;
  const label = isMaximized ? words.results.restore : words.results.maximize;
  return (
    <Button
      variant="quiet"
      icon={isMaximized ? Minimize2 : Maximize2}
      aria-label={label}
      keys={keys}
      onPress={() => onMaximize(!isMaximized)}
    />
  );
}

/** How many records there are, and the way to the others where the limit was reached. */
function Reach({ answered }: { answered: Answered }) {
  const { actions } = useTab('results');
  const view = useTabState('results', (state) => state.view);
  const { known, complete, bytes } = useShape(answered.held);
  const limited = isLimited(answered);
  return (
    <span className="answer-reach">
      <Status className="numbers">
        {complete ? words.results.records(known) : words.results.recordsSoFar(known)}
        {limited && <span className="quiet"> · {words.results.limited}</span>}
        <span className="quiet answer-cost">
          {' · '}
          {formatDuration(answered.ms)} · {formatBytes(bytes)}
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

/** Follows what was asked. */
function Follow({ asked }: Pick<Answered, 'asked'>) {
  const { onFollow } = useTab('links');
  if (asked.kind !== 'find' || !onFollow) return null;
  return (
    <Button variant="quiet" icon={Radio} onPress={() => onFollow(asked.request)}>
      {words.live.follow}
    </Button>
  );
}

const saidForMs = 4000;

/** What was done last that can't be seen. */
function Said() {
  const { actions } = useTab('results');
  const said = useTabState('results', (state) => state.said);
  useEffect(() => {
    if (said === null) return undefined;
    const timer = setTimeout(() => actions.say(null), saidForMs);
    return () => clearTimeout(timer);
  }, [said, actions]);
  return <Status className="answer-said">{said}</Status>;
}

const exportItem = { id: 'export', text: words.results.copying.export, icon: Download } as const;
const saveId = (format: SavedFormat) => `save-${format}`;

/** Copies or saves the selected rows, or those that are loaded; all that match are exported. */
function CopyMenu({ answered, control }: AnswerBarPart) {
  const copy = useCopy(answered);
  const { onExport } = useTab('links');
  const view = useTabState('results', (state) => state.grid);
  const { asked, held } = answered;
  const say = words.results.copying;
  const formats = (of: 'selected' | 'loaded') => [
    ...copyFormats.map((id) => ({ id: `${of} ${id}`, text: say.formats[id], icon: Copy })),
    ...savedFormats.map((id) => ({ id: `${of} ${saveId(id)}`, text: say.saveFormats[id], icon: FileDown })),
  ];
  const selectedRows = () => {
    const rows = control.current?.selected() ?? [];
    return rows.length > 1 ? rows : [];
  };
  const parts = (): MenuPart[] => {
    const { held: loaded, rows, complete, gaps } = held.shape();
    const all = isAll(answered, loaded);
    const selected = selectedRows().length;
    const loadedHeading = all
      ? say.all(loaded)
      : say.loaded(loaded, complete && !isLimited(answered) ? rows : null, gaps);
    return [
      ...(selected > 0
        ? [{ id: 'selected', heading: say.selected(selected), items: formats('selected') }]
        : []),
      { id: 'loaded', heading: loadedHeading, items: formats('loaded') },
      ...(!all && onExport && asked.kind === 'find'
        ? [{ id: 'matching', heading: say.matching, items: [exportItem] }]
        : []),
    ];
  };
  return (
    <PartsMenuButton
      label={say.label}
      icon={Copy}
      parts={parts}
      onChoose={(id) => {
        const [of, what] = id.split(' ');
        const rows = of === 'selected' ? selectedRows() : null;
        const format = copyFormats.find((each) => each === what);
        const file = savedFormats.find((each) => saveId(each) === what);
        if (format) void copy.rows(rows, format);
        if (file) void copy.save(rows, file);
        if (id === exportItem.id && asked.kind === 'find') {
          const paths = shownColumns(held.shape().columns, view).map(({ path }) => path.join('.'));
          onExport?.(asked.request, view.hidden.length > 0 ? paths : null);
        }
      }}
    />
  );
}
