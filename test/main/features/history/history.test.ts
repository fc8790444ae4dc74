import { fork } from 'node:child_process';
import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { maxRuns, runNote, type RunNote } from '../../../../src/shared/contract/query.ts';
import { questionText } from '../../../../src/shared/query/question.ts';
import { createHistory } from '../../../../src/main/features/history/history.ts';
import { useFolders } from '../../../support/folders.ts';
import { canMount, withSmallDisk } from '../../../support/small-disk.ts';

const folders = useFolders();
const note = (query: string, more: Partial<RunNote> = {}): RunNote =>
  runNote.parse({
    connection: 'c',
    provider: 'demo',
    dataset: 'wits',
    mode: 'find',
    wells: [{ name: 'Ridge A-100H', assetId: 5001 }],
    outcome: 'done',
    code: null,
    rows: 3,
    ms: 12,
    question: { find: { query, sort: '{ timestamp: -1 }' } },
    ...more,
  });

async function history(given?: string) {
  const dataFolder = given ?? (await folders());
  const warnings: string[] = [];
  let time = 0;
  const open = () =>
    createHistory({ dataFolder, warn: (sentence) => warnings.push(sentence), now: () => (time += 1000) });
  const store = open();
  const list = async (search = '', of = store) => of.list({ connection: 'c', search, limit: 300 }, {});
  return { dataFolder, path: join(dataFolder, 'history', 'c.ndjson'), store, open, list, warnings };
}
const textsOf = ({ runs }: { runs: readonly { text: string }[] }) =>
  runs.map(({ text }) => text.split(' sort')[0]);

