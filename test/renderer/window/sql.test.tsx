import { screen, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { words } from '../../../src/renderer/words/words.ts';
import { findings } from './support/findings.ts';
import { openConnected, type TestWindow } from './support/open-window.tsx';

const w = words.sql;

/** Opens a dataset with its first records, and switches its query to SQL. */
async function openSql(): Promise<TestWindow> {
  const opened = await openConnected();
  await opened.openDataset('demo/wits');
  await opened.press(words.query.run);
  await within(await opened.answer()).findAllByRole('gridcell');
  await opened.user.click(await screen.findByRole('radio', { name: words.query.modes.sql }));
  await screen.findByRole('region', { name: w.tables });
  return opened;
}
const editor = () => screen.findByRole('textbox', { name: `${w.editor}. ${w.editorHint}` });
const tables = () => screen.findByRole('region', { name: w.tables });

async function type({ user }: TestWindow, statement: string): Promise<void> {
  await user.clear(await editor());
  await user.click(await editor());
  await user.paste(statement);
}

it('makes a table of a query result, and runs statements on it', async () => {
  const opened = await openSql();
  const { press, answer, pick } = opened;
  await within(await tables()).findByText(w.none);
  await pick(w.add, /^wits/);
  const rows = await within(await tables()).findByText(/^wits_query_1$/);
  await opened.user.click(rows);
  await within(await tables()).findByText('data_rop');
  expect(await findings('region')).toEqual([]);

  await type(opened, 'SELECT count(*) AS total, {{ask:factor:number}} * 2 AS twice FROM wits_query_1');
  await opened.fill('factor', '1234321');
  await press(words.query.run);
  await within(await answer()).findByRole('gridcell', { name: '2468642' });

  await type(opened, 'SELECT *\nFROM nowhere');
  await press(words.query.run);
  await expect.poll(editor).toHaveAttribute('aria-invalid', 'true');
  await screen.findByText(new RegExp(`^${words.query.at(2, 6)}`));

  await pick(w.menu('wits_query_1'), w.remove);
  await within(await tables()).findByText(w.none);
});

it('makes a table of a file, with a note about its assumptions, and writes a statement for it', async () => {
  const opened = await openSql();
  const picker = (await tables()).querySelector<HTMLInputElement>('input[type=file]');
  if (!picker) throw new Error('no field for files');
  const lines = ['time,well,rop', '2026-01-31 10:00:00,5003,10', '2026-01-31 10:00:30,5003,20', ''];
  await opened.user.upload(picker, new File([lines.join('\n')], 'stage times.csv'));
  await within(await tables()).findByText('stage_times');
  await within(await tables()).findByLabelText(w.notes(1));

  await opened.press(w.write.button);
  const form = await screen.findByRole('dialog', { name: w.write.heading });
  await expect
    .poll(() => within(form).getByLabelText(w.write.statement).textContent)
    .toContain('avg(rop) AS rop_mean');
  await opened.press(w.write.use, form);
  await opened.press(words.query.run);
  await within(await opened.answer()).findByRole('gridcell', { name: '15' });
});
