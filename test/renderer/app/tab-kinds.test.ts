import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { tabKinds } from '../../../src/renderer/app/tab-kinds.ts';
import type { Session } from '../../../src/renderer/contexts.ts';
import { toStoredTab } from '../../../src/renderer/features/tabs/tabs.ts';
import { keptTabs } from '../../../src/shared/tabs/tabs.ts';
import { stubHiddenPage } from '../features/live/support.ts';
import { noteKind } from '../features/tabs/support/note-kind.tsx';
import { useApplication } from './support/application.ts';
import { sessionApp, sessionsOf } from './support/session.ts';

const renderer = join(import.meta.dirname, '../../../src/renderer');
// Written by the version before the list of kinds, with at least one tab of each kind; reports came later.
const fixture: unknown = JSON.parse(
  readFileSync(join(import.meta.dirname, 'fixtures/stored-tabs.json'), 'utf8'),
);
const startApplication = useApplication();
const sessions: Session[] = [];
// Live views pause while the page is hidden.
beforeEach(stubHiddenPage);
afterEach(async () => {
  for (const session of sessions.splice(0)) {
    await session.close();
    await expect.poll(() => session.tabs.store.getState().tabs).toEqual([]);
  }
  vi.unstubAllGlobals();
});

async function openSession(kinds = tabKinds): Promise<Session> {
  const { application, connection } = await startApplication();
  const session = sessionsOf(sessionApp(application), connection, kinds)();
  sessions.push(session);
  return session;
}

/** The source of the workspace: all tabs, their storage, and their view. */
const workspace = () =>
  readdirSync(join(renderer, 'features/tabs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => ({ name, text: readFileSync(join(renderer, 'features/tabs', name), 'utf8') }));

describe('kinds of tabs', () => {
  it('are unknown to the workspace: it names none, and imports no feature that has one', () => {
    const names = tabKinds.map(({ kind }) => kind);
    expect(names).toEqual(['query', 'live', 'quality', 'dataset', 'report', 'upload', 'browse']);
    const quoted = new RegExp(`kind\\b[^\\n]*['"](${names.join('|')})['"]|case '(${names.join('|')})'`);
    const imported = /from '(?:\.\.\/)+(query|live|quality-tab|dataset-tab|report|upload|wells)\//;
    expect(
      workspace()
        .filter(({ text }) => quoted.test(text) || imported.test(text))
        .map(({ name }) => name),
    ).toEqual([]);
    // Each pattern finds what it looks for.
    expect(quoted.test("if (tab.kind === 'query')") && quoted.test("case 'live'")).toBe(true);
    expect(imported.test("import { queryKind } from '../query/query-kind.ts';")).toBe(true);
  });

  it('are each one line of the list, and a line in nothing else', () => {
    const list = readFileSync(join(renderer, 'app/tab-kinds.ts'), 'utf8');
    const others = readdirSync(join(renderer, 'app'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && name !== 'tab-kinds.ts')
      .filter((name) =>
        /\b(query|live|quality|dataset|report|upload|browse)Kind\.kind/.test(
          readFileSync(join(renderer, 'app', name), 'utf8'),
        ),
      );
    for (const { kind } of tabKinds) expect(list.match(new RegExp(`^  ${kind}Kind,$`, 'gm'))).toHaveLength(1);
    expect(others).toEqual([]);
  });

  it('open from what the version before the list of kinds stored, and store the same', async () => {
    const session = await openSession();
    session.load();
    await expect.poll(() => session.datasets.store.getState().freshness.isLoading).toBe(false);
    await expect.poll(() => session.wells.store.getState().freshness.isLoading).toBe(false);
    const stored = keptTabs.parse(fixture);
    session.tabs.actions.restore(stored);
    const state = () => session.tabs.store.getState();
    expect(state()).toMatchObject({ active: stored.active, neighbor: stored.neighbor });
    expect(state().closed).toEqual(stored.closed);
    for (const { id } of state().tabs) await session.tabStorage.actions.restore(id);
    await expect.poll(() => state().tabs.filter((tab) => tab.stored)).toEqual([]);
    expect(new Set(state().tabs.map(({ kind }) => kind))).toEqual(new Set(tabKinds.map(({ kind }) => kind)));
    // Files of uploads are granted to the process that stored them; the uploads keep their choices for them.
    const restored = state().tabs.map(toStoredTab);
    // Queries had no numbers and no calculated columns, their titles didn't name wells, and live views had no limits.
    const withoutWells = (tabs: typeof stored.open) =>
      tabs.map((tab) => ({
        ...tab,
        scope: [],
        ...(tab.kind === 'query'
          ? { title: '', state: { number: 1, calculated: [], ...Object(tab.state) } }
          : {}),
        ...(tab.kind === 'live' ? { state: { limits: {}, ...Object(tab.state) } } : {}),
      }));
    expect(withoutWells(restored).filter(({ kind }) => kind !== 'upload')).toEqual(
      withoutWells(stored.open).filter(({ kind }) => kind !== 'upload'),
    );
    const choicesOf = (tabs: typeof stored.open) =>
      tabs.flatMap(({ kind, title, state: content }) =>
        kind === 'upload'
          ? [{ title, choices: (content as { draft: { choices: object } }).draft.choices }]
          : [],
      );
    await expect.poll(() => choicesOf(state().tabs.map(toStoredTab))).toEqual(choicesOf(stored.open));
    expect(state().tabs.map(({ wells }) => wells.map(({ assetId }) => assetId))).toEqual(
      stored.open.map(({ scope }) => scope.map(({ assetId }) => assetId)),
    );
  });

  it('that are new need only their own module: they are stored, restored, and have commands', async () => {
    const session = await openSession([...tabKinds, noteKind]);
    const { tabs } = session;
    const note = { title: 'A note', name: null, scope: [], state: { text: 'casing point' } };
    const closed = [{ id: 'n2', kind: 'note', ...note, state: { text: 'mud weight' } }];
    tabs.actions.restore({
      open: [{ id: 'n1', kind: 'note', ...note }],
      closed,
      active: null,
      neighbor: null,
      preview: null,
    });
    tabs.actions.reopen();
    const textOf = (id: string) => {
      const tab = tabs.store.getState().tabs.find((each) => each.id === id);
      return noteKind.of(tab ?? null)?.store.getState().text;
    };
    await expect.poll(() => ['n1', 'n2'].map(textOf)).toEqual(['casing point', 'mud weight']);
    // The command acts on the tab with the focus, and on no other.
    expect(session.commands.tab()?.run?.()).not.toBeNull();
    session.commands.tab()?.run?.()?.();
    expect(['n1', 'n2'].map(textOf)).toEqual(['casing point', '']);
    tabs.actions.duplicate('n1');
    expect(tabs.store.getState().tabs.map(toStoredTab)).toMatchObject([
      { kind: 'note', state: { text: 'casing point' } },
      { kind: 'note', state: { text: 'casing point' } },
      { kind: 'note', state: { text: '' } },
    ]);
  });
});
