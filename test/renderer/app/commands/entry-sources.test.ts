import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import {
  entrySources,
  savedQueryEntries,
  type SourceParts,
} from '../../../../src/renderer/app/commands/compose-commands.ts';
import { createNote, noteKind, tabsAlone } from '../../features/tabs/support/note-kind.tsx';
import type { Entry } from '../../../../src/renderer/features/commands/command-table.ts';
import { createHelp } from '../../../../src/renderer/features/help/help.ts';
import { reportWords } from '../../../../src/renderer/words/report.ts';
import { words } from '../../../../src/renderer/words/words.ts';
import { savedQuery } from '../../../../src/shared/saved/saved.ts';
import { wellOf, wellWith } from '../../../support/wells.ts';
import { made } from '../../features/datasets/made.ts';

const queries = ['Last day of Ridge A-101', 'Slow drilling'].map((name, at) =>
  savedQuery.parse({
    id: `00000000-0000-4000-8000-00000000000${at}`,
    name,
    provider: 'demo',
    dataset: 'wits',
    folder: at === 0 ? 'Morning' : '',
    question: {},
    changedAt: 0,
  }),
);

/** The parts of a window with two tabs, two datasets, two wells, two saved queries, and three connections. */
function sources({ hasSession = true } = {}) {
  const acts: string[] = [];
  const tabs = tabsAlone();
  for (const title of ['first', 'second']) tabs.actions.open(noteKind.open(createNote(title)), { title });
  const loaded = (value: unknown) => ({ status: 'loaded', value });
  const session = {
    tabs,
    datasets: {
      store: createStore(() => ({ list: loaded([made('wits', { friendlyName: 'WITS' }), made('survey')]) })),
    },
    wells: {
      store: createStore(() => ({
        list: loaded({ search: () => [wellWith(5001), wellOf(9, 'Nameless', null)] }),
      })),
      actions: {
        changeSelection: ([well]: { name: string }[]) => acts.push(`well ${well?.name}`),
      },
    },
  };
  const connection = (id: string, secret: string) => ({ id, name: id.toUpperCase(), secret });
  const list = createStore(() => ({ list: { status: 'idle' } as unknown }));
  const help = createHelp();
  const parts = {
    connections: {
      store: createStore(() => ({
        list: loaded([
          connection('here', 'keychain'),
          connection('there', 'keychain'),
          connection('keyless', 'missing'),
        ]),
        current: { id: 'here' },
      })),
      actions: { open: ({ id }: { id: string }) => acts.push(`connection ${id}`) },
    },
    saved: {
      store: list,
      actions: {
        load: async () => list.setState({ list: loaded({ queries }) }),
        open: async ({ name }: { name: string }) => acts.push(`saved ${name}`),
      },
    },
    help,
    settings: { actions: { find: (text: string) => acts.push(`setting ${text}`) } },
    session: () => (hasSession ? session : null),
    openReport: (_: unknown, folder: string) => acts.push(`report ${folder}`),
    openDataset: (_: unknown, { dataset }: { dataset: string }) => acts.push(`dataset ${dataset}`),
  } as unknown as SourceParts;
  const all = entrySources(parts);
  const entries = async (text: string): Promise<Entry[]> =>
    (await Promise.all(all.map(async (source) => source(text)))).flat();
  const act = async (text: string, group: Entry['group']) => {
    (await entries(text)).find((entry) => entry.group === group)?.act();
  };
  const active = () => {
    const { tabs: open, active: id } = tabs.store.getState();
    return open.find((tab) => tab.id === id)?.title;
  };
  return { entries, act, acts, active, help };
}
const shown = (entries: Entry[], group: Entry['group']) =>
  entries
    .filter((entry) => entry.group === group)
    .map(({ text, note }) => (note === undefined ? text : `${text} · ${note}`));

describe('items to open by name', () => {
  it('are other tabs and other connections with credentials, before anything is typed', async () => {
    const { entries, act, acts, active } = sources();
    const all = await entries('');
    expect([...new Set(all.map(({ group }) => group))]).toEqual(['openTab', 'connectTo']);
    expect(shown(all, 'openTab')).toEqual(['first']);
    expect(shown(all, 'connectTo')).toEqual(['THERE']);
    await act('', 'openTab');
    await act('', 'connectTo');
    expect([active(), ...acts]).toEqual(['first', 'connection there']);
  });

  it('are datasets, wells, and saved queries of the connection in view', async () => {
    const { entries, act, acts } = sources();
    const all = await entries('wits');
    expect(shown(all, 'dataset')).toEqual(['demo/wits · WITS']);
    expect(shown(all, 'well')).toEqual(['W-5001 · 5001', `Nameless · ${words.commands.noAssetId}`]);
    expect(shown(all, 'savedQuery')).toHaveLength(2);
    for (const group of ['dataset', 'well', 'savedQuery'] as const) await act('wits', group);
    expect(acts).toEqual(['dataset wits', 'well W-5001', 'saved Last day of Ridge A-101']);
  });

  it('are reports of folders with saved queries, by what they are for', async () => {
    const { entries, act, acts } = sources();
    for (const text of ['morning report', 'pdf', 'html page', 'print'])
      expect(shown(await entries(text), 'savedQuery')).toEqual([reportWords.openNamed('Morning')]);
    await act('report', 'savedQuery');
    expect(acts).toEqual(['report Morning']);
  });

  it('are settings, which open at their place; only matches are listed', async () => {
    const { entries, act, acts } = sources();
    const { name } = words.settings.names.runOnOpen;
    expect(shown(await entries(name), 'setting')).toEqual([`${name} · ${words.settings.sections.questions}`]);
    await act(name, 'setting');
    expect(acts).toEqual([`setting ${name}`]);
    expect(shown(await entries('no such setting'), 'setting')).toEqual([]);
  });

  it('are only connections and the guide while no connection is open', async () => {
    const { entries, act, help } = sources({ hasSession: false });
    const groups = new Set((await entries('keyboard')).map(({ group }) => group));
    expect([...groups].toSorted()).toEqual(['connectTo', 'page']);
    await act('keyboard', 'page');
    expect(help.store.getState().at?.page).toBe('keyboard.md');
  });
});

describe('saved queries in the palette', () => {
  const names = (text: string) =>
    savedQueryEntries(queries, text, () => undefined).map((entry) => entry.text);

  it('are only those whose name or dataset matches', () => {
    expect(names('ridge a-101')).toEqual(['Last day of Ridge A-101']);
    expect(names('demo/wits')).toHaveLength(2);
    expect(names('Ridge B-7')).toEqual([]);
  });
});
