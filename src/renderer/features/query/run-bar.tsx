import { Braces, Download, Ellipsis, Hash, Play, SlidersHorizontal, Square } from 'lucide-react';
import { Switch } from 'react-aria-components/Switch';
import { datasetName } from '../../../shared/datasets/datasets.ts';
import { Button } from '../../ui/button.tsx';
import { Popup, PopupAt } from '../../ui/popup.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useTab, useTabState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { useStore } from 'zustand';
import { formatDuration, formatElapsed } from '../../format/times.ts';
import { monotonicClock, useNow } from '../../state/use-now.ts';
import { Notice } from '../../ui/notices.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { Status } from '../../ui/status.tsx';
import { useWidthStep } from '../../ui/use-width.ts';
import { addressText } from '../datasets/search.ts';
import { ExportButton } from '../export/export-button.tsx';
import { firstRecords } from '../results/results.ts';
import { useResultsZone } from '../results/use-result-zones.ts';
import { useIsTextShown } from './question-fold.tsx';
import { useIsCurrent } from './question-parts.ts';
import { withoutProblem, type CalculatedState } from '../results/calculated-columns.ts';
import { canCount, toResultExport, exportQuestion, exportFields } from './query-request.ts';
import { ModeSwitch } from './mode-switch.tsx';
import { RequestView, RequestButton } from './request-popup.tsx';
import './run-bar.css';

function RunOptions() {
  const { options } = words.query;
  return (
    <Popup
      heading={options.open}
      trigger={<Button icon={SlidersHorizontal} isWorded variant="quiet" aria-label={options.open} />}
    >
      {() => <RunOptionsForm />}
    </Popup>
  );
}

function RunOptionsForm() {
  const { actions } = useTab('query');
  const { options } = words.query;
  const timeout = useTabState('query', (state) => state.text.timeout);
  const countFirst = useTabState('query', (state) => state.text.countFirst);
  const problem = useTabState('query', (state) => state.problems.timeout);
  return (
    <div className="run-options">
      <TextField
        label={options.timeout}
        name="timeout"
        value={timeout}
        onChange={(text) => actions.set({ timeout: text })}
        placeholder={options.timeoutHint}
        note={options.timeoutNote}
        problem={problem?.message}
        inputMode="numeric"
      />
      <Switch
        className="query-switch"
        isSelected={countFirst}
        onChange={(isOn) => actions.set({ countFirst: isOn })}
      >
        <span className="switch-track" aria-hidden />
        {options.countFirst}
      </Switch>
      <p className="field-note">{options.countFirstNote}</p>
    </div>
  );
}

/** The minimum widths, in pixels, for the modes side by side, for the export button, and for all buttons. */
const widths = [460, 560, 880] as const;

/** Runs, counts, cancels, and exports the query of the tab. */
export function RunBar() {
  const { actions, results, dataset } = useTab('query');
  const answer = useStore(results.store, (state) => state.answer);
  const counted = useTabState('query', (state) => state.count);
  const mode = useTabState('query', (state) => state.text.mode);
  const runButton = useRef<HTMLButtonElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const widthStep = useWidthStep(bar, widths);
  const isTextShown = useIsTextShown();
  const focuses = useTabState('query', (state) => state.focusesEditor);
  useEffect(() => {
    if (!focuses || isTextShown) return;
    runButton.current?.focus();
    actions.focusEditor(false);
  }, [focuses, isTextShown, actions]);
  const isRunning = answer.status === 'running' || counted.status === 'running';
  const isSql = mode === 'sql';
  const isCountable = canCount({ mode });
  return (
    <div className="run-bar" ref={bar}>
      <ModeSwitch isNarrow={widthStep === 0} />
      <span
        className="query-subject ellipsis"
        title={[addressText(dataset), dataset.description].filter(Boolean).join('\n')}
      >
        {!isSql && datasetName(dataset)}
      </span>
      <CountResult />
      {isRunning && (
        <Button
          icon={Square}
          onPress={() => {
            actions.cancel();
            // The pressed button disappears; the focus moves to the one beside it.
            runButton.current?.focus();
          }}
        >
          {words.cancel}
        </Button>
      )}
      <Button
        ref={runButton}
        data-tour="run"
        variant="primary"
        icon={Play}
        isPending={answer.status === 'running'}
        onPress={() => void actions.run()}
      >
        {words.query.run}
      </Button>
      {widthStep === 3 && isCountable && (
        <Button icon={Hash} isPending={counted.status === 'running'} onPress={() => void actions.count()}>
          {words.query.count}
        </Button>
      )}
      {!isSql && widthStep === 3 && (
        <>
          <RunOptions />
          <RequestButton />
        </>
      )}
      {!isSql && widthStep < 3 && <MoreMenu isCountable={isCountable} canExport={widthStep < 2} />}
      {!isSql && widthStep > 1 && <ExportPopup />}
    </div>
  );
}

