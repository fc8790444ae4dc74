// Makes the fixture of a version: `node test/main/data-folders/make.ts <version>.ndjson`, once for each version that is
// released, and for each that changes a stored format. Jobs are in `../stopped-jobs`.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { connections, openApp, queries, runs, settings, tabs, templates, view } from './content.ts';

const [output = ''] = process.argv.slice(2);
const dataFolder = await mkdtemp(join(tmpdir(), 'wellbench-data-'));
const app = await openApp(dataFolder);
const { client } = app;
const ids: string[] = [];
for (const connection of connections) {
  const credential = { method: 'api_key', apiKey: 'none' } as const;
  ids.push((await client.connections.add({ ...connection, credential, saveAnyway: true })).id);
}
const [connection = ''] = ids;
await client.settings.change({ set: settings });
await client.saved.put({ queries, folders: ['Drilling', 'Drilling/Depth'] });
await client.workspace.changeView({ ...view, before: null });
for (const template of templates) await client.upload.keepTemplate(template);
for (const { header, mapping } of templates)
  await client.upload.keepLastMapping({ header, type: 'time', file: 'a.csv', mapping });
for (const run of runs) await client.history.note({ connection, ...run });
const window = new AbortController();
const held = await client.events.tabs({ connection, set: null }, { signal: window.signal });
for await (const { set } of held) {
  const [open, closed] = tabs.map(({ id }) => [id]);
  await client.tabs.keep({
    connection,
    set,
    open: open ?? [],
    closed: closed ?? [],
    active: open?.[0] ?? null,
    neighbor: null,
    changed: tabs,
  });
  break;
}
window.abort();
await client.mirrors.list({});
await app.close();
const files = await readdir(dataFolder, { recursive: true, withFileTypes: true });
const lines: string[] = [];
for (const entry of files.filter((each) => each.isFile() && !/\.(lock|log)$/.test(each.name))) {
  const path = join(entry.parentPath, entry.name);
  const name = relative(dataFolder, path).replaceAll('\\', '/');
  lines.push(JSON.stringify({ path: name, text: await readFile(path, 'utf8') }));
}
await writeFile(output, `${lines.toSorted((a, b) => (a < b ? -1 : 1)).join('\n')}\n`);
await rm(dataFolder, { recursive: true, force: true });
