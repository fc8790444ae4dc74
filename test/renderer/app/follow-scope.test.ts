import { expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { followScope } from '../../../src/renderer/app/follow-scope.ts';
import { createTabs } from '../../../src/renderer/app/tabs.ts';
import type { ScopedWell } from '../../../src/renderer/features/wells/scope.ts';
import type { WellsState } from '../../../src/renderer/features/wells/wells-state.ts';
import { wellWith } from '../../support/wells.ts';

/** Tabs and selected wells that follow each other. */
function following() {
  const wells = createStore(() => ({ selected: [] }) as unknown as WellsState);
  const choose = (selected: readonly ScopedWell[]) => wells.setState({ selected });
  const tabs = createTabs({ store: () => null, selectedWells: () => wells.getState().selected });
  const shown: string[] = [];
  const stop = followScope(tabs, { store: wells, actions: { restoreSelection: choose } as never }, (id) =>
    shown.push(id),
  );
  const open = () => {
    tabs.actions.open({
      kind: 'query',
      title: 'a',
      model: { actions: { close: () => undefined, refill: () => undefined } } as never,
    });
    return tabs.store.getState().active ?? '';
  };
  const scopes = () =>
    tabs.store.getState().tabs.map(({ scope }) => scope.map(({ assetId }) => Number(assetId)));
  return { tabs, open, choose, scopes, shown, stop, chosen: () => wells.getState().selected };
}
const [north, south] = [wellWith(5001), wellWith(5002)];

it('selected wells belong to the tab in view, and to no other', () => {
  const { open, choose, scopes } = following();
  open();
  choose([north]);
  open();
  choose([north, south]);
  expect(scopes()).toEqual([[5001], [5001, 5002]]);
});

it('a tab that comes into view selects its wells, and reports that it is shown', () => {
  const { tabs, open, choose, chosen, shown } = following();
  const first = open();
  choose([north]);
  const second = open();
  choose([south]);
  tabs.actions.show(first);
  expect(chosen()).toEqual([north]);
  tabs.actions.close(first);
  expect(chosen()).toEqual([south]);
  expect(shown).toEqual([first, second, first, second]);
});

it('tabs and wells no longer follow each other once that is stopped', () => {
  const { tabs, open, choose, chosen, scopes, stop } = following();
  const first = open();
  choose([north]);
  open();
  stop();
  choose([south]);
  expect(scopes()).toEqual([[5001], [5001]]);
  tabs.actions.show(first);
  expect(chosen()).toEqual([south]);
});
