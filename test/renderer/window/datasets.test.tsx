import { screen, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { words } from '../../../src/renderer/words/words.ts';
import { anyCount, anyOtherCount, including, like } from '../../support/wording.ts';
import { findings } from './support/findings.ts';
import { openConnected, openDemo, waitForWells } from './support/open-window.tsx';
import { firstSentence } from './support/first-sentence.ts';

const w = words.datasets;
const list = () => screen.findByRole('grid', { name: w.heading });
const about = (address: string) => screen.findByRole('region', { name: w.about(address) });

it('leads from wells to the datasets with their data, and to the details of a dataset', async () => {
  const { user, press, fill, reload, openText } = await openConnected();
  const wells = await waitForWells(8);
  const [first, second] = wells;
  if (!first || !second) throw new Error('there are no wells');
  expect(await screen.findByRole('button', { name: w.onlyHolding(0) })).toBeDisabled();
  await user.click(first);
  await press(w.onlyHolding(1));
  await screen.findByText(like(w.shown(anyCount, anyOtherCount)));
  await screen.findByText(w.notAsked(['forbidden']));
  await fill(w.search, 'demo/wits');
  const row = await within(await list()).findByRole('row', { name: /demo\/wits$/ });
  await expect.poll(() => row).toHaveTextContent(including(w.count(anyCount)));
  await press(w.about('demo/wits'));
  const shown = await about('demo/wits');
  await within(shown).findByRole('heading', { name: w.extentOf(1) });
  await within(shown).findByText(w.first('timestamp'));
  await within(shown).findByText('asset_id ↑, timestamp ↓');
  const fields = await within(shown).findByRole('grid', { name: w.fields });
  // They have the order of a table, and times as a person reads them.
  const rowOf = (name: string) =>
    within(fields)
      .getAllByRole('row')
      .findIndex((listed) => listed.getAttribute('aria-label')?.startsWith(`${name}, `));
  expect(rowOf('timestamp')).toBe(0);
  expect(rowOf('data.hole_depth')).toBeLessThan(rowOf('company_id'));
  expect(await within(fields).findByRole('row', { name: /^timestamp, / })).toHaveAccessibleName(
    including(words.record.time('2026', 'UTC').replace('2026', '').trim()),
  );
  await fill(w.searchFields, 'klbf', shown);
  await within(fields).findByRole('row', { name: /^data\.weight_on_bit, / });
  await expect.poll(() => within(fields).queryByRole('row', { name: /rop/ })).toBeNull();
  // Ids have no range.
  const range = new RegExp(w.range(1, 2).replaceAll(/[12]/g, String.raw`\S+`));
  await fill(w.searchFields, 'id', shown);
  expect(await within(fields).findByRole('row', { name: /^asset_id, / })).not.toHaveAccessibleName(range);
  await fill(w.searchFields, 'bit_depth', shown);
  expect(await within(fields).findByRole('row', { name: /^data\.bit_depth, / })).toHaveAccessibleName(range);

  // A new selection of wells applies automatically.
  await user.click(second);
  await within(shown).findByRole('heading', { name: w.extentOf(2) });
  await fill(w.searchFields, 'data.hook_load', shown);
  await press(w.filterBy('data.hook_load'), shown);
  const query = await openText();
  await expect.poll(() => query).toHaveDisplayValue(/asset_id: \{\{wells\}\}, "data\.hook_load": \{ \$gte: /);

  // The tab is restored after a reload, and sends its request again.
  await reload();
  await user.click(await screen.findByRole('tab', { name: words.tabs.dataset('WITS') }));
  await within(await about('demo/wits')).findByRole('heading', { name: w.extentOf(2) });
});

it('sets the unit of a field in the details of a dataset, and shows it there, for this dataset only', async () => {
  const { press, fill, application } = await openConnected();
  await fill(w.search, 'demo/wits');
  await press(w.about('demo/wits.summary-1ft'));
  const shown = await about('demo/wits.summary-1ft');
  const row = (name: RegExp) => within(shown).findByRole('row', { name });
  await row(/^measured_depth, integer, \d/);
  await press(w.setField('measured_depth'), shown);
  const form = await screen.findByRole('dialog', { name: w.fieldForm.heading('measured_depth') });
  await fill(w.fieldForm.unit, 'm', form);
  await press(w.fieldForm.set, form);
  await row(/^measured_depth, integer, m, /);
  const { fieldUnits } = await application.client.settings.get({});
  expect(fieldUnits).toEqual({ 'demo/wits.summary-1ft': { measured_depth: 'm' } });
  // What identifies something has no unit.
  await press(w.setField('asset_id'), shown);
  const other = await screen.findByRole('dialog', { name: w.fieldForm.heading('asset_id') });
  expect(within(other).queryByLabelText(w.fieldForm.unit)).toBeNull();
  await press(words.cancel, other);

  const reset = async () => {
    await press(w.setField('measured_depth'), shown);
    await press(w.fieldForm.reset);
    await row(/^measured_depth, integer, \d/);
  };
  await reset();
  const uploadedUnits = { 'demo/wits.summary-1ft': { measured_depth: 'ft' } };
  await application.client.settings.change({ uploadedUnits });
  await row(/^measured_depth, integer, ft, /);
  await reset();
});

it('checks the quality of a dataset, or mirrors it, from its context menu', async () => {
  const { pickOn, fill } = await openConnected();
  await fill(w.search, 'demo/wits');
  const row = () => list().then((shown) => within(shown).findByRole('row', { name: /demo\/wits$/ }));
  await pickOn(await row(), words.quality.tab.start);
  await screen.findByRole('region', { name: words.quality.tab.region('demo/wits') });
  await pickOn(await row(), words.mirrors.openForm);
  await screen.findByRole('form', { name: words.mirrors.formLabel('demo/wits') });
});

it('reports why one dataset may not be read, and still shows the others', async () => {
  const { press, fill } = await openConnected();
  await fill(w.search, 'confidential');
  const row = await within(await list()).findByRole('row', { name: /frac\.confidential$/ });
  await expect.poll(() => row).toHaveTextContent(w.onRequest(['read', 'write']));
  await press(w.about('demo/frac.confidential'));
  const shown = await about('demo/frac.confidential');
  await within(shown).findByRole('row', { name: /^timestamp, / });
  const [beginning = ''] = firstSentence('forbidden', { service: 'data', what: '…' }).split('…');
  expect(await within(shown).findAllByText(beginning.slice(0, 60), { exact: false })).not.toHaveLength(0);
  expect(within(shown).getAllByText(w.request)).not.toHaveLength(0);
});

it('reports a slow list, and filters with few results', async () => {
  const demo = await openDemo({ faults: { latency_ms: 2000 } });
  // The lists may come before the window is ready.
  const [{ press, tick, fill, user }] = await Promise.all([
    openConnected(demo),
    screen.findByText(w.loading),
  ]);
  demo.faults.latency_ms = 0;
  await within(await list()).findAllByRole('row');
  await press(w.filtersHeld(0));
  const temporary = await screen.findByRole('radiogroup', { name: w.temporary });
  await tick(w.yesNo.yes, temporary);
  expect(await findings('region')).toEqual([]);
  await user.keyboard('{Escape}');
  await screen.findByText(like(w.shown(1, anyCount)));
  await fill(w.search, 'wits');
  await press(w.clear);
  await screen.findByText(like(w.shown(anyCount, anyCount)), { selector: '.list-foot' });
});
