import type { Command } from 'commander';
import type { Cli } from './context.ts';

/** The module of a command, loaded on demand. */
export interface CommandModule {
  /** Adds the command's arguments, options, and action. */
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
  demo: { summary: 'run the demo services until stopped', load: () => import('./commands/demo.ts') },
  serve: {
    summary: 'serve the app to a browser on this computer',
    load: () => import('./commands/serve.ts'),
  },
  open: {
    summary: 'print a new sign-in link for a running serve',
    load: () => import('./commands/open.ts'),
  },
  connections: {
    summary: 'list, add, test, remove, export, or import connections',
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
  aggregate: read('aggregate', 'match, group, and project records'),
  pipeline: read('pipeline', 'run an aggregation pipeline'),
  export: { summary: 'export all matching records to a file', load: () => import('./commands/export.ts') },
  mirror: {
    summary: 'keep a folder of Parquet files up to date with a dataset',
    load: () => import('./commands/mirror.ts'),
  },
  inspect: {
    summary: 'show the format, columns, and warnings of a file',
    load: () => import('./commands/inspect.ts'),
  },
  quality: {
    summary: 'find gaps, repeats, nulls, flat lines, and spikes in records or a file',
    load: () => import('./commands/quality.ts'),
  },
  upload: { summary: 'upload the rows of a file', load: () => import('./commands/upload.ts') },
  'mapping-schema': {
    summary: 'print the JSON Schema of mapping files',
    load: () => import('./commands/mapping-schema.ts'),
  },
  sql: { summary: 'run SQL over files and folders of Parquet', load: () => import('./commands/sql.ts') },
  jobs: { summary: 'list, show, resume, cancel, or discard jobs', load: () => import('./commands/jobs.ts') },
};
