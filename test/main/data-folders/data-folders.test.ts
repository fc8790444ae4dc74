import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { App } from '../../../src/main/app.ts';
import { useFolders } from '../../support/folders.ts';
import { connections, openApp, queries, runs, settings, tabs, templates, view } from './content.ts';

const folders = useFolders();
const apps: App[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

const here = fileURLToPath(new URL('.', import.meta.url));
/** Made by the version of their names; each stays as it is. */
const fixtures = readdirSync(here).filter((name) => name.endsWith('.ndjson'));
const storedFile = z.object({ path: z.string(), text: z.string() });

/** The data folder of a version. */
async function restore(fixture: string): Promise<string> {
  const dataFolder = await folders();
  for (const line of readFileSync(join(here, fixture), 'utf8').trimEnd().split('\n')) {
    const { path, text } = storedFile.parse(JSON.parse(line));
    await mkdir(join(dataFolder, dirname(path)), { recursive: true });
    await writeFile(join(dataFolder, path), text);
  }
  return dataFolder;
}

async function open(dataFolder: string) {
  const app = await openApp(dataFolder);
  apps.push(app);
  return app.client;
}

/** The texts of the stored files, by path; not of locks and the log. */
const textsOf = (dataFolder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(dataFolder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.(lock|log)$/.test(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path.slice(dataFolder.length + 1), readFileSync(path, 'utf8')] as const),
  );

/** All that the user stored, as a window reads it. */
async function readAll(client: App['client']) {
  const list = await client.connections.list({});
  const connection = list[0]?.id ?? '';
  const window = new AbortController();
  const held = await client.events.tabs({ connection, set: null }, { signal: window.signal });
  const stream = held[Symbol.asyncIterator]();
  const { value } = await stream.next();
  const end = stream.next();
  window.abort();
  await end.catch(() => undefined);
  return {
    connections: list,
    settings: await client.settings.get({}),
    saved: await client.saved.list({}),
    view: await client.workspace.view(view),
    templates: await client.upload.templates({}),
    mapping: await client.upload.lastMapping({ header: templates[0]?.header ?? [], type: 'time' }),
    history: await client.history.list({ connection }),
    tabs: value,
  };
}

describe.each(fixtures)('the data folder %s', (fixture) => {
  it('is opened with all that the user stored', async () => {
    const all = await readAll(await open(await restore(fixture)));
    expect(all.connections).toMatchObject(connections);
    expect(all.settings).toMatchObject({ values: settings, problem: null });
    expect(all.saved).toMatchObject({ queries, problem: null });
    expect(all.saved.folders).toContain('Drilling/Depth');
    expect(all.view).toEqual(view.view);
    expect(all.templates).toEqual({ templates, problem: null });
    expect(all.mapping).toMatchObject({ file: 'a.csv', header: templates[0]?.header });
    expect(all.history.runs.map(({ rows }) => rows)).toEqual(runs.map(({ rows }) => rows).toReversed());
    expect(all.tabs).toMatchObject({
      kept: { open: [tabs[0]], closed: [tabs[1]], active: tabs[0]?.id },
      problem: null,
    });
  });

  it('loses nothing when it is changed, and opened again', async () => {
    const dataFolder = await restore(fixture);
    const client = await open(dataFolder);
    const before = await readAll(client);
    await client.settings.change({ set: { theme: 'light' } });
    await client.saved.remove({ queries: ['saved-1'] });
    await apps.pop()?.close();
    const after = await readAll(await open(dataFolder));
    expect(after).toEqual({
      ...before,
      settings: { ...before.settings, values: { ...before.settings.values, theme: 'light' } },
      saved: { ...before.saved, queries: before.saved.queries.filter(({ id }) => id !== 'saved-1') },
    });
  });

  it('is refused as a whole, and left unchanged, when a newer version wrote it', async () => {
    const dataFolder = await restore(fixture);
    await writeFile(join(dataFolder, 'folder.json'), '{"format":2,"more":true}');
    const before = textsOf(dataFolder);
    const error = await openApp(dataFolder).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({
      code: 'file_too_new',
      message: expect.stringMatching(/^The data folder was written by a newer version.*Update Wellbench/),
    });
    expect(textsOf(dataFolder)).toEqual(before);
  });

  it('keeps each file that a newer version wrote, whatever is read and changed', async () => {
    const dataFolder = await restore(fixture);
    const newer = Object.entries(textsOf(dataFolder)).filter(([path]) => !/^folder|^history/.test(path));
    for (const [path, text] of newer)
      await writeFile(join(dataFolder, path), text.replace('"format":1', '"format":99'));
    const before = textsOf(dataFolder);
    const client = await open(dataFolder);
    const calls = [
      () => client.connections.list({}),
      () => client.settings.change({ set: { theme: 'light' } }),
      () => client.saved.put({ queries, folders: [] }),
      () => client.workspace.changeView({ ...view, before: null }),
      () => client.upload.removeTemplate({ id: templates[0]?.id ?? '' }),
      () => client.upload.lastMapping({ header: ['time'], type: 'time' }),
    ];
    for (const call of calls) await call().catch(() => undefined);
    const after = textsOf(dataFolder);
    for (const [path] of newer) expect(after[path], path).toBe(before[path]);
  });
});

it('a folder without a version is marked, and a damaged mark is set aside', async () => {
  const dataFolder = await folders();
  await open(dataFolder);
  expect(readFileSync(join(dataFolder, 'folder.json'), 'utf8')).toBe('{"format":1}');
  await apps.pop()?.close();
  await writeFile(join(dataFolder, 'folder.json'), 'no JSON');
  await open(dataFolder);
  expect(readFileSync(join(dataFolder, 'folder.json'), 'utf8')).toBe('{"format":1}');
  expect(readdirSync(dataFolder).some((name) => name.startsWith('folder.json.damaged-'))).toBe(true);
});
