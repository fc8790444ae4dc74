import { screen, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { words } from '../../../src/renderer/words/words.ts';
import { including } from '../../support/wording.ts';
import { findings } from './support/findings.ts';
import type { TestWindow } from './support/open-window.tsx';
import { cellsOf, drillingOf, openSeveralWells } from './support/several-wells.ts';
import { openSeveralQueries, queryOf } from './support/several.ts';

const w = words.query.filter;

const dialog = () => screen.findByRole('dialog');

async function select({ user }: TestWindow, label: string, typed: string): Promise<void> {
  const field = await within(await dialog()).findByRole('combobox', { name: label });
  await user.click(field);
  await user.clear(field);
  await user.paste(typed);
  await user.click((await screen.findAllByRole('option', { name: typed }))[0] as HTMLElement);
}

it('adds filters by field, comparison, and value; both apply to the records of both wells, and to their summary', async () => {
  const opened = await openSeveralWells();
  const { press, query, tick, user } = opened;
  await press(w.add);
  await select(opened, w.field, 'state');
  expect(await findings('region')).toEqual([]);
  // Values that the field has are proposed.
  await select(opened, w.value, 'Rotary Drilling');
  await press(w.apply);
  expect(await query()).toBe('{ asset_id: {{wells}}, "data.state": "Rotary Drilling" }');

  await press(words.query.run);
  const inState = (await cellsOf(opened, 'data.rop')).map(Number).toSorted((one, other) => one - other);
  const [low, high] = [0.25, 0.75].map((share) => inState[Math.floor(inState.length * share)] ?? 0);
  expect(high).toBeGreaterThan(low ?? 0);

  await press(w.add);
  await select(opened, w.field, 'rop');
  await press(new RegExp(w.operator), await dialog());
  await user.click(await screen.findByRole('option', { name: w.operators.between }));
  await press(w.apply);
  await within(await dialog()).findAllByText(w.noValue.two);
  const type = async (end: string, value: number | undefined) => {
    const field = within(await dialog()).getByRole('combobox', { name: end });
    await user.clear(field);
    await user.click(field);
    await user.paste(String(value));
    await user.tab();
  };
  await type(w.from, high);
  await type(w.to, low);
  await press(w.apply);
  await within(await dialog()).findAllByText(words.query.range.backwards);
  await type(w.from, low);
  await type(w.to, high);
  await press(w.apply);
  expect(await query()).toBe(
    `{ asset_id: {{wells}}, "data.state": "Rotary Drilling", "data.rop": { $gte: ${low}, $lte: ${high} } }`,
  );
  await press(words.query.run);
  const isBetween = (rop: number) => rop >= (low ?? 0) && rop <= (high ?? 0);
  await expect
    .poll(async () => (await cellsOf(opened, 'data.rop')).map(Number))
    .toSatisfy((rops: number[]) => rops.length > 0 && rops.every(isBetween));

  // The figures of the summary are of the same records.
  await tick(words.summary.mode);
  await screen.findByRole('region', { name: words.summary.region });
  await press(words.query.run);
  await expect
    .poll(async () => (await cellsOf(opened, 'rop_mean')).map(Number))
    .toSatisfy((means: number[]) => means.length > 0 && means.every(isBetween));

  await press(w.remove(w.text('state', 'is', ['Rotary Drilling'])));
  await tick(words.query.modes.find);
  // Each mode has its own text.
  await press(w.remove(w.text('state', 'is', ['Rotary Drilling'])));
  expect(await query()).toBe(`{ asset_id: {{wells}}, "data.rop": { $gte: ${low}, $lte: ${high} } }`);
});

it('proposes the values that both wells have, with their number of records, and those that other filters leave; pasted ones are counted, and those that no record has are named', async () => {
  const opened = await openSeveralWells([/^Ridge A-101H/, /^O'Brien/]);
  const { press, user, query } = opened;
  await press(words.query.run);
  // The grid renders the rows in view only.
  const records = await Promise.all([5001, 5008].map((well) => drillingOf(opened, well)));
  const all = records.flat().map(({ state }) => state);
  const counts = Map.groupBy(all, (state) => state);
  expect(counts.size).toBeGreaterThan(1);
  const [state = ''] = all;
  const proposed = async () => {
    await press(w.add);
    await select(opened, w.field, 'state');
    await within(await dialog()).findByText(w.counted);
    await user.click(within(await dialog()).getByRole('combobox', { name: w.value }));
    return (await screen.findAllByRole('option')).map(({ textContent }) => textContent);
  };
  const shown = [...counts].map(([text, { length }]) => `${text}${w.records(length)}`);
  expect((await proposed()).toSorted()).toEqual(shown.toSorted());
  await user.keyboard('{Escape}{Escape}');

  await press(w.add);
  await select(opened, w.field, 'state');
  await select(opened, w.value, state);
  await press(w.apply);
  // A value of the field doesn't hide its others.
  await press(w.button(w.text('state', 'is', [state])));
  await press(new RegExp(w.operator), await dialog());
  await user.click(await screen.findByRole('option', { name: w.operators.oneOf }));
  await within(await dialog()).findByText(w.counted);
  const boxes = within(await dialog()).getAllByRole('checkbox');
  expect(boxes).toHaveLength(counts.size);
  const another = all.find((text) => text !== state) ?? '';
  await user.click(within(await dialog()).getByRole('checkbox', { name: another }));
  await press(w.apply);
  expect(await query()).toContain(`{ $in: ["${state}", "${another}"] }`);

  // As a spreadsheet copies them.
  await press(w.remove(w.text('state', 'oneOf', [state, another])));
  const compareTo = async (field: string) => {
    await press(w.add);
    await select(opened, w.field, field);
    await press(new RegExp(w.operator), await dialog());
    await user.click(await screen.findByRole('option', { name: w.operators.oneOf }));
    const box = within(await dialog()).getByRole('textbox', { name: w.values });
    await user.click(box);
    return box;
  };
  const states = await compareTo('state');
  await within(await dialog()).findByText(w.counted);
  const [box, other] = within(await dialog()).getAllByRole<HTMLInputElement>('checkbox');
  const [firstState, otherState] = [box, other].map((each) => each?.labels?.[0]?.textContent);
  await user.click(states);
  await user.paste(`${firstState}\r\n"${otherState}"\r\nSmith, A #1\r\n`);
  expect(states).toHaveDisplayValue(`${firstState}, ${otherState}, "Smith, A #1"`);
  expect(states).toHaveAccessibleDescription(including(words.list.values(3)));
  expect(states).toHaveAccessibleDescription(including(words.list.notFound('Smith, A #1')));
  expect(await findings('region')).toEqual([]);
  // The proposed ones are selected, and change the text.
  expect(other).toBeChecked();
  if (box) await user.click(box);
  expect(states).toHaveDisplayValue(`${otherState}, "Smith, A #1"`);
  await press(w.apply);
  expect(await query()).toBe(
    `{ asset_id: {{wells}}, "data.state": { $in: ["${otherState}", "Smith, A #1"] } }`,
  );

  const rops = await compareTo('rop');
  await user.paste('12.5\t1,250\t-1.5');
  expect(rops).toHaveAccessibleDescription(including(words.list.values(3)));
  await press(w.apply);
  expect(await query()).toContain('"data.rop": { $in: [12.5, 1250, -1.5] }');
});

it('says of records, and of what is calculated from them, what the rig did in all of them', async () => {
  const opened = await openSeveralWells();
  const { press, tick, answer } = opened;
  const [reach, rotating] = [words.results.onlyStates, w.quick.names.rotating];
  await press(words.query.run);
  await within(await answer()).findAllByRole('gridcell');
  expect(within(await answer()).queryByText(including(reach([rotating])))).toBeNull();
  await press(w.quick.add(rotating));
  // The states of all records are asked for first.
  await screen.findByRole('button', { name: new RegExp(`^${w.remove('state')}`) });
  await press(words.query.run);
  await within(await answer()).findByText(including(reach([rotating])));
  await tick(words.summary.mode);
  await screen.findByRole('region', { name: words.summary.region });
  await press(words.query.run);
  await within(await answer()).findByRole('columnheader', { name: /^rop_mean/ });
  await within(await answer()).findByText(including(reach([rotating])));
});

it('changes the query of the tab in view only', async () => {
  const opened = await openSeveralQueries();
  const { tabs, show, press, user } = opened;
  const textOf = (tab: typeof tabs.query) => queryOf(tab).store.getState().text.find.query;
  for (const tab of [tabs.query, tabs.otherQuery]) {
    const before = textOf(tab === tabs.query ? tabs.otherQuery : tabs.query);
    await show(tab);
    await press(w.add, await opened.tab());
    await select(opened, w.field, 'state');
    await user.click(within(await dialog()).getByRole('combobox', { name: w.value }));
    await user.paste('In Slips');
    await user.tab();
    await press(w.apply);
    await expect.poll(() => textOf(tab)).toContain('"data.state": "In Slips"');
    expect(textOf(tab === tabs.query ? tabs.otherQuery : tabs.query)).toBe(before);
  }
});
