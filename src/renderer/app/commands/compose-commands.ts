import { createCommands, type Commands } from '../../features/commands/commands.ts';
import type { Composition } from '../compose.ts';
import { entrySources } from './entry-sources.ts';
import { tabAbilities } from './tab-abilities.ts';
import { windowAbilities } from './window-abilities.ts';

/** All that can be done and opened by name, over the features of the window. */
export function composeCommands(parts: Composition): Commands {
  const reach = { ...parts, session: () => parts.sessions.getState().shown };
  const commands = createCommands({
    abilities: { ...windowAbilities(reach), ...tabAbilities(reach.session) },
    sources: entrySources(reach),
  });
  const { store } = parts.settings;
  commands.actions.adopt(store.getState().kept.shortcuts);
  store.subscribe(({ kept }, before) => {
    if (kept !== before.kept) commands.actions.adopt(kept.shortcuts);
  });
  return commands;
}
