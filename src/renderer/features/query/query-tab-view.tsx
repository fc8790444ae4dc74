import { useLayoutEffect, useMemo, useRef, useState, useEffect, useCallback, type RefObject } from 'react';
import { useViewCall } from '../../state/view-call.ts';
import { useStore } from 'zustand';
import type { QuestionText, QuestionMode } from '../../../shared/query/question.ts';
import {
  rangeFieldOf,
  writeRange,
  readRange,
  type RangeField,
  readScope,
} from '../../../shared/language/text/conditions.ts';
import { liveFieldOf, openLive } from '../live/live-kind.ts';
import {
  type QueryLinks,
  type RecipeChoice,
  firstRecords,
  isSummary,
  sentConditions,
} from '../results/results.ts';
import { ResultsView } from '../results/results-view.tsx';
import { TabContext, useSession, useTabState, useTab, useSessionState } from '../../contexts.ts';
import { NoticesOfTab, Notice } from '../../ui/notices.tsx';
import { SizeDivider } from '../../ui/size-divider.tsx';
import { recipeWords } from '../../words/recipes.ts';
import { words } from '../../words/words.ts';
import { offeredRecipes, useRecipeStart } from './recipes/offered-recipes.ts';
import type { RecipeKind } from './recipes/recipes.ts';
import { useIsCurrent } from './question-keys.ts';
import { QuestionForm, OptionsForm, useIsTextShown } from './question-form.tsx';
import type { QueryTab } from './query-tab.ts';
import { usualGroups } from './summary/summary-choices.ts';
import { ScopeBar } from './range/scope-bar.tsx';
import './query.css';
import './range/range.css';
import {
  parseAnswer,
  type AskType,
  type Parameter,
  requiredAnswers,
  type ParameterValues,
} from '../../../shared/language/parameters.ts';
import { millisecondsOfMoment } from '../../../shared/language/moments.ts';
import { formatMoment } from '../../format/zoned.ts';
import { minuteMs, useTimeOfDay, monotonicClock, useNow } from '../../state/use-now.ts';
import { TextField } from '../../ui/text-field.tsx';
import { parametersOf } from './bound-query.ts';
import { conditionsOf, conditionsOfRequest } from '../datasets/conditions.ts';
import { outsideLists } from '../../../shared/datasets/fields.ts';
import { statesOf } from './filters/filter-values.ts';
import { useFields } from '../datasets/field-catalogue.ts';
import { useTabWells } from '../tabs/use-tab-wells.ts';
import { Braces, Download, Ellipsis, Hash, Play, SlidersHorizontal, Square, Check, Copy } from 'lucide-react';
import { Switch } from 'react-aria-components/Switch';
import { datasetName } from '../../../shared/datasets/datasets.ts';
import { Button } from '../../ui/button.tsx';
import { Popup, PopupAt } from '../../ui/popup.tsx';
import { formatDuration, formatElapsed, formatAgo } from '../../format/times.ts';
import { MenuButton } from '../../ui/menu-button.tsx';
import { Status } from '../../ui/status.tsx';
import { useWidthStep } from '../../ui/use-width.ts';
import { addressText } from '../datasets/search.ts';
import { ExportButton } from '../export/export-button.tsx';
import { useResultsZone } from '../results/times/use-well-zones.ts';
import { withoutProblem, type CalculatedState } from '../results/calculated-columns.ts';
import { canCount, toResultExport, exportQuestion, exportFields, sentRequest } from './query-request.ts';
import {
  copyLanguages,
  type CopyLanguage,
  type DescribedRequest,
  type RecordsRequest,
} from '../../../shared/query/query.ts';
import { useLoaded } from '../../state/resource.ts';
import { copyText } from '../../ui/clipboard.ts';
import { Failed, Loading, Empty } from '../../ui/view-states.tsx';
import { Alert } from '../../ui/alert.tsx';
import { OptionGroup } from '../../ui/option-group.tsx';
import { SelectBox } from '../../ui/select-box.tsx';
import { formatDepth } from '../../format/numbers.ts';
import { valueOr } from '../../state/loadable.ts';
import { timeText } from '../records/shown-cells.ts';
import { rangeBefore, reach } from './latest/latest-record.ts';

/** A summary is a pipeline in the view of its figures. */
const modes: { id: Exclude<QuestionMode, 'aggregate'> | 'summary'; text: string }[] = [
  { id: 'find', text: words.query.modes.find },
  { id: 'summary', text: words.summary.mode },
  { id: 'pipeline', text: words.query.modes.pipeline },
  { id: 'sql', text: words.query.modes.sql },
];

