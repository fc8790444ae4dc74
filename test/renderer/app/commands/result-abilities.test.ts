import { expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { resultAbilities } from '../../../../src/renderer/app/commands/result-abilities.ts';
import { createTabs } from '../../../../src/renderer/app/tabs.ts';
import type { CommandId } from '../../../../src/renderer/features/commands/command-table.ts';
import { words } from '../../../../src/renderer/words/words.ts';
import { made } from '../../features/datasets/made.ts';

/** A query in view, with a result that its limit cuts off. */
function withResult(
  answer: object = { asked: { kind: 'find', request: { limit: 5 } }, records: 5, limit: 5 },
) {
  const acts: string[] = [];
  const results = createStore(() => ({
    view: 'table',
    zone: 'utc',
    answer: { status: 'loaded', value: answer },
  }));
  const log = (name: string) => (value?: unknown) => void acts.push(`${name} ${String(value ?? '')}`.trim());
  const model = {
    dataset: made('wits'),
    results: {
      store: results,
      actions: { setView: log('view'), show: log('zone'), showAll: log('all'), showNotice: log('notice') },
    },
    actions: { close: () => undefined, describe: () => Promise.reject(new Error('no service')) },
  };
  const tabs = createTabs({ store: () => null, selectedWells: () => [] });
  tabs.actions.open({ kind: 'query', title: 'a', model: model as never });
  const abilities = resultAbilities(() => ({ tabs, openLive: log('live') }));
  const can = () => Object.entries(abilities).flatMap(([id, ability]) => (ability() ? [id] : []));
  return { acts, can, tabs, act: (id: CommandId) => abilities[id]?.()?.() };
}

it('result commands change the view and the time zone of the result in view, except to the current ones', () => {
  const { act, acts, can } = withResult();
  for (const id of ['viewBoth', 'zoneLocal', 'showAll', 'follow', 'viewTable', 'zoneUtc'] as const) act(id);
  expect(acts).toEqual(['view both', 'zone local', 'all', 'live [object Object]']);
  expect(can()).not.toContain('viewTable');
});

it('result commands don’t exist without a result that they apply to, or without a tab', () => {
  const whole = withResult({ asked: { kind: 'pipeline', request: {} }, records: 1, limit: null });
  expect(whole.can()).not.toEqual(expect.arrayContaining(['showAll']));
  expect(whole.can()).not.toEqual(expect.arrayContaining(['follow']));
  whole.tabs.actions.closeAll();
  expect(whole.can()).toEqual([]);
});

it('result commands report why a request can’t be copied', async () => {
  const { act, acts } = withResult();
  act('copyCurl');
  await expect.poll(() => acts).toHaveLength(1);
  expect(acts[0]).not.toContain(words.query.request.copied(words.query.request.languages.curl));
});
