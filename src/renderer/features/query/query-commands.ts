import { toAppError } from '../../../shared/errors/errors.ts';
import type { CopyLanguage } from '../../../shared/query/query.ts';
import type { QuestionMode } from '../../../shared/query/question.ts';
import type { Session } from '../../contexts.ts';
import { copyText } from '../../ui/clipboard.ts';
import { words } from '../../words/words.ts';
import type { Action, TabCommands } from '../commands/command-table.ts';
import { liveFieldOf, openLive } from '../live/live-kind.ts';
import type { CopyFormat } from '../records/row-writer.ts';
import { isLimited } from '../results/limits.ts';
import type { ResultsView } from '../../../shared/tabs/results-view.ts';
import type { Result } from '../results/results.ts';
import { zoneCommands } from '../results/times/zone-commands.ts';
import type { Tab } from '../tabs/tabs.ts';
import { sentRequest } from './query-request.ts';
import type { QueryTab } from './query-tab.ts';

/** Copies the request of the result, or of the query as typed. The bar of the result says so. */
async function copyRequest({ actions, results }: QueryTab, language: CopyLanguage): Promise<void> {
  const { request } = words.query;
  try {
    const sent = sentRequest(results.store.getState().answer);
    const { copies } = await actions.describe(sent?.asked ?? null);
    const isCopied = await copyText(copies[language]);
    results.actions.showNotice(isCopied ? request.copied(request.languages[language]) : words.notCopied);
  } catch (error) {
    results.actions.showNotice(toAppError(error).message);
  }
}

/** The commands of a query and its result. */
export function queryCommands(query: QueryTab, { id: tab }: Pick<Tab, 'id'>, session: Session): TabCommands {
  const { store, results, actions } = query;
  const isInMode = (mode: QuestionMode): boolean => store.getState().text.mode === mode;
  /** What shows in the query, which maximized results hide. */
  const inQuery = (act: () => void) => () => {
    results.actions.maximize(false);
    act();
  };
  const switchTo = (mode: QuestionMode) => (): Action =>
    isInMode(mode) ? null : inQuery(() => actions.switchTo(mode));
  const isSummary = (): boolean => isInMode('pipeline') && store.getState().text.pipeline.view === 'summary';
  const setView = (view: ResultsView) => (): Action =>
    results.store.getState().view === view ? null : () => results.actions.setView(view);
  // A statement is no request of a service.
  const copyAs = (language: CopyLanguage) => (): Action =>
    isInMode('sql') && !sentRequest(results.store.getState().answer)
      ? null
      : () => void copyRequest(query, language);
  const ofResult = (action: (result: Result) => Action) => (): Action => {
    const { lastResult } = results.store.getState();
    return lastResult ? action(lastResult) : null;
  };
  const ofTable = (action: () => void) =>
    ofResult(({ records }) => {
      const { view } = results.store.getState();
      return records > 0 && (view === 'table' || view === 'both') ? action : null;
    });
  const copyRows = (format: CopyFormat) => ofTable(() => results.actions.request(format));
  return {
    run: () => () => void actions.run(),
    count: () => (actions.canCount() ? inQuery(() => void actions.count()) : null),
    stop: () => {
      const isRunning = results.store.getState().answer.status === 'running';
      return isRunning || store.getState().count.status === 'running' ? actions.cancel : null;
    },
    maximize: () => {
      const { isMaximized, lastResult } = results.store.getState();
      const isAvailable = isMaximized || lastResult !== null;
      return isAvailable ? () => results.actions.maximize(!isMaximized) : null;
    },
    find: ofTable(() => results.actions.request('find')),
    calculate: ofTable(() => results.actions.request('calculate')),
    // The rows of a statement have a button of their own.
    export: () => (isInMode('sql') ? null : () => actions.showExport(true)),
    save: () => () => session.tabs.actions.showForm({ tab, form: 'save' }),
    askFind: switchTo('find'),
    askSummary: () => (isSummary() ? null : () => void actions.summarize(null)),
    askPipeline: switchTo('pipeline'),
    askSql: switchTo('sql'),
    viewTable: setView('table'),
    viewPlot: setView('plot'),
    viewBoth: setView('both'),
    viewQuality: setView('quality'),
    showAll: ofResult((result) =>
      result.asked.kind === 'find' && isLimited(result) ? () => void results.actions.showAll() : null,
    ),
    follow: ofResult(({ asked }) => {
      if (asked.kind !== 'find' || liveFieldOf(query.dataset) === null) return null;
      return () => openLive(session, query.dataset, asked.request);
    }),
    ...zoneCommands(results),
    zoneOther: ofResult(({ records }) => (records > 0 ? () => results.actions.pickZone(true) : null)),
    copyTsv: copyRows('tsv'),
    copyCsv: copyRows('csv'),
    copyJson: copyRows('json'),
    copyMarkdown: copyRows('markdown'),
    copyCurl: copyAs('curl'),
    copyPowershell: copyAs('powershell'),
    copyPython: copyAs('python'),
    copyTypescript: copyAs('typescript'),
    copyCommand: copyAs('command'),
  };
}
