import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import { connectionEnv } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';

const run = promisify(execFile);
const source = join(import.meta.dirname, '../../../../src');

/** Writes the addresses of all modules that were loaded when the process ends. */
const hook = `
  import { registerHooks } from 'node:module';
  import { writeFileSync } from 'node:fs';
  const loaded = [];
  registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
  process.once('exit', () =>
    writeFileSync(process.env.LOADED_MODULES, JSON.stringify({ loaded, internal: process.moduleLoadList })));
`;

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ records: 100, wells: 1 });
});
afterAll(() => demo.close());
const folder = useFolders();

/** The modules of files that a command loads when it runs from source, by their paths, and those of Node itself. */
async function modulesOf(args: readonly string[]) {
  const home = await folder();
  const list = join(home, 'modules.json');
  await run(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, join(source, 'main/cli.ts'), ...args],
    {
      env: {
        ...process.env,
        ...connectionEnv(demo),
        WELLBENCH_KEYCHAIN: 'off',
        WELLBENCH_DATA_DIR: join(home, 'data'),
        LOADED_MODULES: list,
      },
    },
  );
  const { loaded, internal }: { loaded: string[]; internal: string[] } = JSON.parse(
    await readFile(list, 'utf8'),
  );
  return { all: loaded.flatMap((url) => (url.startsWith('file:') ? [new URL(url).pathname] : [])), internal };
}

describe('a command', () => {
  // Most of the time of a short command is loading; the numbers are today's, with some room.
  it.each([
    ['count', ['count', 'demo/wits', '--query', '{ company_id: 1 }'], { own: 125, all: 280 }],
    ['find', ['find', 'demo/wits', '--query', '{ company_id: 1 }'], { own: 125, all: 280 }],
    ['wells', ['wells'], { own: 106, all: 260 }],
  ])('loads the features that it uses, and no others: %s', async (_, args, max) => {
    const { all, internal } = await modulesOf(args);
    // Node has a fetch of its own, which an import of `node:http` loads.
    expect(internal).not.toContain('NativeModule internal/deps/undici/undici');
    const own = all.filter((path) => path.includes('/src/main/') || path.includes('/src/shared/'));
    const unused = own.filter((path) =>
      /src\/main\/.*\/(duckdb|mapping|tables|write|jobs|upload|quality|sql)\//.test(path),
    );
    expect(unused).toEqual([]);
    expect(own.length).toBeLessThanOrEqual(max.own);
    expect(all.length).toBeLessThanOrEqual(max.all);
    expect(own.length).toBeGreaterThan(50);
  });
});
