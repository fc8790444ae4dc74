import { existsSync, openSync, readSync, closeSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The files in an Electron archive: four lengths, an index as JSON, then the files.
 * @returns path, bytes, and whether the file is beside the archive
 */
export function listArchive(path) {
  const file = openSync(path, 'r');
  try {
    const lengths = Buffer.alloc(16);
    readSync(file, lengths, 0, 16, 0);
    const text = Buffer.alloc(lengths.readUInt32LE(12));
    readSync(file, text, 0, text.length, 16);
    const list = ({ files }, below) =>
      Object.entries(files).flatMap(([name, entry]) => {
        const at = below === '' ? name : `${below}/${name}`;
        return entry.files
          ? list(entry, at)
          : [{ path: at, bytes: entry.size ?? 0, unpacked: entry.unpacked === true }];
      });
    return list(JSON.parse(text.toString('utf8')), '');
  } finally {
    closeSync(file);
  }
}

/** The threads and processes, each of which has a file. */
export const workers = ['demo', 'csv', 'conversion', 'parquet', 'export', 'quality', 'keychain', 'engine'];

/** Required files: without them the application doesn't start, can't store credentials, hold locks, or write tables. */
const needed = [
  /^package\.json$/,
  /^out\/main\/index\.js$/,
  ...workers.map((name) => new RegExp(`^out/main/worker-${name}\\.js$`)),
  /^out\/preload\/index\.cjs$/,
  /^out\/renderer\/index\.html$/,
  /^node_modules\/@napi-rs\/keyring-[^/]+\/.*\.node$/,
  /^node_modules\/fs-native-extensions\/prebuilds\/[^/]+\/.*\.node$/,
  /^node_modules\/@duckdb\/node-bindings-[^/]+\/.*\.node$/,
];
/** Files that must not be packaged. */
const unwanted = [
  [/^(src|test|scripts|screenshots|docs)\//, 'isn’t part of the application'],
  [/\.(map|ts|tsx|mts|cts|tsbuildinfo)$/, 'is a source file'],
  [/^out\/(?!main\/|preload\/|renderer\/)/, 'is a part of the build that isn’t needed'],
  [/(^|\/)\.(env|npmrc|git[^/]*)(\/|$)/, 'belongs to a checkout'],
];
const libraries =
  /^node_modules\/(@duckdb\/[^/]+|detect-libc|@napi-rs\/keyring[^/]*|fs-native-extensions|require-addon|bare-addon-resolve|bare-module-resolve|bare-semver|which-runtime)\//;

/** Maximum size without the runtime, in bytes, so that growth is noticed. */
const maxBytes = 25_000_000;
/** Maximum size of the engine of tables: 38 MB on Windows, 71 on Linux, 118 on macOS. */
const maxSqlBytes = 130_000_000;
const isSql = ({ path }) => path.startsWith('node_modules/@duckdb/');

/** Problems with the files of a packaged application, in sentences. */
export function packedProblems(files) {
  const problems = [];
  for (const pattern of needed)
    if (!files.some(({ path }) => pattern.test(path))) problems.push(`No file matches ${pattern.source}.`);
  for (const { path, unpacked } of files) {
    for (const [pattern, why] of unwanted) if (pattern.test(path)) problems.push(`${path} ${why}.`);
    if (path.startsWith('node_modules/') && !libraries.test(path))
      problems.push(`${path} belongs to a tool, or to a library that is part of the build.`);
    if (path.endsWith('.node') && !unpacked)
      problems.push(`${path} must be beside the archive, because the system can't load it from inside.`);
  }
  const weigh = (counted) => counted.reduce((sum, file) => sum + file.bytes, 0);
  const bytes = weigh(files.filter((file) => !isSql(file)));
  if (bytes > maxBytes) problems.push(`The package has ${bytes} bytes, more than ${maxBytes}.`);
  const sqlBytes = weigh(files.filter(isSql));
  if (sqlBytes > maxSqlBytes)
    problems.push(`The SQL engine has ${sqlBytes} bytes, more than ${maxSqlBytes}.`);
  return problems;
}

/** Bytes of each part: the folders of the build, and the libraries. */
export function sizes(files) {
  const parts = {};
  for (const { path, bytes } of files) {
    const part = path
      .split('/')
      .slice(0, path.startsWith('node_modules/@') ? 3 : 2)
      .join('/');
    parts[part] = (parts[part] ?? 0) + bytes;
  }
  return parts;
}

/** Files that users copy from an installed application. */
const copied = ['python/wellbench.py'];

/** Checks a packaged application: its archive, and the files beside it. */
export function lookAtPacked(resources) {
  const archive = join(resources, 'app.asar');
  const files = listArchive(archive);
  const missing = files.filter(
    ({ path, unpacked }) => unpacked && !existsSync(join(`${archive}.unpacked`, path)),
  );
  return {
    problems: [
      ...packedProblems(files),
      ...copied.flatMap((path) =>
        existsSync(join(resources, path)) ? [] : [`${path} does not lie beside the archive.`],
      ),
      ...missing.map(({ path }) => `${path} does not lie beside the archive.`),
    ],
    sizes: sizes(files),
    archiveBytes: statSync(archive).size,
  };
}