describe('the history', () => {
  it('has the newest first, across processes, with the complete query', async () => {
    const { store, open, list } = await history();
    expect(await list()).toEqual({ runs: [], matching: 0, all: 0 });
    await store.note(note('{ a: 1 }'), {});
    await store.note(note('{ b:\n  2 }', { outcome: 'failed', code: 'timed_out', rows: null, ms: null }), {});
    const other = open();
    const { runs, all } = await list('', other);
    expect(all).toBe(2);
    expect(runs).toMatchObject([
      { at: 2000, text: '{ b: 2 } sort { timestamp: -1 }', outcome: 'failed', code: 'timed_out', rows: null },
      { at: 1000, wells: [{ name: 'Ridge A-100H', assetId: 5001 }], rows: 3, ms: 12, whole: true },
    ]);
    const { question } = await other.get({ connection: 'c', id: runs[0]?.id ?? '' }, {});
    expect(question.find?.query).toBe('{ b:\n  2 }');
  });

  it('tells SQL statements apart, and finds them by their words', async () => {
    const { store, list } = await history();
    for (const statement of ['SELECT 1 AS alpha\nFROM log', 'SELECT 2 AS beta FROM log'])
      await store.note(
        note('', { mode: 'sql', question: questionText.parse({ mode: 'sql', sql: { statement } }) }),
        {},
      );
    await store.note(note('{ a: 1 }'), {});
    const { runs } = await list('sql');
    expect(runs.map(({ mode, text }) => [mode, text])).toEqual([
      ['sql', 'SELECT 2 AS beta FROM log'],
      ['sql', 'SELECT 1 AS alpha FROM log'],
    ]);
    expect(textsOf(await list('Alpha'))).toEqual(['SELECT 1 AS alpha FROM log']);
  });

  it('is searched by the words of the query, the dataset, and the wells', async () => {
    const { store, list } = await history();
    await store.note(note('{ rop: { $gt: 10 } }'), {});
    await store.note(note('{ wob: 1 }', { dataset: 'logs.depth', wells: [] }), {});
    expect(textsOf(await list('ROP'))).toEqual(['{ rop: { $gt: 10 } }']);
    expect(textsOf(await list('logs demo'))).toEqual(['{ wob: 1 }']);
    expect(textsOf(await list('5001 ridge'))).toEqual(['{ rop: { $gt: 10 } }']);
    expect(await list('rop wob')).toMatchObject({ runs: [], matching: 0, all: 2 });
    await store.note(note('{ "data.standpipe_pressure": 1 }'), {});
    expect(textsOf(await list('SPP'))).toEqual(['{ "data.standpipe_pressure": 1 }']);
    expect(await list('')).toMatchObject({ matching: 3 });
  });

  it('is separate for each connection, whatever its name', async () => {
    const { store, list } = await history();
    await store.note(note('{}', { connection: '../../escape' }), {});
    expect((await list()).all).toBe(0);
    expect((await store.list({ connection: '../../escape', search: '', limit: 9 }, {})).all).toBe(1);
  });

  it('deletes one or all entries, and restores them', async () => {
    const { store, open, list } = await history();
    for (const query of ['{ a: 1 }', '{ b: 2 }', '{ c: 3 }']) await store.note(note(query), {});
    const { runs } = await list();
    const one = await store.remove({ connection: 'c', ids: [runs[1]?.id ?? '', 'never'] }, {});
    expect(one.ids).toEqual([runs[1]?.id]);
    expect(textsOf(await list('', open()))).toEqual(['{ c: 3 }', '{ a: 1 }']);
    const all = await store.remove({ connection: 'c' }, {});
    expect(await list()).toEqual({ runs: [], matching: 0, all: 0 });
    await store.restore({ connection: 'c', ids: all.ids }, {});
    expect(textsOf(await list('', open()))).toEqual(['{ c: 3 }', '{ a: 1 }']);
  });

  it('records a query that is too long without its text, and reports that on request', async () => {
    const { store, list } = await history();
    await store.note(note('x'.repeat(150_000)), {});
    const { runs } = await list();
    expect(runs[0]).toMatchObject({ whole: false });
    expect(runs[0]?.text.length).toBeLessThan(400);
    await expect(store.get({ connection: 'c', id: runs[0]?.id ?? '' }, {})).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  it.each([
    ['a line that a crash truncated', '{"v":1,"run":{"id":"half'],
    ['zeros that a power loss left', '\0'.repeat(300)],
    ['zeros within a line', `{"v":1,"run":{"id":"half${'\0'.repeat(300)}\n`],
  ])('continues after %s', async (_tail, tail) => {
    const { path, store, list, open } = await history();
    await store.note(note('{ a: 1 }'), {});
    await appendFile(path, tail);
    expect(textsOf(await list())).toEqual(['{ a: 1 }']);
    await store.note(note('{ b: 2 }'), {});
    expect(textsOf(await list('', open()))).toEqual(['{ b: 2 }', '{ a: 1 }']);
  });

  it('has a limited size: damaged lines are set aside first, then the oldest entries are removed', async () => {
    const { path, store, list, open, warnings, dataFolder } = await history();
    await store.note(note('{ n: 0 }'), {});
    const [first = ''] = (await readFile(path, 'utf8')).split('\n');
    const one = JSON.parse(first) as { v: number; run: Record<string, unknown> };
    const lines = Array.from({ length: maxRuns + maxRuns / 5 }, (_, n) =>
      JSON.stringify({ ...one, run: { ...one.run, id: `r${n}`, at: n, text: `{ n: ${n} }` } }),
    );
    const newer = '{"v":2,"run":{"of":"tomorrow"}}';
    await writeFile(path, ['not json', newer, ...lines, ''].join('\n'));
    expect((await list('', open())).all).toBe(maxRuns);
    await store.note(note('{ newest: 1 }'), {});
    const written = (await readFile(path, 'utf8')).trimEnd().split('\n');
    expect(written).toHaveLength(maxRuns + 2);
    expect(written[0]).toBe(newer);
    expect(warnings).toEqual([expect.stringContaining('1 lines of the history')]);
    expect((await readdir(join(dataFolder, 'history'))).some((name) => name.includes('.damaged-'))).toBe(
      true,
    );
    expect(textsOf(await list('', open()))[0]).toBe('{ newest: 1 }');
  });

  it('accepts entries of several processes at once, without losses', async () => {
    const { dataFolder, list } = await history();
    const module = join(import.meta.dirname, '../../../../src/main/features/history/history.ts');
    const entry = join(dataFolder, 'noter.mjs');
    await writeFile(
      entry,
      `import { createHistory } from ${JSON.stringify(module)};
       const history = createHistory({ dataFolder: ${JSON.stringify(dataFolder)}, warn: () => undefined });
       const template = ${JSON.stringify(note('{}'))};
       for (let n = 0; n < 15; n += 1) await history.note({ ...template, dataset: process.argv[2] + n }, {});`,
    );
    const ended = ['a', 'b'].map(
      (name) => new Promise((resolve) => fork(entry, [name], { execArgv: [] }).once('exit', resolve)),
    );
    expect(await Promise.all(ended)).toEqual([0, 0]);
    expect((await list()).all).toBe(30);
  });

  it.runIf(canMount)('reports a full disk, and stays unchanged', async () => {
    const dataFolder = await folders();
    await withSmallDisk(dataFolder, 64, async () => {
      const { store, list } = await history(dataFolder);
      await mkdir(join(dataFolder, 'history'), { recursive: true });
      await store.note(note('{ a: 1 }'), {});
      await expect(store.note(note('y'.repeat(90_000)), {})).rejects.toMatchObject({ code: 'disk_full' });
      await store.note(note('{ b: 2 }'), {});
      expect(textsOf(await list())).toEqual(['{ b: 2 }', '{ a: 1 }']);
    });
  });
});
