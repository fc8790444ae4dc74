import { fork } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { KeptTab, TabNeighbor } from '../../../../src/shared/tabs/tabs.ts';
import { createTabSets, type TabSets } from '../../../../src/main/features/tabs/tabs.ts';
import { useFolders } from '../../../support/folders.ts';
import { canMount, withSmallDisk } from '../../../support/small-disk.ts';

const folders = useFolders();
const open: AbortController[] = [];
afterEach(() => {
  for (const window of open.splice(0)) window.abort();
});

const tab = (id: string, text = id): KeptTab => ({
  id,
  kind: 'query',
  title: id,
  name: null,
  scope: [],
  state: { text },
});
const process = (dataFolder: string, warnings: string[] = []): TabSets =>
  createTabSets({ dataFolder, warn: (sentence) => warnings.push(sentence), patienceMs: 300 });

/** A window over the connection `c`, as far as its tabs are concerned. */
async function openWindow(sets: TabSets, set: string | null = null) {
  const window = new AbortController();
  open.push(window);
  const stream = await sets.hold({ connection: 'c', set }, { signal: window.signal });
  const { value, done } = await stream[Symbol.asyncIterator]().next();
  if (done) throw new Error('it was told nothing');
  const rest = stream[Symbol.asyncIterator]().next();
  return {
    ...value,
    keep: (tabs: KeptTab[], more: { closed?: KeptTab[]; active?: string; neighbor?: TabNeighbor } = {}) =>
      sets.handlers.keep(
        {
          connection: 'c',
          set: value.set,
          open: tabs.map(({ id }) => id),
          closed: (more.closed ?? []).map(({ id }) => id),
          active: more.active ?? null,
          neighbor: more.neighbor ?? null,
          preview: null,
          changed: [...tabs, ...(more.closed ?? [])],
        },
        {},
      ),
    close: async () => {
      window.abort();
      await rest;
    },
  };
}
const idsOf = (tabs: readonly { id: string }[]) => tabs.map(({ id }) => id);
const files = async (folder: string, end: string) =>
  (await readdir(join(folder, 'tabs', 'c'))).filter((name) => name.includes(end));

