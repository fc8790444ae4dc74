import type { Action, TabCommands } from '../commands/command-table.ts';
import { zoneCommands } from '../results/times/zone-commands.ts';
import type { LiveState, LiveTab } from './live-tab.ts';

/** The commands of a live view. */
export function liveCommands({ store, actions }: Pick<LiveTab, 'store' | 'actions'>): TabCommands {
  const setView = (view: LiveState['view']) => (): Action =>
    store.getState().view === view ? null : () => actions.setView(view);
  return { viewTable: setView('table'), viewPlot: setView('plot'), ...zoneCommands({ store, actions }) };
}
