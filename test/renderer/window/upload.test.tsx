import { fireEvent, screen, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { anyWindow } from '../../../src/main/features/workspace/opened-items.ts';
import { uploadKind } from '../../../src/renderer/features/upload/upload-kind.ts';
import { uploadWords } from '../../../src/renderer/words/upload.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { anyCount, anyOtherCount, including, like, oneOf, startingLike } from '../../support/wording.ts';
import { findings } from './support/findings.ts';
import { addressOf, openConnected, openDemo, waitForWells } from './support/open-window.tsx';
import { firstSentence } from './support/first-sentence.ts';
import { shownTab } from './support/several.ts';
import { openUpload, rigRows } from './support/upload.ts';

const w = uploadWords;
const { columns, ledger } = w;

it('rejects a file with a reason, and accepts another one', async () => {
  const { upload } = await openUpload();
  await upload.hand('book.csv', new Uint8Array([0x50, 0x4b, 3, 4, 20, 0, 6, 0, 8, 0]));
  const alert = async () => within(await upload.tab()).findByRole('alert');
  await expect.poll(alert).toHaveTextContent('book.csv');
  expect(await findings()).toEqual([]);
  expect(await upload.button(w.next(w.steps.columns))).toBeDisabled();
  await upload.text(w.notYet.unreadable);
  await upload.hand('empty.csv', '', w.choose.another);
  await expect.poll(alert).toHaveTextContent('empty.csv');
  await upload.hand('good.csv', 'a,b\n1,2\n', w.choose.another);
  await upload.text(w.file.rowsAndColumns(1, 2));
});

const stuckRows = rigRows(300, (row) => (row % 50 === 7 ? 'stuck' : String(row)));

it('reports why two rows of a hundred are rejected, before and after, and returns them as a file; no step has accessibility findings', async () => {
  const { upload, press, select, jobFile, tab } = await openUpload('Ridge A-101H');
  await upload.pick('two in a hundred.csv', ['Time,ROP,WOB', ...stuckRows]);
  expect(await findings()).toEqual([]);
  await upload.next('columns');
  await upload.text(columns.filled);
  const dialog = await upload.place('ROP');
  expect(await findings('region')).toEqual([]);
  await select(new RegExp(columns.readAs), columns.kinds.number, dialog);
  await press(words.close, dialog);
  await upload.next('check');
  expect(await upload.button(w.check.sendOthers(294, 6))).toBeEnabled();
  await upload.text(w.existing.found(0));
  expect(await findings()).toEqual([]);
  await upload.press(ledger.showLine(9));
  await upload.text(w.preview.at(9));

  // A text is treated as null from the list, and all rows are checked again; undone, they would be rejected.
  await upload.press(startingLike(w.correct.label('')));
  await press(w.warnings.takeAsNull('stuck'));
  await upload.button(w.check.send(300));
  await upload.press(w.back);
  const nulls = await within(await tab()).findByLabelText(columns.nulls);
  expect(nulls).toHaveValue('stuck');
  await upload.nulls('');
  await upload.next('check');
  await upload.button(w.check.sendOthers(294, 6));
  await upload.send();
  await expect
    .poll(upload.books)
    .toMatchObject({ accepted: 294, rejected: 6, unknown: 0, pending: 0, rows: 300 });
  const problems = await within(await tab()).findByRole('table', { name: ledger.problems });
  expect(within(problems).getAllByRole('row')[1]).toHaveTextContent(/ROP.*stuck.*6.*9.*59.*109/);
  expect(await findings()).toEqual([]);
  const rejects = await jobFile(await within(await tab()).findByRole('link', { name: /\.rejects\./ }));
  expect(rejects.trimEnd().split('\n')).toHaveLength(7);
  expect(rejects).toContain('not_a_number');
});

it('edits columns in their rows, and skips and includes several at once', async () => {
  const { upload, user, tab } = await openUpload('Ridge A-101H');
  await upload.pick('wide.csv', ['DateTime,ROP,WOB,Note', ...rigRows(20).map((row) => `${row},a`)]);
  await upload.next('columns');
  await upload.text(columns.filled);
  await upload.edit(columns.targetOf('ROP'), 'data.rop');
  await expect.poll(() => upload.column('ROP')).toHaveTextContent('data.rop');
  await upload.edit(columns.typeOf('WOB'), columns.kinds.string);
  await expect.poll(() => upload.column('WOB')).toHaveTextContent(columns.kinds.string);
  await upload.edit(columns.unitOf('WOB'), 'klbf');
  await expect.poll(() => upload.column('WOB')).toHaveTextContent('klbf');
  await upload.edit(columns.formatOf('DateTime'), columns.formats.unix_s);
  await expect.poll(() => upload.column('DateTime')).toHaveTextContent('2026-01-01T00:00:00.000Z');
  await upload.edit(columns.formatOf('DateTime'), columns.formats.iso);

  // Shift includes all between two clicks; the check box of the header applies to those shown.
  const box = (name: string) => screen.findByRole('checkbox', { name });
  await user.click(await box(columns.include('ROP')));
  fireEvent.click(await box(columns.include('Note')), { shiftKey: true });
  for (const name of ['ROP', 'WOB', 'Note'])
    await expect.poll(() => upload.column(name)).toHaveTextContent(columns.skipped);
  await user.click(await upload.button(new RegExp(columns.show)));
  await user.click(await screen.findByRole('option', { name: columns.filters.unmapped }));
  await upload.text(columns.shown(3, 4));
  await user.click(await box(columns.includeShown));
  await expect.poll(() => upload.column('WOB')).toHaveTextContent('data.weight_on_bit');
  expect(within(await tab()).queryByRole('rowheader', { name: 'DateTime' })).toBeNull();
  await user.type(await screen.findByRole('searchbox', { name: columns.search }), 'no');
  await upload.text(columns.shown(1, 4));
});

it('changes the value for blank cells of a column, which still fills its field', async () => {
  const opened = await openUpload('Ridge A-101H');
  const { upload } = opened;
  await upload.pick('blank.csv', [
    'Time,ROP,WOB,Edition',
    ...rigRows(20).map((row, at) => `${row},${at || ''}`),
  ]);
  await upload.next('columns');
  await upload.fillField('version', columns.fromColumn('Edition'));
  const model = uploadKind.of(shownTab(opened));
  model?.actions.setConstant('version', '1');
  const box = await within(await upload.field('version')).findByRole('textbox', {
    name: columns.valueForBlanks('version'),
  });
  await upload.typeInto(box, '57');
  expect(model?.store.getState().choices).toMatchObject({
    columns: { Edition: { to: 'version' } },
    constants: { version: '57' },
  });
});

it('makes one timestamp of a date and a time of day, in the zone of the well', async () => {
  const { upload, user } = await openUpload();
  const rows = ['03/14/2024,10:00:05,15/9-F-4,1.5', '03/15/2024,11:30:00,15/9-F-4,2.5'];
  await upload.pick('split.csv', ['Date,Time,Hole,ROP', ...rows]);
  await upload.pressByKey(w.next(w.steps.columns));
  await expect.poll(() => screen.findByRole('region', { name: w.steps.columns })).toHaveFocus();
  await expect.poll(() => upload.column('Date')).toHaveTextContent('2024-03-14 10:00:05 UTC');
  expect(await upload.column('Time')).toHaveTextContent(columns.joinedTo('Date'));
  await upload.fillField('asset_id', columns.oneValue);
  await user.type(await within(await upload.field('asset_id')).findByRole('combobox'), '5003{Enter}');
  await expect.poll(() => upload.column('Date')).toHaveTextContent('2024-03-14 15:00:05 UTC');
  expect(await upload.place('Date')).toHaveTextContent(columns.zoneOfWell('Ridge C-103H'));
});

it('reads times that occur twice by the order of rows, or as the user selects; a selected format keeps the focus, and opens nothing', async () => {
  const { upload, user, press } = await openUpload();
  const hours = ['00:30', '01:00', '01:30', '01:00', '01:30', '02:00'];
  const rows = (well: string) => hours.map((hour) => `2025-11-02 ${hour},${well},1`);
  await upload.pick('november.csv', ['When,Hole,ROP', ...rows('Ridge C-103H'), ...rows('Ridge C-103H')]);
  await upload.next('columns');
  await upload.fillField('asset_id', columns.oneValue);
  await user.type(await within(await upload.field('asset_id')).findByRole('combobox'), '5003{Enter}');
  await upload.fillField('timestamp', columns.fromColumn('When'));
  const dialog = await upload.place('When');
  await within(dialog).findByText(columns.repeatedCounts(4, 4, 0));
  for (const pass of ['first', 'second'] as const)
    expect(within(dialog).getAllByText(columns.repeated(pass))).toHaveLength(2);
  await user.click(await within(dialog).findByRole('button', { name: including(columns.repeatedTimes) }));
  await user.click(await screen.findByRole('option', { name: columns.repeatedReading.second }));
  await expect.poll(() => within(dialog).queryAllByText(columns.repeated('second'))).toHaveLength(2);
  await press(words.close, dialog);

  await upload.open('demo/uploads.time');
  await upload.pick('dates.csv', ['Date,ROP', '03/04/2024 10:00,1', '05/06/2024 10:00,2']);
  await upload.next('columns');
  await upload.fillField('timestamp', columns.fromColumn('Date'));
  const dates = await upload.place('Date');
  const american = await within(dates).findByRole('radio', { name: /^4 March 2024/ });
  american.focus();
  await user.keyboard(' ');
  await expect.poll(() => within(dates).getAllByRole('row')[1]).toHaveTextContent('2024-03-04 10:00:00');
  expect(american).toHaveFocus();
  expect(screen.queryByRole('listbox')).toBeNull();
});

it('does not send a file that names other wells than the selected one before the user has decided', async () => {
  const { upload } = await openUpload('Ridge A-101H');
  const names = ['Ridge B-102H', 'Ridge C-103H', 'Ridge A-101H'];
  const rows = rigRows(60).map((row, at) => `${row},${names[at % 3] ?? ''}`);
  await upload.pick('three wells.csv', ['Time,ROP,WOB,Well Name', ...rows]);
  await upload.next('columns');
  await upload.text(w.wells.otherThanSelected(w.wells.named('Ridge A-101H', 5001), 2));
  expect(await upload.button(w.next(w.steps.check))).toBeDisabled();
  await upload.text(w.notYet.wells);
  await upload.press(w.wells.fileWells);
  await upload.next('check');
  await upload.send();
  await expect.poll(upload.books).toMatchObject({ accepted: 60, rows: 60 });
});

const clean = ['timestamp,ROP', ...rigRows(200).map((row) => row.split(',').slice(0, 2).join(','))];

it('reports that a file that is sent again is already stored', async () => {
  const { upload } = await openUpload('Ridge D-104H');
  await upload.pick('clean.csv', clean);
  await upload.next('columns');
  await upload.next('check');
  await upload.text(w.check.good(200));
  await upload.send();
  await upload.press(ledger.another);
  await upload.pick('clean.csv', clean);
  await upload.next('columns');
  await upload.next('check');
  await upload.text(w.check.stored(200, 0));
  expect(await upload.button(w.check.send(0))).toBeDisabled();
});

it('reports suspected damage as suspected', async () => {
  const { upload } = await openUpload('Ridge D-104H');
  // A number near them leaves it open whether they mean null.
  const damaged = clean.map((row, at) =>
    at % 20 === 7 ? row.replace(/,.*/, ',-9999') : at === 9 ? row.replace(/,.*/, ',-9000') : row,
  );
  await upload.pick('damaged.csv', [...damaged, ...damaged.slice(5, 8)]);
  await upload.next('columns');
  await upload.next('check');
  await upload.text(like(w.check.suspicious(anyCount, anyOtherCount)));
  await upload.press(w.warnings.takeAsNull('-9999'));
  const warning = w.warnings.of.sentinel_values?.({ cell: '-9999', count: 10 }).split('-9999')[1] ?? '';
  await expect.poll(async () => within(await upload.tab()).queryByText(warning, { exact: false })).toBeNull();
});

it('maps files with one header once and sends them one after another; their template is used for the next', async () => {
  const { upload, press, fill, user, demo, enabled } = await openUpload('Ridge A-101H');
  const rows = (first: number) => [
    'When,ROP',
    ...[0, 1, 2].map((row) => `2026-01-0${first + row}T00:00:00Z,${row}`),
  ];
  await upload.drop([
    ['week 1.csv', rows(1).join('\n')],
    ['week 2.csv', rows(4).join('\n')],
    ['other.csv', 'a,b\n1,2\n'],
  ]);
  await user.click(await screen.findByRole('tab', { name: w.tab('week 1.csv') }));
  await upload.next('columns');
  await upload.press(columns.likely('When'));
  await upload.press(w.templates.heading);
  const dialog = await screen.findByRole('dialog', { name: w.templates.heading });
  await fill(w.templates.name, 'Weekly', dialog);
  await press(w.templates.keep, dialog);
  await within(dialog).findByRole('textbox', { name: w.templates.rename('Weekly') });
  await user.keyboard('{Escape}');
  await upload.next('check');
  await upload.text(w.alike.heading(1));
  await upload.text(w.alike.wells.first(w.wells.named('Ridge A-101H', 5001)));
  await press(new RegExp(`^${words.jobs.toggle}`));
  // Its rows are checked first.
  await enabled(w.alike.send(2), await upload.tab());
  // The first is kept running as long as the test needs it.
  Object.assign(demo.faults, { rate_429: 1, retry_after: 2 });
  await upload.press(w.alike.send(2));
  const waits = await screen.findByRole('listitem', { name: words.jobs.waitsNamed('week 2.csv') });
  expect(waits).toHaveTextContent(words.jobs.waitsBehind('week 1.csv'));
  demo.faults.rate_429 = 0;
  await upload.atRest();
  await expect.poll(upload.books).toMatchObject({ accepted: 3, rows: 3 });
  await user.click(await screen.findByRole('tab', { name: w.tab('week 2.csv') }));
  await upload.atRest();
  await expect.poll(upload.books).toMatchObject({ accepted: 3, rows: 3 });

  await upload.open('demo/uploads.time');
  await upload.drop([['week 3.csv', rows(7).join('\n')]]);
  await upload.next('columns');
  await upload.text(columns.templateMapping('Weekly'));
  await upload.text(columns.filled);
  await upload.press(columns.undoEarlierMapping);
  await upload.press(w.templates.use('Weekly'));
  await upload.text(columns.filled);

  await upload.next('check');
  await enabled(w.check.send(3));
  await press(words.jobs.clear);
  await press(words.jobs.clear, await screen.findByRole('dialog', { name: words.jobs.clear }));
  await upload.text(w.check.checkText);
  await screen.findByText(words.jobs.none);
  // The first tab isn't drawn any more after four others.
  await user.click(await screen.findByRole('tab', { name: w.tab('other.csv') }));
  await upload.open('demo/uploads.time');
  await user.click(await screen.findByRole('tab', { name: w.tab('week 1.csv') }));
  await upload.text(w.ledger.discarded);
  await enabled(w.ledger.another, await upload.tab());
});

it('pauses, resumes, and waits for its next try', async () => {
  const { upload, demo, enabled } = await openUpload('Ridge A-101H');
  await upload.pick('long.csv', ['timestamp,ROP,WOB', ...rigRows(3000)]);
  await upload.next('columns');
  await upload.next('check');
  await enabled(w.check.send(3000));
  demo.faults.latency_ms = 60_000;
  await upload.press(w.check.send(3000));
  await upload.text(w.check.preparing);
  expect(await findings()).toEqual([]);
  await upload.press(words.cancel);
  await enabled(w.check.send(3000));
  Object.assign(demo.faults, { latency_ms: 1000, fault_on: 'writes' });
  await upload.press(w.check.send(3000));
  await upload.press(words.jobs.pause);
  await upload.text(new RegExp(`${words.jobs.waits.resume}$`));
  expect(await findings()).toEqual([]);
  Object.assign(demo.faults, { rate_429: 1, retry_after: 2, latency_ms: 0 });
  await upload.press(words.jobs.resume);
  await upload.text(oneOf(including(w.send.retry(anyCount)), including(w.send.nextTry(anyCount))));
  expect(await findings()).toEqual([]);
  demo.faults.rate_429 = 0;
  await upload.atRest();
  await expect.poll(upload.books).toMatchObject({ accepted: 3000, rows: 3000 });
});

it('stops at the first 403, and names whom to contact', async () => {
  const demo = await openDemo();
  const { upload } = await openUpload('Ridge A-101H', 'demo/uploads.time', {
    demo,
    credential: { method: 'api_key', apiKey: demo.apiKeys.read },
  });
  await upload.pick('refused.csv', ['timestamp,ROP,WOB', ...rigRows(400)]);
  await upload.next('columns');
  await upload.next('check');
  await upload.send();
  await upload.text(ledger.headings.failed);
  const [beginning = ''] = firstSentence('forbidden', { service: 'data', what: '…' }).split('…');
  expect(await within(await upload.tab()).findByRole('alert')).toHaveTextContent(beginning);
  expect(await findings()).toEqual([]);
  // Only the rows of the rejected request were tried; neither they nor later ones were stored.
  const { accepted, rejected, unknown, pending, rows } = await upload.books();
  expect({ accepted, rejected, rows, left: unknown + pending }).toEqual({
    accepted: 0,
    rejected: 0,
    rows: 400,
    left: 400,
  });
  expect(unknown).toBeLessThan(100);
  expect(within(await upload.tab()).queryByRole('button', { name: ledger.lookAt })).toBeNull();
});

it('opens the ledger of a connection that no longer exists under its name, and changes no other one', async () => {
  const opened = await openUpload('Ridge A-101H');
  const { upload, press, pick, fill, demo } = opened;
  await upload.pick('gone.csv', ['timestamp,ROP,WOB', ...rigRows(5)]);
  await upload.next('columns');
  await upload.next('check');
  await upload.send();
  await upload.button(ledger.lookAt);
  await pick(words.connection.menu('Test bed'), words.connection.leave);
  await press(words.start.remove('Test bed'));
  await press(words.start.removeNow);
  await expect.poll(() => screen.queryByRole('button', { name: words.start.open('Test bed') })).toBeNull();
  const { dataUrl, platformUrl, apiKey } = addressOf(demo);
  await fill(words.connection.name, 'Another');
  await fill(words.connection.dataUrl, dataUrl);
  await fill(words.connection.platformUrl, platformUrl);
  await fill(words.connection.apiKey, apiKey);
  await press(words.connection.connect);
  await waitForWells(8);
  await press(new RegExp(`^${words.jobs.toggle}`));
  await press(words.jobs.openNamed('gone.csv'));
  await upload.books();
  expect(await upload.tab()).toHaveTextContent(w.onConnection('Test bed'));
  expect(within(await upload.tab()).queryByRole('button', { name: ledger.lookAt })).toBeNull();
});

it('is not offered by a read-only connection, which reports why', async () => {
  const { application, fill } = await openConnected(await openDemo(), { readOnly: true });
  await waitForWells(8);
  await fill(words.datasets.search, 'demo/uploads.time');
  for (const name of [w.button, w.openInto('demo/uploads.time')]) {
    const button = await screen.findByRole('button', { name });
    expect(button).toBeDisabled();
    expect(button).toHaveAccessibleDescription(words.drop.readOnly);
  }
  const dataTransfer = { types: ['Files'], items: [{ kind: 'file' }], files: [] };
  fireEvent.dragOver(await screen.findByRole('main'), { dataTransfer });
  await screen.findByText(words.drop.readOnly, { selector: 'strong' });

  const file = { token: 't'.repeat(20), name: 'from outside.las', bytes: 3 };
  application.openedItems.deliver({ kind: 'rows', file }, anyWindow);
  const outside = await screen.findByRole('complementary', { name: words.opened.region });
  const outsideButton = await within(outside).findByRole('button', { name: words.opened.upload });
  expect(outsideButton).toBeDisabled();
  expect(outsideButton).toHaveAccessibleDescription(words.drop.readOnly);
});
