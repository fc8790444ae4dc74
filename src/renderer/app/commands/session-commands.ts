import type { Session } from '../../contexts.ts';
import type { AppCommands, TabCommands, TabsCommands } from '../../features/commands/command-table.ts';
import { openAnother } from '../../features/query/open-query.ts';
import { activeTab, selectedWells } from '../../features/tabs/tabs.ts';
import { tabsCommands } from '../../features/tabs/tabs-commands.ts';
import { openUpload } from '../../features/upload/open-upload.ts';
import { openBrowse } from '../../features/wells/browse-kind.ts';

/** The commands of an open connection. */
export interface SessionCommands {
  /** Commands of the window that act on the connection. */
  readonly app: Pick<AppCommands, 'tabNew' | 'browse' | 'upload' | 'noWells'>;
  readonly tabs: TabsCommands;
  /** Those of the tab with the focus; null: no tab is open. */
  readonly tab: () => TabCommands | null;
}

/** The commands of an open connection; they load with its code. */
export function sessionCommands(session: Session): SessionCommands {
  const { tabs, wells, app } = session;
  const state = tabs.store.getState;
  return {
    app: {
      tabNew: () => () => openAnother(session),
      browse: () => () => openBrowse(session),
      upload: () => (app.connections.store.getState().current?.readOnly ? null : () => openUpload(session)),
      noWells: () => (selectedWells(state()).length > 0 ? wells.actions.deselectAll : null),
    },
    tabs: tabsCommands(tabs),
    tab() {
      const tab = activeTab(state());
      return tab && (tab.content?.commands(tab, session) ?? {});
    },
  };
}
