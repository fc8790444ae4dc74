import { clockDifference } from '../../../shared/workspace/workspace.ts';
import type * as z from 'zod';
import { visibleLine, visibleText } from '../../../shared/errors/visible-text.ts';
import type { about, SystemNotice, Notice } from '../../../shared/workspace/workspace.ts';
import type { ModuleHandlers } from '../../core/handlers.ts';
import type { calls } from '../../../shared/contract/contract.ts';
import { diagnosticsText, type DiagnosticsDependencies } from './diagnostics.ts';
import { keptView, plainView, withViewChange, type KeptView } from '../../../shared/tabs/grid-view.ts';
import { listReader, openSharedFile } from '../../core/files/shared-file.ts';

export type About = z.infer<typeof about>;

/** Data of other modules for diagnostics. */
type DiagnosticsSources = Pick<DiagnosticsDependencies, 'settings' | 'connections' | 'jobs' | 'clean'>;

/** What belongs to the window as a whole: who we are, and how columns were left. */
export function createWorkspace(
  about: About,
  dataFolder: string,
  {
    warn,
    notify,
    ...diagnosticsSources
  }: {
    readonly warn: (sentence: string) => void;
    readonly notify: (notice: SystemNotice) => void;
  } & DiagnosticsSources,
): ModuleHandlers<(typeof calls)['workspace']> {
  return {
    ...createViews(dataFolder, warn),
    about: async () => about,
    notify: async ({ title, body }) => {
      notify({ title: visibleLine(title), body: visibleText(body) });
      return {};
    },
    diagnostics: async () => ({
      text: await diagnosticsText({ about, dataFolder, ...diagnosticsSources }),
    }),
  };
}

const format = 1;
/** Maximum number of datasets; the least recently changed one is dropped. */
const maxViews = 500;

/** The column layouts of datasets: `<data>/views.json`, independent of the connection. */
export function createViews(
  dataFolder: string,
  warn: (sentence: string) => void,
): Pick<ModuleHandlers<(typeof calls)['workspace']>, 'view' | 'changeView'> {
  const { locked, write } = openSharedFile({
    dataFolder,
    name: 'views',
    format,
    nothing: [],
    read: listReader('views', keptView),
    what: 'columns of datasets',
    warn,
  });
  const isOf =
    ({ provider, dataset }: Pick<KeptView, 'provider' | 'dataset'>) =>
    (savedView: KeptView) =>
      savedView.provider === provider && savedView.dataset === dataset;

  return {
    view: (of) => locked(async (now) => now.find(isOf(of))?.view ?? plainView),
    changeView: ({ before, view, ...of }) =>
      locked(async (now) => {
        const stored = now.find(isOf(of))?.view ?? plainView;
        const otherViews = now.filter((other) => !isOf(of)(other));
        const changed = { ...of, view: withViewChange(stored, before, view) };
        await write({ views: [changed, ...otherViews].slice(0, maxViews) });
        return {};
      }),
  };
}

/** A notice as a sentence, for the log and the command line. */
export function describeNotice(notice: Notice): string {
  if (notice.kind === 'retry')
    return `${notice.cause} Trying ${notice.host} again in ${Math.ceil(notice.nextTryMs / 1000)} s.`;
  if (notice.kind === 'clock')
    return `This computer’s clock is ${clockDifference(notice.aheadMs)} that of ${notice.host}, whose time is used for now in queries. Correct this computer’s clock.`;
  const { what, host, count } = notice;
  const entries = count === 1 ? '1 entry' : `${count} entries`;
  return `${entries} of ${what} of ${host} could not be read. The others are shown.`;
}
