import type { PlatformResource } from '../../../shared/wells/platform-filters.ts';
import type { DefineCommand } from './command.ts';

interface Entry {
  readonly summary: string;
  /** Loads the command: only the requested one is loaded, because the others would slow each start. */
  readonly load: () => Promise<DefineCommand>;
}

const read = (name: 'find' | 'aggregate' | 'count' | 'pipeline', summary: string): Entry => ({
  summary,
  load: async () => (await import('./commands/reads.ts'))[name],
});

const platform = (resource: PlatformResource): Entry => ({
  summary: `list ${resource.replace('_', ' ')}, filtered`,
  load: async () => (await import('./commands/platform.ts')).platform(resource),
});

/** Every command by its name. */
export const commands: Readonly<Record<string, Entry>> = {
  app: {
    summary: 'open the app, as wellbench without a command does',
    load: async () => (await import('./commands/app.ts')).app,
  },
  demo: {
    summary: 'run the demo services until stopped',
    load: async () => (await import('./commands/demo.ts')).demo,
  },
  serve: {
    summary: 'serve the app to a browser on this computer',
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  open: {
    summary: 'print a new sign-in link for a running serve',
    load: async () => (await import('./commands/open.ts')).open,
  },
  connections: {
    summary: 'list, add, test, remove, export, or import connections',
    load: async () => (await import('./commands/connections.ts')).connections,
  },
  wells: platform('wells'),
  assets: platform('assets'),
  programs: platform('programs'),
  pads: platform('pads'),
  rigs: platform('rigs'),
  'drillout-units': platform('drillout_units'),
  'frac-fleets': platform('frac_fleets'),
  datasets: {
    summary: 'list dataset definitions',
    load: async () => (await import('./commands/datasets.ts')).datasets,
  },
  dataset: {
    summary: 'show one dataset definition',
    load: async () => (await import('./commands/dataset.ts')).dataset,
  },
  find: read('find', 'read records once'),
  count: read('count', 'count records'),
  aggregate: read('aggregate', 'match, group, and project records'),
  pipeline: read('pipeline', 'run an aggregation pipeline'),
  export: {
    summary: 'export all matching records to a file',
    load: async () => (await import('./commands/export.ts')).exportRecords,
  },
  mirror: {
    summary: 'keep a folder of Parquet files up to date with a dataset',
    load: async () => (await import('./commands/mirror.ts')).mirror,
  },
  inspect: {
    summary: 'show the format, columns, and warnings of a file',
    load: async () => (await import('./commands/inspect.ts')).inspect,
  },
  quality: {
    summary: 'find gaps, repeats, nulls, flat lines, and spikes in records or a file',
    load: async () => (await import('./commands/quality.ts')).quality,
  },
  upload: {
    summary: 'upload the rows of a file',
    load: async () => (await import('./commands/upload.ts')).upload,
  },
  'mapping-schema': {
    summary: 'print the JSON Schema of mapping files',
    load: async () => (await import('./commands/mapping-schema.ts')).mappingSchema,
  },
  sql: {
    summary: 'run SQL over files and folders of Parquet',
    load: async () => (await import('./commands/sql.ts')).sql,
  },
  jobs: {
    summary: 'list, show, resume, cancel, or discard jobs',
    load: async () => (await import('./commands/jobs.ts')).jobs,
  },
};
