import { fork } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSettings } from '../../../../src/main/features/settings/settings.ts';
import {
  nothingKept,
  type SettingsChange,
  settingsChange,
} from '../../../../src/shared/settings/settings.ts';
import { useFolders } from '../../../support/folders.ts';

const folders = useFolders();

async function setUp(content?: string) {
  const folder = await folders();
  const path = join(folder, 'settings.json');
  if (content !== undefined) await writeFile(path, content);
  const warnings: string[] = [];
  const open = () => createSettings(folder, (sentence) => warnings.push(sentence));
  const settings = open();
  const change = (wanted: SettingsChange) => settings.handlers.change(settingsChange.parse(wanted), {});
  return { folder, path, warnings, open, settings, change, get: () => settings.handlers.get({}, {}) };
}
const damagedCopies = async (folder: string) =>
  (await readdir(folder)).filter((name) => name.startsWith('settings.json.damaged-'));

describe('settings', () => {
  it('are stored when they differ from the defaults', async () => {
    const { path, open, change, get } = await setUp();
    expect(await get()).toEqual({ ...nothingKept, problem: null });
    await change({ set: { theme: 'dark', limit: 50 }, shortcuts: { save: ['Mod+J'], run: [] } });
    expect(await change({ set: { limit: 1000 } })).toEqual({
      values: { theme: 'dark' },
      shortcuts: { save: ['Mod+J'], run: [] },
    });
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ format: 1, values: { theme: 'dark' } });
    expect(await open().read()).toMatchObject({ values: { theme: 'dark' } });
    expect(await change({ reset: ['theme'], shortcuts: { save: null } })).toEqual({
      values: {},
      shortcuts: { run: [] },
    });
  });

  it('include the names of channels, of which a damaged entry is lost alone', async () => {
    const { path, open, settings, change } = await setUp();
    await change({ channelNames: { rop: ['Fortschritt'], hook_load: ['Hakenlast'] } });
    await change({ channelNames: { hook_load: [] }, set: { theme: 'dark' } });
    expect(await open().read()).toMatchObject({ channelNames: { rop: ['Fortschritt'] } });
    expect((await settings.synonyms()).get('fortschritt')).toBe('rop');
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('"rop"', '"hook_load": 5, "rop"'));
    expect(await open().read()).toMatchObject({ channelNames: { rop: ['Fortschritt'] } });
  });

  it('include the units of fields, of which a damaged dataset is lost alone', async () => {
    const { path, open, settings, change } = await setUp();
    const logs = { provider: 'demo', dataset: 'logs' };
    await change({
      fieldUnits: { 'demo/logs': { 'data.cali': 'in', 'data.den': 'g/cc' }, 'demo/wits': { a: 'm' } },
    });
    await change({ fieldUnits: { 'demo/logs': { 'data.den': null }, 'demo/wits': { a: null } } });
    expect(await open().read()).toMatchObject({ fieldUnits: { 'demo/logs': { 'data.cali': 'in' } } });
    // Those of uploads are others, and the first one stays.
    await settings.rememberUnits(logs, { 'data.cali': 'mm', 'data.gr': 'gAPI' });
    await settings.rememberUnits(logs, { 'data.gr': 'API' });
    expect(await open().fieldUnits(logs)).toEqual({
      fromUser: { 'data.cali': 'in' },
      fromUploads: { 'data.cali': 'mm', 'data.gr': 'gAPI' },
    });
    expect(await settings.fieldUnits({ provider: 'demo', dataset: 'wits' })).toEqual({
      fromUser: {},
      fromUploads: {},
    });
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('"demo/logs"', '"demo/x": { "a": 5 }, "demo/logs"'));
    expect(await open().read()).toMatchObject({ fieldUnits: { 'demo/logs': { 'data.cali': 'in' } } });
  });

  it('include the state of windows, of which a damaged part is lost alone', async () => {
    const { path, open, change } = await setUp();
    await change({ set: { theme: 'dark' }, remember: { panel: '{}', columns: '[1]' } });
    expect(await change({ remember: { columns: '[2]' }, reset: ['theme'] })).toEqual({
      values: {},
      shortcuts: {},
      remembered: { panel: '{}', columns: '[2]' },
    });
    expect(await open().read()).toMatchObject({ remembered: { panel: '{}', columns: '[2]' } });
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('"[2]"', '2'));
    expect((await open().read()).remembered).toEqual({ panel: '{}' });
  });

  it('never use the decimal sign as the delimiter too', async () => {
    const { change } = await setUp();
    expect((await change({ set: { csvDecimal: ',' } })).values).toEqual({
      csvDecimal: ',',
      csvDelimiter: ';',
    });
    expect((await change({ reset: ['csvDelimiter'] })).values).toEqual({});
  });

  it('are sent to every window, immediately and on each change', async () => {
    const { settings, change } = await setUp();
    await change({ set: { theme: 'dark' } });
    const ending = new AbortController();
    const events = (await settings.watch({}, { signal: ending.signal }))[Symbol.asyncIterator]();
    expect((await events.next()).value).toMatchObject({ values: { theme: 'dark' } });
    await change({ set: { theme: 'light' } });
    expect((await events.next()).value).toMatchObject({ values: { theme: 'light' } });
    ending.abort();
    expect((await events.next()).done).toBe(true);
  });

  it('that are damaged are set aside, which is reported once', async () => {
    const { folder, warnings, get } = await setUp('{"format":1,"values":');
    expect(await get()).toMatchObject({
      values: {},
      problem: expect.stringContaining('settings.json.damaged-'),
    });
    expect(await get()).toMatchObject({ problem: null });
    expect(await damagedCopies(folder)).toHaveLength(1);
    expect(warnings).toHaveLength(1);
  });

  it('of which one is damaged keep the others, and a copy of the file', async () => {
    const values = { theme: 'pink', limit: 20 };
    const shortcuts = { save: ['Mod+J'], run: 'Mod+J', count: ['no keys'] };
    const { folder, get } = await setUp(JSON.stringify({ format: 1, values, shortcuts }));
    expect(await get()).toMatchObject({
      values: { limit: 20 },
      shortcuts: { save: ['Mod+J'] },
      problem: expect.stringContaining('Some of the settings'),
    });
    expect(await damagedCopies(folder)).toHaveLength(1);
  });

  it('of a newer version are not changed', async () => {
    const newer = '{"format":2,"values":{"theme":"dark"},"shortcuts":{}}';
    const { path, settings, change, get } = await setUp(newer);
    await expect(get()).rejects.toMatchObject({ code: 'file_too_new' });
    await expect(change({ set: { limit: 5 } })).rejects.toMatchObject({ code: 'file_too_new' });
    expect(await readFile(path, 'utf8')).toBe(newer);
    // Listeners get no event, and do not fail.
    const ending = new AbortController();
    const events = (await settings.watch({}, { signal: ending.signal }))[Symbol.asyncIterator]().next();
    ending.abort();
    expect((await events).done).toBe(true);
  });

  it('are changed by two processes at once without losses', async () => {
    const { folder, settings } = await setUp();
    const entry = join(folder, 'change.mjs');
    const source = join(import.meta.dirname, '../../../../src/main/features/settings/settings.ts');
    await writeFile(
      entry,
      `import { createSettings } from ${JSON.stringify(source)};
       const { handlers } = createSettings(${JSON.stringify(folder)}, console.warn);
       for (let n = 0; n < 12; n += 1)
         await handlers.change({ set: {}, reset: [], shortcuts: { [process.argv[2] + n]: ['Mod+J'] } }, {});`,
    );
    const ended = ['a', 'b'].map(
      (name) => new Promise((done) => fork(entry, [name], { execArgv: [] }).once('exit', done)),
    );
    expect(await Promise.all(ended)).toEqual([0, 0]);
    expect(Object.keys((await settings.read()).shortcuts)).toHaveLength(24);
  });
});
