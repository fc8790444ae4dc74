import type { Session } from '../../contexts.ts';
import type { AppCommands, TabCommands, TabsCommands } from '../../features/commands/command-table.ts';
import { openAnother } from '../../features/query/open-query.ts';
import { activeTab, selectedWells } from '../../features/tabs/tabs.ts';
import { tabsCommands } from '../../features/tabs/tabs-commands.ts';
import { openUpload } from '../../features/upload/open-upload.ts';
import { openBrowse } from '../../features/wells/browse-kind.ts';

export interface SessionCommands {
  /** Commands of the window that act on the connection. */
  readonly app: Pick<AppCommands, 'tabNew' | 'browse' | 'upload' | 'noWells'>;
  readonly tabs: TabsCommands;
  /** Those of the tab with the focus; null: no tab is open. */
  readonly tab: () => TabCommands | null;
}

/** They load with the code of an open connection. */
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
