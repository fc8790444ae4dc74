import { screen, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { openUpload } from '../../../src/renderer/features/upload/open-upload.ts';
import { uploadKind } from '../../../src/renderer/features/upload/upload-kind.ts';
import { uploadWords } from '../../../src/renderer/words/upload.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { findings } from './support/findings.ts';
import { openSeveral, shownTab } from './support/several.ts';
import { rigRows, uploadIn } from './support/upload.ts';

const w = uploadWords;
const { columns, fixes } = w;

it('fixes rejected rows in place, says at the cell what is still wrong, and sends them once', async () => {
  // Two other uploads, of the same dataset, stay as they are.
  const opened = await openSeveral();
  const { press, select, fill, user, session, tabs } = opened;
  const upload = uploadIn(opened);
  await upload.open('demo/uploads.time');
  const rows = rigRows(100, (row) => (row === 7 || row === 57 ? 'stuck' : String(row)));
  await upload.pick('two stuck.csv', ['Time,ROP,WOB', ...rows]);
  await upload.next('columns');
  const dialog = await upload.place('ROP');
  await select(new RegExp(columns.readAs), columns.kinds.number, dialog);
  await press(words.close, dialog);
  await upload.next('check');
  await upload.button(w.check.sendOthers(98, 2));
  await upload.send();
  await expect.poll(upload.books).toMatchObject({ accepted: 98, rejected: 2 });

  const cell = (line: number) => fixes.cell('ROP', line);
  const first = await screen.findByLabelText(cell(9), { selector: 'input' });
  expect(first).toHaveValue('stuck');
  expect(first).toBeInvalid();
  expect(first).toHaveAccessibleDescription(expect.stringContaining('“stuck” is not a number.'));
  expect(await upload.button(fixes.send(0))).toBeDisabled();
  expect(await findings()).toEqual([]);

  await fill(cell(9), '88');
  await upload.button(fixes.send(1));
  // Edits stay when other tabs push this one out of those that are drawn, and closing it asks.
  const { id } = shownTab(opened);
  const { actions } = session().tabs;
  for (let count = 0; count < 5; count++) await opened.openTab(() => openUpload(session()));
  expect(screen.queryByLabelText(cell(9), { selector: 'input' })).toBeNull();
  await opened.openTab(() => actions.show(id));
  expect(await screen.findByLabelText(cell(9), { selector: 'input' })).toHaveValue('88');
  const [connection] = await opened.application.client.connections.list({});
  actions.askBefore(() => {});
  const name = words.tabs.closing.connectionHeading(connection?.name ?? '');
  const question = await screen.findByRole('alertdialog', { name });
  within(question).getByRole('button', { name: words.commands.titles.connectionClose });
  await press(words.cancel, question);
  actions.close(id);
  await press(words.cancel, await screen.findByRole('alertdialog', { name: words.tabs.closing.heading(1) }));
  await fill(cell(59), 'stack');
  await upload.press(fixes.send(2));
  await upload.text(fixes.wrong(1));
  const second = await screen.findByLabelText(cell(59), { selector: 'input' });
  expect(second).toHaveAccessibleDescription(expect.stringContaining('“stack” is not a number.'));
  expect(await screen.findByLabelText(cell(9), { selector: 'input' })).toBeValid();

  await fill(cell(59), '99');
  (await upload.button(fixes.send(2))).focus();
  await user.keyboard('{Enter}');
  await upload.text(fixes.sent(2));
  await upload.text(fixes.none);
  const { jobs } = session().app;
  await expect
    .poll(() => jobs.store.getState().jobs.find(({ file }) => file === 'two stuck.fixed.csv'))
    .toMatchObject({ state: 'done', result: { ledger: { rows: 2, accepted: 2 } } });
  expect(await findings()).toEqual([]);
  // The follow-up counts although the list doesn't have it, such as after a restart. Its last event can list it once.
  const isFollowUp = ({ file }: { file: string }) => file === 'two stuck.fixed.csv';
  for (let removal = 0; removal < 2; removal++) {
    jobs.store.setState((state) => ({ jobs: state.jobs.filter((job) => !isFollowUp(job)) }));
    await expect.poll(() => jobs.store.getState().jobs.some(isFollowUp)).toBe(true);
  }
  await upload.text(w.ledger.headings.rejected(2, false, 2));
  await upload.press(fixes.openFollowUp('two stuck.fixed.csv'));
  await expect.poll(upload.books).toMatchObject({ accepted: 2, rejected: 0, rows: 2 });
  const tab = await upload.tab();
  expect(within(tab).queryByText(fixes.heading)).toBeNull();
  for (const other of [tabs.upload, tabs.otherUpload])
    expect(uploadKind.of(other)?.store.getState().send.status).toBe('none');
});