/** @param isNarrow whether the modes have no room side by side */
function ModeSwitch({ isNarrow }: { isNarrow: boolean }) {
  const { actions } = useTab('query');
  const mode = useTabState('query', ({ text }): QuestionMode | 'summary' =>
    text.mode === 'pipeline' && text.pipeline.view === 'summary' ? 'summary' : text.mode,
  );
  const switchTo = (next: QuestionMode | 'summary') => {
    if (next === 'summary') return void actions.summarize(null);
    if (mode === 'summary') actions.type('pipeline', { view: 'text' });
    if (next !== 'pipeline' || mode !== 'summary') actions.switchTo(next);
  };
  const choice = { label: words.query.modes.label, value: mode, options: modes, onChange: switchTo };
  return isNarrow ? <SelectBox {...choice} /> : <OptionGroup layout="line" {...choice} />;
}

/** After a change of mode, at its place and not in the line of notices, where others could hide it: offers to copy the previous mode's query, if that changes anything. */
function CopyQueryOffer() {
  const { actions } = useTab('query');
  const text = useTabState('query', (state) => state.text);
  useTabState('query', (state) => state.previousMode);
  const { carry } = words.query;
  const offer = actions.offeredConversion();
  if (!offer) return null;
  const { from, to, converted } = offer;
  if (!converted)
    return (
      <Alert isStrip tone="info">
        {carry.unreadable}
      </Alert>
    );
  if (JSON.stringify(converted.text[to]) === JSON.stringify(text[to])) return null;
  return (
    <Alert
      isStrip
      tone="info"
      actions={
        <>
          <Button variant="quiet" onPress={actions.convertPrevious}>
            {carry.take}
          </Button>
          <Button variant="quiet" onPress={actions.dismissConversion}>
            {carry.keep}
          </Button>
        </>
      }
    >
      {carry.offer(carry.from[from])}{' '}
      {converted.omitted.length > 0 && carry.left(converted.omitted.join(', '))}
    </Alert>
  );
}

/** The request as it was or would be sent, to read and to copy. */
function RequestView() {
  const { actions, results } = useTab('query');
  const answer = useStore(results.store, (state) => state.run);
  const sent = useMemo(() => sentRequest(answer), [answer]);
  const described = useLoaded(
    useCallback((signal) => actions.describe(sent?.request ?? null, signal), [actions, sent]),
  );
  const { request } = words.query;
  if (described.status === 'failed') return <Failed error={described.error} />;
  if (described.status !== 'loaded') return <Loading what={request.loading} />;
  return (
    <div className="stack">
      <p className="quiet">{sent ? request.sent(formatDuration(sent.ms)) : request.notSent}</p>
      <RequestParts request={described.value} />
      <CopyButtons copies={described.value.copies} />
    </div>
  );
}

