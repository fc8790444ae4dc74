import type { Command } from 'commander';
import type { Cli } from './context.ts';

/** The code of a command, loaded when it is asked for. */
export interface CommandModule {
  /** Gives the command its arguments, options and action. */
  define(command: Command, cli: Cli): void;
}

interface Entry {
  readonly summary: string;
  readonly load: () => Promise<CommandModule>;
}

const read = (name: 'find' | 'aggregate' | 'count' | 'pipeline', summary: string): Entry => ({
  summary,
  load: async () => ({ define: (await import('./commands/reads.ts'))[name] }),
});

const platform = (what: string): Entry => ({
  summary: `list ${what}, filtered`,
  load: () => import('./commands/platform.ts'),
});

/** Every command by its name. */
export const commands: Readonly<Record<string, Entry>> = {
  demo: { summary: 'run both demo services until stopped', load: () => import('./commands/demo.ts') },
  serve: {
    summary: 'serve the app to the browser of this machine',
    load: () => import('./commands/serve.ts'),
  },
  open: {
    summary: 'print a new sign-in link to a running serve',
    load: () => import('./commands/open.ts'),
  },
  connections: {
    summary: 'list, add, test, remove, export, import connections',
    load: () => import('./commands/connections.ts'),
  },
  wells: platform('wells'),
  assets: platform('assets'),
  programs: platform('programs'),
  pads: platform('pads'),
  rigs: platform('rigs'),
  'drillout-units': platform('drillout units'),
  'frac-fleets': platform('frac fleets'),
  datasets: {
    summary: 'list dataset definitions',
    load: () => import('./commands/datasets.ts'),
  },
  dataset: {
    summary: 'show one dataset definition',
    load: () => import('./commands/dataset.ts'),
  },
  find: read('find', 'read records once'),
  count: read('count', 'count records'),
  aggregate: read('aggregate', 'aggregate records simply'),
  pipeline: read('pipeline', 'run an aggregation pipeline'),
  export: { summary: 'write everything that matches to a file', load: () => import('./commands/export.ts') },
  inspect: {
    summary: 'say what the importer makes of a CSV file',
    load: () => import('./commands/inspect.ts'),
  },
  upload: { summary: 'insert the rows of a CSV file', load: () => import('./commands/upload.ts') },
  jobs: { summary: 'list, show, resume, cancel, discard jobs', load: () => import('./commands/jobs.ts') },
};
