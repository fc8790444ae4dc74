import {
  Circle,
  CircleCheck,
  Copy,
  Download,
  FileDown,
  ListEnd,
  Maximize2,
  Minimize2,
  Radio,
} from 'lucide-react';
import { lazy, Suspense, useEffect, type RefObject } from 'react';
import { formatBytes } from '../../format/numbers.ts';
import { formatDuration } from '../../format/times.ts';
import { Button } from '../../ui/button.tsx';
import { countRows, type GridControl } from '../../ui/grid/index.ts';
import { PartsMenuButton, type MenuPart } from '../../ui/menu-button.tsx';
import { Status } from '../../ui/status.tsx';
import { words } from '../../words/words.ts';
import { useShortcut } from '../commands/use-shortcut.ts';
import { ColumnsButton } from './column-chooser.tsx';
import { FindBox } from './find-box.tsx';
import { ViewSelect } from './view-select.tsx';
import { copyFormats, savedFormats, type SavedFormat } from '../records/row-writer.ts';
import { useApp, useAppState, useTab, useTabState } from '../../contexts.ts';
import { shownColumns } from './grid-view.ts';
import { isCompleteResult, isLimited } from './limits.ts';
import { resultsViews } from '../../../shared/tabs/results-view.ts';
import type { Result } from './results.ts';
import { useCopy } from './use-copy.ts';
import { useViewRequest } from './use-view-request.ts';
import type { WellZones } from './times/well-zones.ts';
import { ZoneBox } from './times/zone-box.tsx';
import { useShape } from './use-shape.ts';
import './result-bar.css';

// Loaded with the first result of a pipeline.
const SummaryReach = lazy(() => import('./summary-reach.tsx'));

interface ResultProps {
  readonly result: Result;
  readonly control: RefObject<GridControl | null>;
}

interface ResultBarProps extends ResultProps {
  readonly wells: WellZones;
}

/** Facts about a result, and its display options. */
export function ResultBar({ result, control, wells }: ResultBarProps) {
  const { actions } = useTab('results');
  const view = useTabState('results', (state) => state.view);
  const zone = useTabState('results', (state) => state.zone);
  const isPickingZone = useTabState('results', (state) => state.isPickingZone);
  return (
    <div className="answer-bar">
      <ViewSelect value={view} of={resultsViews} onChange={actions.setView} />
      <RecordCount result={result} />
      <FollowButton asked={result.asked} />
      <ActionNotice />
      {result.records > 0 && (
        <span className="answer-tools">
          {(view === 'table' || view === 'both') && (
            <>
              <FindBox result={result} control={control} />
              <ColumnsButton result={result} />
              <CopyMenu result={result} control={control} />
            </>
          )}
          <ZoneBox
            value={zone}
            wells={wells}
            raw
            onChange={actions.show}
            isPicking={isPickingZone}
            onPick={actions.pickZone}
          />
        </span>
      )}
      <Maximize />
    </div>
  );
}

function Maximize() {
  const { maximize } = useTab('results').actions;
  const isMaximized = useTabState('results', (state) => state.isMaximized);
  const keys = useShortcut('maximize');
  const label = isMaximized ? words.results.restore : words.results.maximize;
  return (
    <Button
      variant="quiet"
      icon={isMaximized ? Minimize2 : Maximize2}
      aria-label={label}
      keys={keys}
      onPress={() => maximize(!isMaximized)}
    />
  );
}

/** The number of records, and a button to load more if the limit was reached. */
function RecordCount({ result }: { result: Result }) {
  const { actions } = useTab('results');
  const view = useTabState('results', (state) => state.view);
  const { knownRows, isComplete, bytes } = useShape(result.held);
  const limited = isLimited(result);
  return (
    <span className="answer-reach">
      <Status className="numbers">
        {isComplete ? words.results.records(knownRows) : words.results.recordsSoFar(knownRows)}
        {limited && <span className="quiet answer-limit"> · {words.results.limited}</span>}
        {result.computedFrom !== undefined && (
          <span> · {words.results.computedFrom(result.computedFrom)}</span>
        )}
        {result.asked.kind === 'pipeline' && (
          <Suspense>
            <SummaryReach result={result} />
          </Suspense>
        )}
        <span className="quiet answer-cost">
          {' · '}
          {formatDuration(result.ms)} · {formatBytes(bytes)}
        </span>
      </Status>
      {/* Plots show this themselves. */}
      {limited && view === 'table' && result.asked.kind === 'find' && (
        <span title={words.results.showAll}>
          <Button variant="quiet" icon={ListEnd} onPress={() => void actions.showAll()}>
            <span className="show-all-text">{words.results.showAll}</span>
          </Button>
        </span>
      )}
    </span>
  );
}