function RequestParts({ request: described }: { request: DescribedRequest }) {
  const { request } = words.query;
  const { method, url, headers, body, copies } = described;
  const variable = copies.curl.includes('WELLBENCH_TOKEN') ? 'WELLBENCH_TOKEN' : 'WELLBENCH_API_KEY';
  return (
    <>
      <RequestPart heading={request.address} text={`${method} ${url}`} />
      <RequestPart
        heading={request.headers}
        text={Object.entries(headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n')}
      />
      {body !== null && <RequestPart heading={request.body} text={body} />}
      <p className="field-note">{request.secret(variable)}</p>
    </>
  );
}

function RequestPart({ heading, text }: { heading: string; text: string }) {
  return (
    <section aria-label={heading}>
      <h3 className="part-heading small quiet">{heading}</h3>
      {/* oxlint-disable-next-line no-noninteractive-tabindex -- long ones scroll, by keyboard too */}
      <pre className="request-text code-text box surface-quiet break pad-y-1" tabIndex={0}>
        {text}
      </pre>
    </section>
  );
}

function CopyButtons({ copies }: Pick<DescribedRequest, 'copies'>) {
  const { request } = words.query;
  const [copiedLanguage, setCopied] = useState<CopyLanguage | 'failed' | null>(null);
  return (
    <section aria-label={request.copyAs}>
      <h3 className="part-heading small quiet">{request.copyAs}</h3>
      <div className="request-copies row wrap gap-1">
        {copyLanguages.map((language) => (
          <Button
            key={language}
            icon={copiedLanguage === language ? Check : Copy}
            onPress={() =>
              void copyText(copies[language]).then((isCopied) => setCopied(isCopied ? language : 'failed'))
            }
          >
            {request.languages[language]}
          </Button>
        ))}
      </div>
      <Status className="field-note">
        {copiedLanguage === null
          ? request.shell
          : copiedLanguage === 'failed'
            ? words.notCopied
            : request.copied(request.languages[copiedLanguage])}
      </Status>
    </section>
  );
}

function RunOptionsForm() {
  const { actions } = useTab('query');
  const { options } = words.query;
  const timeout = useTabState('query', (state) => state.text.timeout);
  const countFirst = useTabState('query', (state) => state.text.countFirst);
  const problem = useTabState('query', (state) => state.problems.timeout);
  return (
    <div className="stack">
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
        className="query-switch row flex-none"
        isSelected={countFirst}
        onChange={(isOn) => actions.set({ countFirst: isOn })}
      >
        <span className="switch-track relative flex-none" aria-hidden />
        {options.countFirst}
      </Switch>
      <p className="field-note">{options.countFirstNote}</p>
    </div>
  );
}

/** What opens beside the bar: from a button of its own, or from the menu. */
const popups = {
  options: {
    label: words.query.options.open,
    heading: words.query.options.open,
    icon: SlidersHorizontal,
    isWide: false,
    View: RunOptionsForm,
  },
  request: {
    label: words.query.request.open,
    heading: words.query.request.heading,
    icon: Braces,
    isWide: true,
    View: RequestView,
  },
};
type PopupId = keyof typeof popups;

function PopupButton({ of }: { of: PopupId }) {
  const { label, heading, icon, isWide, View } = popups[of];
  return (
    <Popup isWide={isWide} heading={heading} trigger={{ icon, isWorded: true, 'aria-label': label }}>
      {() => <View />}
    </Popup>
  );
}

/** The minimum widths, in pixels, for the modes side by side, for the export button, and for all buttons. */
const widths = [460, 560, 880] as const;

function RunBar() {
  const { actions, results, dataset } = useTab('query');
  const answer = useStore(results.store, (state) => state.run);
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
    <div className="run-bar toolbar" ref={bar}>
      <ModeSwitch isNarrow={widthStep === 0} />
      <span
        className="query-subject run-text ellipsis"
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
          <PopupButton of="options" />
          <PopupButton of="request" />
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
  const [openPopup, setOpenPopup] = useState<PopupId | null>(null);
  const { query } = words;
  const exporting = { id: 'export', text: query.export, icon: Download, run: () => actions.showExport(true) };
  const items = [
    isCountable && { id: 'count', text: query.count, icon: Hash, run: () => void actions.count() },
    ...(['options', 'request'] as const).map((id) => {
      const { heading, icon } = popups[id];
      return { id, text: heading, icon, run: () => setOpenPopup(id) };
    }),
    canExport && exporting,
  ];
  const shown = openPopup && popups[openPopup];
  return (
    <span ref={place}>
      <MenuButton label={query.more} icon={Ellipsis} items={items} />
      {shown && (
        <PopupAt
          at={place}
          isWide={shown.isWide}
          heading={shown.heading}
          placement="bottom end"
          onClose={() => setOpenPopup(null)}
        >
          <shown.View />
        </PopupAt>
      )}
      {canExport && <ExportPopup at={place} />}
    </span>
  );
}

const noCalculated: CalculatedState = { columns: [], facts: new Map(), merged: null };

function ExportPopup({ at }: { at?: RefObject<Element | null> }) {
  const { target, actions, results } = useTab('query');
  const zone = useResultsZone(results);
  const sample = useCallback((isCalculating: boolean) => firstRecords(results, isCalculating), [results]);
  const mode = useTabState('query', (state) => state.text.mode);
  const exporting = useTabState('query', (state) => state.exporting);
  const exported = exporting?.result ?? null;
  const fields = useMemo(() => exported && exportFields(exported), [exported]);
  const calculatedColumns = useStore(results.calculated.store);
  const computesPath = useStore(results.store, ({ lastResult }) => lastResult?.computesPath);
  const hasSummary = useStore(
    results.store,
    ({ lastResult }) => lastResult !== null && isSummary(lastResult),
  );
  const calculated = useMemo(
    () =>
      hasSummary && !exported
        ? noCalculated
        : { ...calculatedColumns, columns: withoutProblem(calculatedColumns) },
    [hasSummary, exported, calculatedColumns],
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
      computesPath={computesPath}
      calculated={calculated}
      calculation={results.calculated.actions.current}
      isOpen={exporting !== null}
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
      <span className="run-text ellipsis grow end quiet numbers">
        <Status>{words.query.counting}</Status> {formatElapsed(now - counted.since)}
      </span>
    );
  if (counted.status !== 'loaded' || !isCurrent) return <span className="run-text grow" />;
  return (
    <Status className="run-text ellipsis grow end numbers">
      {words.query.counted(counted.value.count)}
      <span className="quiet"> · {formatDuration(counted.value.ms)}</span>
    </Status>
  );
}

/** Why the last count failed, as long as the query hasn't changed. */
function CountProblem() {
  const counted = useTabState('query', (state) => state.count);
  const isCurrent = useIsCurrent('counted');
  return counted.status === 'failed' && isCurrent ? (
    <Notice tone="error">{counted.error.message}</Notice>
  ) : null;
}

/** The parameters that the bar of wells and range shows, as written. */
function barParameters(text: QuestionText, path: string | null, field: RangeField | null): Set<string> {
  const conditions = conditionsOf(text);
  if (conditions === null) return new Set();
  const range = field && readRange(conditions, field);
  const bounds = range?.kind === 'range' ? [range.from, range.to] : [];
  const moments = bounds.flatMap((bound) => (bound?.kind === 'moment' ? [bound.written] : []));
  const isScope = path !== null && readScope(conditions, path).kind === 'chosen';
  return new Set([...moments, ...(isScope ? ['wells'] : [])]);
}

/** A form for `{{ask:…}}` parameters, with the values of those that no other part shows. */
function ParameterForm() {
  const text = useTabState('query', (state) => state.text);
  const { dataset, scopePath, focusAnswer } = useTab('query');
  const parameters = useMemo(() => parametersOf(text), [text]);
  const section = useRef<HTMLElement>(null);
  useViewCall(focusAnswer, (missing) => {
    const fields = [...(section.current?.querySelectorAll('input') ?? [])];
    fields.find(({ name }) => name === missing)?.focus();
  });
  if (parameters.length === 0) return null;
  const inBar = barParameters(text, scopePath(), rangeFieldOf(dataset.type));
  const otherParameters = new Map(
    parameters.flatMap(({ written, parameter }) =>
      parameter && parameter.kind !== 'ask' && !inBar.has(written) ? [[written, parameter] as const] : [],
    ),
  );
  const answers = requiredAnswers(parameters);
  if (otherParameters.size === 0 && answers.length === 0) return null;
  return (
    <section
      ref={section}
      className="query-asks row wrap gap-0 faint-below"
      aria-label={words.query.asks.region}
    >
      {answers.length > 0 && (
        <OptionsForm>
          {answers.map((answer) => (
            <ParameterField key={answer.name} {...answer} />
          ))}
        </OptionsForm>
      )}
      {otherParameters.size > 0 && (
        <dl className="ask-values row wrap small pad-x-3 pad-y-1">
          {[...otherParameters].map(([written, parameter]) => (
            <ParameterValue key={written} written={written} parameter={parameter} />
          ))}
        </dl>
      )}
    </section>
  );
}

function ParameterField({ name, type }: { name: string; type: AskType | null }) {
  const { actions, values } = useTab('query');
  const text = useTabState('query', (state) => state.text.answers[name] ?? '');
  const answer = text.trim() === '' ? null : parseAnswer(text, type, values());
  return (
    <TextField
      className="ask-field"
      isInline
      label={name}
      name={name}
      value={text}
      onChange={(typed) => actions.answer(name, typed)}
      problem={typeof answer === 'string' ? answer : undefined}
      placeholder={type === null ? words.query.asks.any : words.query.asks.types[type]}
      mono
    />
  );
}

function resolvedText(
  parameter: Parameter,
  { wells, company, now, zone }: Omit<ParameterValues, 'answers'>,
): string {
  const { asks } = words.query;
  if (parameter.kind === 'wells')
    return wells.length === 0
      ? asks.noWells
      : `${asks.wells(wells.length)}: ${wells.slice(0, 5).join(', ')}${wells.length > 5 ? ' …' : ''}`;
  if (parameter.kind === 'company') return company === null ? asks.noCompany : String(company);
  if (parameter.kind === 'ask') return '';
  const ms = millisecondsOfMoment(parameter.moment, now, zone);
  return ms === undefined ? words.unknown : `${formatMoment(ms - (ms % 1000), 'utc')} UTC`;
}

function ParameterValue({ written, parameter }: { written: string; parameter: Parameter }) {
  const { values } = useTab('query');
  useTabWells();
  useTimeOfDay(parameter.kind === 'moment' ? 1000 : minuteMs);
  return (
    <div className="row">
      <dt className="mono">{`{{${written}}}`}</dt>
      <dd className="quiet numbers">{resolvedText(parameter, values())}</dd>
    </div>
  );
}

export default function QueryTabView({ tab }: { tab: QueryTab }) {
  const session = useSession();
  const isMaximized = useStore(tab.results.store, (state) => state.isMaximized);
  const startRecipe = useRecipeStart(tab);
  const fields = useFields(tab.dataset)?.fields;
  const links = useMemo((): QueryLinks => {
    const { dataset } = tab;
    const { sortBy, filterBy, exportResult, change } = tab.actions;
    const field = rangeFieldOf(dataset.type);
    const offered = offeredRecipes(dataset);
    const recipe = (kind: RecipeKind): RecipeChoice => ({
      text: recipeWords.kinds[kind],
      start: (path) => startRecipe(kind, path, sentConditions(tab.results)),
    });
    return {
      onSort: sortBy,
      onFilter: filterBy,
      fieldPaths: outsideLists(fields ?? []).flatMap(({ path, types }) =>
        types.includes('object') ? [] : [path],
      ),
      onExport: (request, fields) => exportResult({ request, fields }),
      renderEmpty: (request) => <EmptyResult tab={tab} request={request} />,
      onSummarize: (parts) => void tab.actions.summarize(parts),
      recipes: { ofQuery: offered.ofQuery.map(recipe), ofColumn: offered.ofColumn.map(recipe) },
      statesOf: (request) =>
        statesOf(conditionsOfRequest(request) ?? '', fields ?? []).map(
          (id) => words.query.filter.quick.names[id],
        ),
      meanGroups: usualGroups({ type: dataset.type, wellPath: tab.scopePath() }),
      ...(field && { range: { field, use: (range) => change((text) => writeRange(text, field, range)) } }),
      ...(liveFieldOf(dataset) && { onFollow: (request) => openLive(session, dataset, request) }),
    };
  }, [tab, session, startRecipe, fields]);
  return (
    <TabContext value={useMemo(() => ({ query: tab }), [tab])}>
      <NoticesOfTab>
        <div className="stack gap-0 full">
          {isMaximized ? <CountProblem /> : <QuestionPart />}
          <div className="fill" data-help="look.md">
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
      <section
        ref={section}
        className="query-question stack gap-0 scroll-y surface"
        aria-label={words.query.region}
      >
        <RunBar />
        <CountProblem />
        <ScopeBar />
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

/** Says that no records match, and which record is the latest if the range excludes it. */
export function EmptyResult({ tab, request }: { tab: QueryTab; request: RecordsRequest }) {
  const { actions, dataset, store, results } = tab;
  const field = useMemo(() => rangeFieldOf(dataset.type), [dataset.type]);
  const search = useLoaded(useCallback((signal) => actions.findLatest(request, signal), [actions, request]));
  // If it fails, the sentence is true without it.
  const latest = valueOr(search, null);
  const zone = useTab('shown').zone ?? 'UTC';
  const unit = useStore(results.store, ({ units }) => (field ? units.get(field.path) : undefined));
  const conditions = useStore(store, ({ text }) => conditionsOf(text));
  const now = useTimeOfDay(minuteMs);
  // Other wells may be selected meanwhile: the button runs the query for those.
  useSessionState('tabs', tab.wells);
  if (field === null || latest === null) return <Empty>{words.results.none}</Empty>;
  const { latest: w } = words.query;
  const depth = (amount: number) =>
    unit === undefined ? formatDepth(amount) : `${formatDepth(amount)} ${unit}`;
  const isTime = field.of === 'time';
  const when = isTime ? `${timeText(latest, 'time', zone) ?? String(latest)} ${zone}` : depth(latest);
  const ago = isTime ? formatAgo(new Date(latest).toISOString(), now) : null;
  const canWrite = conditions !== null && readRange(conditions, field).kind === 'range';
  const show = () => {
    actions.change((text) => writeRange(text, field, rangeBefore(latest, field)));
    void actions.run();
  };
  return (
    <Empty
      action={
        canWrite && <Button onPress={show}>{isTime ? w.showTime : w.showDepth(depth(reach.depth))}</Button>
      }
    >
      <Status>
        {words.results.noneInRange}{' '}
        <span className="latest-record numbers">{isTime ? w.time(when, ago) : w.depth(when)}</span>
      </Status>
    </Empty>
  );
}
