import { execFile } from 'node:child_process';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { firstScripts, checkSize } from '../scripts/lib/size.mjs';
import { useFolders } from './support/folders.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);

/** Runs a tool and returns everything that it printed, whether it failed or not. */
async function output(tool: string, args: string[], cwd: string): Promise<string> {
  const answer = await run(process.execPath, [join(root, 'node_modules', tool), ...args], { cwd }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  return answer.stdout + answer.stderr;
}

// Each boundary is broken on purpose in a copy of the project's configuration; a boundary that reports nothing isn't
// one.
describe('boundaries between modules', () => {
  const folder = useFolders();

  async function lint(files: Record<string, string>): Promise<string> {
    const home = await folder();
    await cp(join(root, '.oxlintrc.json'), join(home, '.oxlintrc.json'));
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(home, name)), { recursive: true });
      await writeFile(join(home, name), text);
    }
    return output('oxlint/bin/oxlint', ['--format=unix', '.'], home);
  }

  const forbidden: Readonly<Record<string, readonly [file: string, text: string]>> = {
    electron: ['src/main/core/wells/a.ts', "import { app } from 'electron';\nexport const x = app;\n"],
    undici: [
      'src/main/core/wire/services/a.ts',
      "import { request } from 'undici';\nexport const x = request;\n",
    ],
    '@napi-rs/keyring': [
      'src/main/core/connections/a.ts',
      "import { Entry } from '@napi-rs/keyring';\nexport const x = Entry;\n",
    ],
    'monaco-editor': [
      'src/renderer/features/query/a.ts',
      "import { editor } from 'monaco-editor';\nexport const x = editor;\n",
    ],
    'a part of monaco-editor': [
      'src/renderer/app/a.ts',
      "import * as m from 'monaco-editor/editor';\nexport const x = m;\n",
    ],
    'ag-grid-community': [
      'src/renderer/features/query/b.ts',
      "import { createGrid } from 'ag-grid-community';\nexport const x = createGrid;\n",
    ],
    uplot: ['src/renderer/features/plot/a.ts', "import uPlot from 'uplot';\nexport const x = uPlot;\n"],
  };

  it('keep each library in its folder, and reject `any` and import cycles', async () => {
    const found = await lint({
      ...Object.fromEntries(Object.values(forbidden)),
      'src/main/core/wire/http/a.ts': "import { request } from 'undici';\nexport const x = request;\n",
      'src/renderer/ui/grid/a.ts':
        "import { createGrid } from 'ag-grid-community';\nexport const x = createGrid;\n",
      'src/renderer/ui/plot/a.ts': "import uPlot from 'uplot';\nexport const x = uPlot;\n",
      'src/shared/a.ts': "import { b } from './b.ts';\nexport const a: any = b;\n",
      'src/shared/b.ts': "import { a } from './a.ts';\nexport const b: unknown = a;\n",
    });
    const lines = found.split('\n').map((line) => line.replaceAll('\\', '/'));
    const imports = lines.filter((line) => line.includes('no-restricted-imports'));
    for (const [name, [file]] of Object.entries(forbidden))
      expect(
        imports.filter((line) => line.includes(file)),
        name,
      ).toHaveLength(1);
    expect(imports).toHaveLength(Object.keys(forbidden).length);
    expect(found).toContain('no-explicit-any');
    expect(found).toContain('no-cycle');
  });

  it('reject a floating promise', async () => {
    const home = await folder();
    await cp(join(root, '.oxlintrc.json'), join(home, '.oxlintrc.json'));
    await symlink(join(root, 'node_modules'), join(home, 'node_modules'), 'junction');
    await writeFile(join(home, 'tsconfig.json'), '{ "compilerOptions": { "strict": true, "noEmit": true } }');
    await writeFile(join(home, 'a.ts'), 'async function f(): Promise<void> {}\nf();\nexport {};\n');
    expect(await output('oxlint/bin/oxlint', ['--type-aware', '--format=unix', 'a.ts'], home)).toContain(
      'no-floating-promises',
    );
  });
});

describe('the type configuration of each module', () => {
  const folder = useFolders();

  /** Type-checks one file as part of a module in `src`, with that module's own settings. */
  async function check(room: string, text: string): Promise<string> {
    const home = await folder();
    await writeFile(join(home, 'a.ts'), text.replaceAll('~/', `${root.replaceAll('\\', '/')}src/`));
    const settings = {
      extends: join(root, 'src', room, 'tsconfig.json'),
      compilerOptions: {
        composite: false,
        emitDeclarationOnly: false,
        noEmit: true,
        incremental: false,
        rootDir: '/',
        tsBuildInfoFile: null,
        typeRoots: [join(root, 'node_modules', '@types')],
      },
      files: ['./a.ts'],
      include: [],
      references: [],
    };
    await writeFile(join(home, 'tsconfig.json'), JSON.stringify(settings));
    return output('typescript/bin/tsc', ['-p', home], home);
  }

  it.each([
    [
      'the file system',
      'renderer',
      "import { readFile } from 'node:fs';\nexport const x = readFile;\n",
      'node:fs',
    ],
    ['the page', 'main', 'export const x = document.title;\n', 'document'],
    ['Node', 'shared', 'export const x = process.pid;\n', 'process'],
    ['the page', 'shared', 'export const x = document.title;\n', 'document'],
  ])('excludes %s from %s', async (_name, room, text, complaint) => {
    expect(await check(room, text)).toContain(complaint);
  });

  it('rejects a contract entry without a handler', async () => {
    const found = await check(
      'main',
      "import type { Handlers } from '~/main/core/handlers.ts';\n" +
        "type Jobs = Handlers['jobs'];\n" +
        "declare const jobs: Omit<Jobs, 'cancel'>;\nexport const all: Jobs = jobs;\n" +
        "declare const handlers: Omit<Handlers, 'wells'>;\nexport const every: Handlers = handlers;\n",
    );
    expect(found).toContain("'cancel' is missing");
    expect(found).toContain("'wells' is missing");
  });

  it('rejects a platform well id in place of an asset id', async () => {
    const found = await check(
      'shared',
      "import type { AssetId, PlatformWellId } from '~/shared/wells/wells.ts';\n" +
        'declare const id: PlatformWellId;\nexport const scope: AssetId = id;\n',
    );
    expect(found).toContain('not assignable');
  });
});

describe('the size limit of the first screen', () => {
  const folder = useFolders();

  async function built(files: Record<string, string>): Promise<string> {
    const home = await folder();
    await mkdir(join(home, 'assets'));
    for (const [name, text] of Object.entries(files)) await writeFile(join(home, name), text);
    return home;
  }
  const page = '<script type="module" src="./assets/index.js"></script>';
  const heavy = (bytes: number): string =>
    Array.from({ length: bytes / 8 }, () => Math.random().toString(36).slice(2, 10)).join('');

  it('counts static imports, and not dynamic ones', async () => {
    const home = await built({
      'index.html': page,
      'assets/index.js': 'import{a}from"./react.js";import"./side.js";const m=()=>import("./monaco.js");',
      'assets/react.js': 'export const a=1;',
      'assets/side.js': '',
      'assets/monaco.js': '',
    });
    expect(firstScripts(home).sort()).toEqual(['assets/index.js', 'assets/react.js', 'assets/side.js']);
    expect(checkSize(home)).toBe(0);
  });

  it('fails above the limit, and when there is nothing to measure', async () => {
    expect(checkSize(await built({ 'index.html': page, 'assets/index.js': `"${heavy(600_000)}"` }))).toBe(1);
    expect(checkSize(await built({ 'index.html': '' }))).toBe(1);
  });
});
