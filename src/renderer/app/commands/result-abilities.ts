import { toAppError } from '../../../shared/errors/errors.ts';
import type { CopyLanguage } from '../../../shared/query/query.ts';
import type { TimeView } from '../../../shared/settings/settings.ts';
import type { Abilities, Ability } from '../../features/commands/commands.ts';
import { liveFieldOf } from '../../features/live/live-field.ts';
import type { QueryTab } from '../../features/query/query-tab.ts';
import { isLimited } from '../../features/results/limits.ts';
import type { Result, ResultsView } from '../../features/results/results.ts';
import { copyText } from '../../ui/clipboard.ts';
import { words } from '../../words/words.ts';
import type { Session } from '../session.ts';
import type { Tab } from '../tabs.ts';

type Run = (() => void) | null;
type ResultSession = Pick<Session, 'tabs' | 'openLive'>;

/** Copies the request of the result, or of the query as typed. The bar of the result says so. */
async function copyRequest({ actions, results }: QueryTab, language: CopyLanguage): Promise<void> {
  const { answer } = results.store.getState();
  const { request } = words.query;
  try {
    const { copies } = await actions.describe(answer.status === 'loaded' ? answer.value.asked : null);
    const isCopied = await copyText(copies[language]);
    results.actions.showNotice(isCopied ? request.copied(request.languages[language]) : words.notCopied);
  } catch (error) {
    results.actions.showNotice(toAppError(error).message);
  }
}

/** Commands for the result of the active tab: a query's, or a live view. */
export function resultAbilities(session: () => ResultSession | null): Abilities {
  function activeTab(): Tab | null {
    const { tabs, active } = session()?.tabs.store.getState() ?? { tabs: [], active: null };
    return tabs.find(({ id }) => id === active) ?? null;
  }
  const ofQuery =
    (can: (tab: QueryTab) => Run): Ability =>
    () => {
      const tab = activeTab();
      return tab?.kind === 'query' ? can(tab.model) : null;
    };
  /** A command for a loaded result. */
  const ofResult = (can: (tab: QueryTab, result: Result) => Run): Ability =>
    ofQuery((tab) => {
      const { answer } = tab.results.store.getState();
      return answer.status === 'loaded' ? can(tab, answer.value) : null;
    });
  const view =
    (wanted: ResultsView): Ability =>
    () => {
      const tab = activeTab();
      if (tab?.kind === 'live')
        return (wanted !== 'table' && wanted !== 'plot') || tab.model.store.getState().view === wanted
          ? null
          : () => tab.model.actions.setView(wanted);
      if (tab?.kind !== 'query') return null;
      const { store, actions } = tab.model.results;
      return store.getState().view === wanted ? null : () => actions.setView(wanted);
    };
  const zone =
    (wanted: TimeView): Ability =>
    () => {
      const tab = activeTab();
      if (tab?.kind !== 'query' && tab?.kind !== 'live') return null;
      const { store, actions } = tab.kind === 'query' ? tab.model.results : tab.model;
      return store.getState().zone === wanted ? null : () => actions.show(wanted);
    };
  const copy = (language: CopyLanguage): Ability => ofQuery((tab) => () => void copyRequest(tab, language));
  return {
    viewTable: view('table'),
    viewPlot: view('plot'),
    viewBoth: view('both'),
    viewQuality: view('quality'),
    zoneUtc: zone('utc'),
    zoneLocal: zone('local'),
    zoneWell: zone('well'),
    showAll: ofResult(({ results }, result) =>
      result.asked.kind === 'find' && isLimited(result) ? () => void results.actions.showAll() : null,
    ),
    follow: ofResult(({ dataset }, { asked }) => {
      const { openLive } = session() ?? {};
      if (asked.kind !== 'find' || !openLive || liveFieldOf(dataset) === null) return null;
      return () => openLive(dataset, asked.request);
    }),
    copyCurl: copy('curl'),
    copyPowershell: copy('powershell'),
    copyPython: copy('python'),
    copyTypescript: copy('typescript'),
    copyCommand: copy('command'),
  };
}