function FollowButton({ asked }: Pick<Result, 'asked'>) {
  const { onFollow } = useTab('links');
  if (asked.kind !== 'find' || !onFollow) return null;
  return (
    <span title={words.live.follow}>
      <Button variant="quiet" icon={Radio} onPress={() => onFollow(asked.request)}>
        <span className="follow-text">{words.live.follow}</span>
      </Button>
    </span>
  );
}

const noticeMs = 4000;

/** The result of the last action, if nothing else shows it. */
function ActionNotice() {
  const { actions } = useTab('results');
  const notice = useTabState('results', (state) => state.notice);
  useEffect(() => {
    if (notice === null) return undefined;
    const timer = setTimeout(() => actions.showNotice(null), noticeMs);
    return () => clearTimeout(timer);
  }, [notice, actions]);
  return <Status className="answer-said">{notice}</Status>;
}

const exportItem = { id: 'export', text: words.results.copying.export, icon: Download } as const;
const unitChoices = ['stored', 'shown'] as const;
const saveId = (format: SavedFormat) => `save-${format}`;

/** Copies or saves the selected or loaded rows. An export includes all matching records. */
function CopyMenu({ result, control }: ResultProps) {
  const copy = useCopy(result);
  const { onExport } = useTab('links');
  const view = useTabState('results', (state) => state.grid);
  const { asked, held } = result;
  const { set } = useApp().settings.actions;
  const units = useAppState('settings', (state) => state.values.copies);
  const hasChanges = Object.keys(useTab('changes')).length > 0;
  const say = words.results.copying;
  const copies = (of: 'selected' | 'loaded') =>
    copyFormats.map((id) => ({ id: `${of} ${id}`, text: say.formats[id], icon: Copy }));
  const files = (of: 'selected' | 'loaded') =>
    savedFormats.map((id) => ({ id: `${of} ${saveId(id)}`, text: say.saveFormats[id], icon: FileDown }));
  const selectedCells = () => control.current?.selected() ?? null;
  useViewRequest((request) => {
    if (request === 'find' || request === 'calculate') return false;
    void copy.rows(selectedCells(), request);
    return true;
  });
  const parts = (): MenuPart[] => {
    const { held: loaded, rows, isComplete, gaps } = held.shape();
    const all = isCompleteResult(result, loaded);
    const selected = selectedCells();
    const total = isComplete && !isLimited(result) ? rows : null;
    const canExport = !all && onExport !== undefined && asked.kind === 'find';
    // A file outlives this menu, which states the gaps: an export has none.
    const loadedFiles = gaps > 0 && canExport ? [] : files('loaded');
    return [
      ...(selected
        ? [
            {
              id: 'selected',
              heading: say.selected(countRows(selected.rows), selected.columns?.length ?? null),
              items: [...copies('selected'), ...files('selected')],
            },
          ]
        : []),
      {
        id: 'loaded',
        heading: all ? say.all(loaded) : say.loaded(loaded, total, gaps),
        items: [...copies('loaded'), ...loadedFiles],
      },
      ...(canExport
        ? [
            {
              id: 'matching',
              heading: say.matching(asked.request.skip === 0 ? total : null),
              items: [exportItem],
            },
          ]
        : []),
      ...(hasChanges
        ? [
            {
              id: 'units',
              heading: say.units,
              items: unitChoices.map((id) => ({
                id: `units ${id}`,
                text: say.unitChoices[id],
                icon: id === units ? CircleCheck : Circle,
              })),
            },
          ]
        : []),
    ];
  };
  return (
    <PartsMenuButton
      label={say.label}
      icon={Copy}
      parts={parts}
      onSelect={(id) => {
        const [of, what] = id.split(' ');
        const cells = of === 'selected' ? selectedCells() : null;
        const format = copyFormats.find((name) => name === what);
        const file = savedFormats.find((saved) => saveId(saved) === what);
        const chosen = unitChoices.find((choice) => `units ${choice}` === id);
        if (chosen) set({ copies: chosen });
        if (format) void copy.rows(cells, format);
        if (file) void copy.save(cells, file);
        if (id === exportItem.id && asked.kind === 'find') {
          const paths = shownColumns(held.shape().columns, view).map(({ path }) => path.join('.'));
          onExport?.(asked.request, view.hidden.length > 0 ? paths : null);
        }
      }}
    />
  );
}