describe('the tabs of a window', () => {
  it('are restored when it is reloaded, even while the old page still closes', async () => {
    const sets = process(await folders());
    const first = await openWindow(sets);
    expect(first.kept.open).toEqual([]);
    await first.keep([tab('a'), tab('b', '{ deep: true')], {
      closed: [tab('x')],
      active: 'b',
      neighbor: { id: 'a', side: 'left' },
    });
    const again = openWindow(sets, first.set);
    await first.close();
    expect(await again).toMatchObject({
      set: first.set,
      problem: null,
      kept: {
        open: [tab('a'), tab('b', '{ deep: true')],
        closed: [tab('x')],
        active: 'b',
        neighbor: { id: 'a', side: 'left' },
      },
    });
  });

  it('are restored from a closed window, by another process without a window', async () => {
    const folder = await folders();
    const first = await openWindow(process(folder));
    await first.keep([tab('a')]);
    const second = await openWindow(process(folder));
    expect(second.kept.open).toEqual([]);
    await second.close();
    await first.close();
    expect(idsOf((await openWindow(process(folder))).kept.open)).toEqual(['a']);
  });

  it('are those of the window that was closed last, even if another one changed its tabs later', async () => {
    const folder = await folders();
    const [last, other] = [await openWindow(process(folder)), await openWindow(process(folder))];
    await last.keep([tab('a')]);
    await sleep(20);
    await other.keep([tab('b')]);
    await other.close();
    await sleep(20);
    await last.close();
    expect(idsOf((await openWindow(process(folder))).kept.open)).toEqual(['a']);
  });

  it('are its own: two windows do not overwrite each other', async () => {
    const folder = await folders();
    const [one, other] = [await openWindow(process(folder)), await openWindow(process(folder))];
    expect(one.set).not.toBe(other.set);
    await Promise.all([one.keep([tab('a')]), other.keep([tab('b')])]);
    // A copy of a window starts with the same set id, and gets its own.
    const copy = await openWindow(process(folder), one.set);
    expect(copy.set).not.toBe(one.set);
    await one.close();
    await other.close();
    const sets = process(folder);
    const back = [await openWindow(sets), await openWindow(sets)];
    expect(back.flatMap(({ kept }) => idsOf(kept.open)).toSorted()).toEqual(['a', 'b']);
  });

  it('that the user closed are not in a further window', async () => {
    const sets = process(await folders());
    const [one, other] = [await openWindow(sets), await openWindow(sets)];
    await one.keep([tab('a')]);
    await one.close();
    expect((await openWindow(sets)).kept.open).toEqual([]);
    await other.close();
  });

  it('change by the reported changes', async () => {
    const folder = await folders();
    const sets = process(folder);
    const { set, keep } = await openWindow(sets);
    await keep([tab('a'), tab('b')]);
    await sets.handlers.keep(
      {
        connection: 'c',
        set,
        open: ['b', 'a', 'never'],
        closed: [],
        active: 'a',
        neighbor: { id: 'b', side: 'right' },
        preview: 'b',
        changed: [tab('a', 'new')],
      },
      {},
    );
    const text = await readFile(join(folder, 'tabs', 'c', `${set}.json`), 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      format: 1,
      open: [tab('b'), tab('a', 'new')],
      active: 'a',
      neighbor: { id: 'b', side: 'right' },
    });
  });

  it('leave no file behind when there are none', async () => {
    const folder = await folders();
    const window = await openWindow(process(folder));
    await window.keep([tab('a')]);
    await window.keep([]);
    expect(await files(folder, '.json')).toEqual([]);
  });

  it('are not stored for another window', async () => {
    const sets = process(await folders());
    const window = await openWindow(sets);
    await window.close();
    await expect(window.keep([tab('a')])).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('a file of tabs', () => {
  async function withFile(text: string) {
    const folder = await folders();
    await mkdir(join(folder, 'tabs', 'c'), { recursive: true });
    await writeFile(join(folder, 'tabs', 'c', 'old.json'), text);
    const warnings: string[] = [];
    return { folder, warnings, window: await openWindow(process(folder, warnings), 'old') };
  }

  it.each(['', '{"format":1,"open":[{"id"', '[]', '{"format":1,"open":{}}', 'null'])(
    'that is damaged is set aside, and reported: %s',
    async (text) => {
      const { folder, warnings, window } = await withFile(text);
      const [aside = ''] = await files(folder, '.damaged-');
      expect(window.problem).toContain(aside);
      expect(warnings).toHaveLength(1);
      await window.keep([tab('a')]);
      expect(await readFile(join(folder, 'tabs', 'c', aside), 'utf8')).toBe(text);
    },
  );

  it('of which one tab is damaged keeps the others, and a copy of the original', async () => {
    const text = JSON.stringify({
      format: 1,
      open: [tab('a'), { id: 7 }, tab('b')],
      closed: [],
      active: 'b',
    });
    const { folder, window } = await withFile(text);
    expect(idsOf(window.kept.open)).toEqual(['a', 'b']);
    const [aside = ''] = await files(folder, '.damaged-');
    expect(window.problem).toContain(aside);
    expect(await readFile(join(folder, 'tabs', 'c', aside), 'utf8')).toBe(text);
  });

  it('of a newer version is not changed, and the window continues with another', async () => {
    const text = JSON.stringify({ format: 2, open: [], more: true });
    const { folder, window } = await withFile(text);
    expect(window.set).not.toBe('old');
    expect(window.problem).toContain('newer version');
    await window.keep([tab('a')]);
    expect(await readFile(join(folder, 'tabs', 'c', 'old.json'), 'utf8')).toBe(text);
  });

  it('is the older or the newer one, complete, when its writer is killed', async () => {
    const folder = await folders();
    const module = join(import.meta.dirname, '../../../../src/main/features/tabs/tabs.ts');
    const entry = join(folder, 'writer.mjs');
    await writeFile(
      entry,
      `import { createTabSets } from ${JSON.stringify(module)};
       const sets = createTabSets({ dataFolder: ${JSON.stringify(folder)}, warn: () => undefined });
       const stream = await sets.hold({ connection: 'c', set: 'mine' }, {});
       await stream.next();
       for (let n = 1; ; n += 1) {
         const state = { n, text: String(n).repeat(100_000) };
         const changed = [{ id: 'a', kind: 'query', title: '', name: null, scope: [], state }];
         await sets.handlers.keep({ connection: 'c', set: 'mine', open: ['a'], closed: [], active: 'a', neighbor: null, preview: null, changed }, {});
         process.send(n);
       }`,
    );
    for (const until of [1, 4, 9]) {
      let last = 0;
      await new Promise((resolve) => {
        const child = fork(entry, [], { execArgv: [] });
        child.on('message', (n) => {
          last = Number(n);
          if (last === until) setTimeout(() => child.kill('SIGKILL'), Math.random() * 4);
        });
        child.once('exit', resolve);
      });
      const window = await openWindow(process(folder), 'mine');
      expect(window).toMatchObject({ set: 'mine', problem: null });
      const state = window.kept.open[0]?.state as { n: number; text: string };
      expect(state.n).toBeGreaterThanOrEqual(last);
      expect(state.n).toBeLessThanOrEqual(last + 1);
      expect(state.text).toBe(String(state.n).repeat(100_000));
      expect(await files(folder, '.tmp')).toEqual([]);
      await window.close();
    }
  });

  it.runIf(canMount)('that doesn’t fit on a full disk is reported, and the previous one stays', async () => {
    const folder = await folders();
    await withSmallDisk(folder, 256, async () => {
      const sets = process(folder);
      const window = await openWindow(sets);
      await window.keep([tab('a')]);
      await expect(window.keep([tab('a', 'x'.repeat(1_000_000))])).rejects.toMatchObject({
        code: 'disk_full',
      });
      await window.keep([tab('a', 'shorter')]);
      await window.close();
      expect((await openWindow(process(folder))).kept.open).toEqual([tab('a', 'shorter')]);
      for (const one of open.splice(0)) one.abort();
      await new Promise((resolve) => setTimeout(resolve, 50));
    });
  });
});
