import type { Theme } from '../../../shared/settings/settings.ts';
import type { Abilities } from '../../features/commands/commands.ts';
import type { Connections } from '../../features/connections/connections.ts';
import type { Doctor } from '../../features/connections/doctor.ts';
import type { Help } from '../../features/help/help.ts';
import type { Jobs } from '../../features/jobs/jobs.ts';
import type { Settings } from '../../features/settings/settings.ts';
import type { Session } from '../session.ts';

export interface WindowParts {
  readonly help: Help;
  readonly connections: Connections;
  readonly doctor: Doctor;
  readonly jobs: Jobs;
  readonly settings: Settings;
  /** Of the connection in view; null: the start screen. */
  readonly session: () => Session | null;
}

/** What can be done in the window, whichever tab is in view. */
export function windowAbilities(parts: WindowParts): Abilities {
  const { help, connections, doctor, jobs, settings, session } = parts;
  const current = () => connections.store.getState().current;
  const theme = (wanted: Theme) => () =>
    settings.store.getState().values.theme === wanted ? null : () => settings.actions.set({ theme: wanted });
  return {
    browse: () => session()?.openBrowse ?? null,
    upload: () => {
      const shown = session();
      return shown && !current()?.readOnly ? () => shown.uploads.open() : null;
    },
    jobs: () => session() && (() => jobs.actions.show(!jobs.store.getState().open)),
    noWells: () => {
      const wells = session()?.wells;
      return wells && wells.store.getState().chosen.length > 0 ? wells.actions.dropAll : null;
    },
    sample: () => (current() ? null : () => void connections.actions.openSample()),
    connections: () => (current() ? connections.actions.leave : null),
    connectionEdit: () => {
      const shown = current();
      const isOwn = shown && !shown.sample && shown.secret !== 'environment';
      return isOwn ? () => connections.actions.edit(shown.id) : null;
    },
    connectionDoctor: () => {
      const shown = current();
      if (!shown) return null;
      const { id, name } = shown;
      return () => void doctor.actions.look({ of: id, name, subject: { connection: id } });
    },
    connectionClose: () => {
      const shown = current();
      return shown && (() => connections.actions.close(shown.id));
    },
    help: () => () => {
      if (help.store.getState().at === null) help.actions.open();
      else help.actions.close();
    },
    settings: () => () => settings.actions.show(!settings.store.getState().open),
    shortcuts: () => () => help.actions.open({ page: 'keyboard.md', heading: null }),
    themeSystem: theme('system'),
    themeLight: theme('light'),
    themeDark: theme('dark'),
  };
}
