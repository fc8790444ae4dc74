/**
 * The worker threads of the core, and the processes of the keychain, of Parquet files that are read, and of the engine: each
 * has an entry file in the source and one in the build, beside `cli.js`.
 */
export const workers = {
  demo: '../../demo/worker.ts',
  csv: '../core/mapping/csv-worker.ts',
  conversion: '../core/tables/conversion/convert-file.ts',
  parquet: '../core/tables/conversion/conversion-process.ts',
  export: '../core/write/export-worker.ts',
  quality: '../features/quality/quality-worker.ts',
  keychain: '../core/keychain/helper.ts',
  engine: '../core/duckdb/engine-process.ts',
} as const;

export type WorkerName = keyof typeof workers;

// The same code runs from source (tests, under Node's type stripping) and from the build, where chunks lie flat.
const inSource = import.meta.url.endsWith('.ts');

/** Where an entry file is, for `new Worker(url)` or to be started as a process. */
export function workerUrl(name: WorkerName): URL {
  return new URL(inSource ? workers[name] : `./worker-${name}.js`, import.meta.url);
}