/** Actions that don't fit in the bar, as a menu. Their popups open beside it. */
function MoreMenu({ isCountable, canExport }: { isCountable: boolean; canExport: boolean }) {
  const { actions } = useTab('query');
  const place = useRef<HTMLSpanElement>(null);
  const [openPopup, setOpenPopup] = useState<'options' | 'request' | null>(null);
  const { query } = words;
  const acts = {
    count: { text: query.count, icon: Hash, act: () => void actions.count() },
    options: { text: query.options.open, icon: SlidersHorizontal, act: () => setOpenPopup('options') },
    request: { text: query.request.heading, icon: Braces, act: () => setOpenPopup('request') },
    export: { text: query.export, icon: Download, act: () => actions.showExport(true) },
  };
  const shown = (['count', 'options', 'request', 'export'] as const).filter(
    (id) => (id !== 'count' || isCountable) && (id !== 'export' || canExport),
  );
  return (
    <span ref={place}>
      <MenuButton
        label={query.more}
        icon={Ellipsis}
        items={shown.map((id) => ({ id, text: acts[id].text, icon: acts[id].icon }))}
        onSelect={(chosen) => shown.filter((id) => id === chosen).forEach((id) => acts[id].act())}
      />
      {openPopup && (
        <PopupAt
          at={place}
          isWide={openPopup === 'request'}
          heading={openPopup === 'request' ? query.request.heading : query.options.open}
          placement="bottom end"
          onClose={() => setOpenPopup(null)}
        >
          {openPopup === 'request' ? <RequestView /> : <RunOptionsForm />}
        </PopupAt>
      )}
      {canExport && <ExportPopup at={place} />}
    </span>
  );
}

const noCalculated: CalculatedState = { columns: [], facts: new Map() };

function ExportPopup({ at }: { at?: RefObject<Element | null> }) {
  const { target, actions, results } = useTab('query');
  const zone = useResultsZone(results);
  const sample = useCallback((isCalculating: boolean) => firstRecords(results, isCalculating), [results]);
  const mode = useTabState('query', (state) => state.text.mode);
  const exported = useTabState('query', (state) => state.exportSource);
  const exporting = useTabState('query', (state) => state.isExporting);
  const fields = useMemo(() => exported && exportFields(exported), [exported]);
  const calculatedColumns = useStore(results.calculated.store);
  const isSummary = useStore(
    results.store,
    ({ lastResult }) => lastResult?.asked.kind === 'pipeline' && lastResult.computed.size > 0,
  );
  const calculated = useMemo(
    () =>
      isSummary && !exported
        ? noCalculated
        : { ...calculatedColumns, columns: withoutProblem(calculatedColumns) },
    [isSummary, exported, calculatedColumns],
  );
  return (
    <ExportButton
      at={at}
      target={target}
      of={exported ? 'answer' : mode === 'find' ? 'find' : 'whole'}
      question={async () =>
        exported ? toResultExport(exported) : exportQuestion(target, await actions.bound())
      }
      fields={fields}
      zone={zone}
      sample={sample}
      calculated={calculated}
      calculation={results.calculated.actions.current}
      isOpen={exporting}
      onOpenChange={actions.showExport}
    />
  );
}

function CountResult() {
  const counted = useTabState('query', (state) => state.count);
  const isCurrent = useIsCurrent('counted');
  const now = useNow(monotonicClock, 100, counted.status === 'running');
  if (counted.status === 'running')
    return (
      <span className="run-counted quiet numbers">
        <Status>{words.query.counting}</Status> {formatElapsed(now - counted.since)}
      </span>
    );
  if (counted.status !== 'loaded' || !isCurrent) return <span className="run-counted" />;
  return (
    <Status className="run-counted numbers">
      {words.query.counted(counted.value.count)}
      <span className="quiet"> · {formatDuration(counted.value.ms)}</span>
    </Status>
  );
}

/** Why the last count failed, as long as the query hasn't changed. */
export function CountProblem() {
  const counted = useTabState('query', (state) => state.count);
  const isCurrent = useIsCurrent('counted');
  return counted.status === 'failed' && isCurrent ? (
    <Notice tone="error">{counted.error.message}</Notice>
  ) : null;
}
