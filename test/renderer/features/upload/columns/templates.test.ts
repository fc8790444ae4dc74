import { describe, expect, it } from 'vitest';
import {
  choicesFrom,
  choicesForOtherFiles,
  readingFor,
} from '../../../../../src/renderer/features/upload/columns/templates.ts';
import {
  mappingFrom,
  noChoices,
} from '../../../../../src/renderer/features/upload/columns/mapping-choices.ts';
import { matchesHeader } from '../../../../../src/shared/upload/templates.ts';
import { mapping as mappingSchema } from '../../../../../src/shared/upload/upload.ts';
import { fileName } from '../../../../../src/renderer/features/upload/upload-state.ts';
import { fileWith } from '../../../../main/features/upload/support/files.ts';
import { workbook } from '../../../../main/features/upload/support/workbooks.ts';
import { wellWith } from '../../../../support/wells.ts';
import { datasetOf, templateCalls, uploadTab } from '../window.ts';
import { readingOfTable } from '../../../../../src/shared/upload/formats.ts';
import { uploadWords } from '../../../../../src/renderer/words/upload.ts';

const rows = 'Date,ROP,Note\n2026-01-02T03:04:05Z,12.5,a\n';

async function opened(tab: ReturnType<typeof uploadTab>, content: string | Uint8Array = rows) {
  await tab.actions.accept(tab.grant(await fileWith(content)));
  await tab.settled();
  await tab.actions.loadTemplates();
}
const kept = ({ state }: ReturnType<typeof uploadTab>) => {
  const { templates } = state();
  return templates.status === 'loaded' ? templates.value.templates : [];
};

describe('a template', () => {
  it('applies the column mapping to the next file with the same header', async () => {
    const tab = uploadTab({ dataset: datasetOf('time'), wells: [wellWith(5003)] });
    await opened(tab);
    tab.actions.fill('timestamp', { from: 'column', column: 'Date' });
    tab.actions.mapColumn('Note', { skip: true });
    tab.actions.setNulls(['-999.25', 'n/a']);
    await tab.settled();
    const before = tab.mapping();
    await tab.actions.saveTemplate('Weekly');
    await opened(tab, rows.replace('12.5', '13'));
    expect(tab.mapping()).toEqual(before);
    expect(tab.state().match.value?.ready).toBe(true);
    expect(tab.state().earlierMapping).toMatchObject({ template: 'Weekly' });
    tab.actions.undoEarlierMapping();
    await tab.settled();
    expect(tab.mapping()).not.toEqual(before);
  });

  it('is offered instead if there are several for the header, and not used for another index', async () => {
    const tab = uploadTab({ dataset: datasetOf('time'), wells: [wellWith(5003)] });
    await opened(tab);
    tab.actions.mapColumn('Note', { skip: true });
    await tab.settled();
    await tab.actions.saveTemplate('Weekly');
    await tab.actions.saveTemplate('Daily');
    await opened(tab, rows.replace('12.5', '13'));
    expect(tab.state().earlierMapping).toBeNull();
    const [daily, weekly] = kept(tab);
    if (!weekly || !daily) throw new Error('nothing was kept');
    await tab.actions.removeTemplate(weekly.id);
    tab.actions.setDataset(datasetOf('timeseries'));
    await tab.settled();
    expect(tab.state().earlierMapping).toBeNull();
    await tab.actions.applyTemplate(daily);
    expect(tab.state().earlierMapping).toMatchObject({ template: daily.name });
  });

  it('is not needed for the mapping of the last upload, which is applied and can be undone', async () => {
    const tab = uploadTab({ dataset: datasetOf('time'), wells: [wellWith(5003)] });
    await opened(tab);
    tab.actions.mapColumn('ROP', { to: 'data.rop' });
    tab.actions.mapColumn('Note', { skip: true });
    await tab.settled();
    await tab.actions.check();
    await tab.actions.send();
    await opened(tab, rows.replace('12.5', '13'));
    expect(tab.state().earlierMapping).toMatchObject({ file: fileName(tab.state()) });
    expect(tab.mapping()).toMatchObject({
      columns: { Date: { to: 'timestamp' }, ROP: { to: 'data.rop' } },
      skip: ['Note'],
      constants: { asset_id: 5003 },
    });
    tab.actions.undoEarlierMapping();
    await tab.settled();
    expect(tab.state().earlierMapping).toBeNull();
    expect(tab.mapping()).toMatchObject({
      columns: { Date: { to: 'timestamp' } },
      constants: { asset_id: 5003 },
    });
    expect(tab.mapping().skip).toBeUndefined();
    // Another type of dataset has other fields.
    tab.actions.setDataset(datasetOf('timeseries'));
    await tab.settled();
    expect(tab.state().earlierMapping).toBeNull();
  });

  it('replaces one with the same name and header, is renamed, and is removed', async () => {
    const tab = uploadTab({ dataset: datasetOf('time') });
    await opened(tab);
    await Promise.all([tab.actions.saveTemplate('Weekly'), tab.actions.saveTemplate('Weekly')]);
    await tab.actions.saveTemplate('Weekly');
    expect(kept(tab)).toHaveLength(1);
    const [template] = kept(tab);
    if (!template) throw new Error('nothing was kept');
    await tab.actions.renameTemplate(template, 'Daily');
    expect(kept(tab).map(({ name }) => name)).toEqual(['Daily']);
    await tab.actions.removeTemplate(template.id);
    expect(kept(tab)).toEqual([]);
  });

  it('is saved, renamed, and used as another window stored it since it was listed', async () => {
    const templates = templateCalls();
    const window = () => uploadTab({ dataset: datasetOf('time'), stored: templates });
    const [tab, other] = [window(), window()];
    await opened(tab);
    await tab.actions.saveTemplate('Weekly');
    const [listed] = kept(tab);
    if (!listed) throw new Error('nothing was kept');
    await opened(other);
    other.actions.mapColumn('Note', { skip: true });
    await other.settled();
    await other.actions.saveTemplate('Weekly');
    await other.actions.saveTemplate('Daily');
    expect(kept(other).map(({ id }) => id)).toContain(listed.id);

    await tab.actions.applyTemplate(listed);
    expect(tab.state().choices.columns).toMatchObject({ Note: { skip: true } });
    await other.actions.saveTemplate('Yearly');
    await tab.actions.saveTemplate('Yearly');
    await tab.actions.renameTemplate(listed, 'Monthly');
    expect(kept(tab).map(({ name }) => name)).toEqual(['Daily', 'Yearly', 'Monthly']);
    expect(kept(tab).at(-1)?.mapping.skip).toEqual(['Note']);

    await other.actions.removeTemplate(listed.id);
    await tab.actions.renameTemplate(listed, 'Weekly');
    expect(tab.state().templates).toMatchObject({
      value: {
        templates: [{ name: 'Daily' }, { name: 'Yearly' }],
        problem: uploadWords.templates.wasRemoved,
      },
    });
  });

  it('that was damaged is reported as long as the list is only read', async () => {
    const problems = ['some are damaged'];
    const templates = templateCalls();
    const read = async () => ({ templates: [], problem: problems.pop() ?? null });
    const tab = uploadTab({ stored: { ...templates, templates: read } });
    await tab.actions.loadTemplates();
    await tab.actions.loadTemplates();
    expect(tab.state().templates).toMatchObject({ value: { problem: 'some are damaged' } });
    await tab.actions.removeTemplate('any');
    expect(tab.state().templates).toMatchObject({ value: { problem: null } });
  });

  it('stores the table of a workbook, and selects it in the next one', async () => {
    const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
    const rowsOf = (...names: string[]) =>
      [names, names.map((_, index) => String(index))]
        .map(
          (cells, row) =>
            `<row r="${row + 1}">${cells.map((text, at) => cell(`${'ABC'[at] ?? ''}${row + 1}`, text)).join('')}</row>`,
        )
        .join('');
    const book = workbook({ sheets: { Notes: rowsOf('Note'), Drilling: rowsOf('Date', 'ROP', 'Note') } });
    const tab = uploadTab({ dataset: datasetOf('time') });
    await opened(tab, book);
    await tab.actions.read({ table: 'Drilling' });
    tab.actions.mapColumn('Note', { skip: true });
    await tab.settled();
    await tab.actions.saveTemplate('Weekly');
    const [template] = kept(tab);
    expect(template).toMatchObject({ table: 'Drilling', header: ['Date', 'ROP', 'Note'] });
    if (!template) throw new Error('nothing was kept');
    const next = uploadTab({ dataset: datasetOf('time') });
    await opened(next, book);
    expect(readingFor(next.state(), template)).toEqual({ table: 'Drilling' });
    const ofFirst = { headerRow: 2, unitRow: 0, footerRows: 1, columnEdges: [3] };
    const reading = { arrays: 'list', shortRows: 'fill', encoding: 'windows-1252' } as const;
    const read = { ...next.state(), reading: { ...reading, ...ofFirst } };
    expect(readingFor(read, template)).toEqual({ ...reading, table: 'Drilling' });
    expect(readingOfTable([{ name: 'A' }, { name: 'B' }], 2, read.reading)).toEqual({
      ...reading,
      table: 'B',
    });
    await next.actions.applyTemplate(template);
    await next.settled();
    expect(next.state()).toMatchObject({
      reading: { table: 'Drilling' },
      choices: { columns: { Note: { skip: true } } },
    });
  });

  it('stores the column edges, and applies them to a file with its header', async () => {
    const packed = (...lines: string[]) => ['Well MD Inc', ...lines].join('\n');
    const tab = uploadTab({ dataset: datasetOf('depth') });
    await opened(tab, packed('A-1 1001.5', 'A-1 2002.5', 'A-1 3003.5'));
    await tab.actions.setColumnEdges([4, 7]);
    tab.actions.mapColumn('Inc', { skip: true });
    await tab.settled();
    await tab.actions.saveTemplate('Listing');
    const [template] = kept(tab);
    expect(template).toMatchObject({ columnEdges: [4, 7], header: ['Well', 'MD', 'Inc'] });
    if (!template) throw new Error('nothing was kept');
    const next = uploadTab({ dataset: datasetOf('depth') });
    await opened(next, packed('B-2 1001.5', 'B-2 2002.5'));
    await next.actions.applyTemplate(template);
    await next.settled();
    expect(next.state()).toMatchObject({
      reading: { columnEdges: [4, 7] },
      choices: { columns: { Inc: { skip: true } } },
    });
    await opened(next, 'MD Inc\n1 2\n3 4\n');
    expect(readingFor(next.state(), template)).toBeNull();
    // A tab counts as eight blanks.
    const withTabs = { header: ['Well', 'MD', 'Inc'], columnEdges: [12, 15] };
    await opened(next, 'Well\tMD Inc\nA-1\t1001.5\nB-2\t2002.5\n');
    expect(readingFor(next.state(), withTabs)).toEqual({ columnEdges: [12, 15] });
  });

  it('stores how rows are combined into records', () => {
    const fold = { by: 'Survey', into: 'data.stations' };
    const mapping = mappingSchema.parse({ fold });
    const choices = choicesFrom(mapping, noChoices);
    expect(choices.fold).toEqual(fold);
    expect(mappingFrom(choices, () => undefined).fold).toEqual(fold);
  });

  it.each(['Weekly', null])(
    'leaves to each file its columns without values, and adds its null values to those of others (template: %s)',
    async (template) => {
      let empty = '';
      const propose = async () => ({
        columns: ['WOB', 'Note'].map((column) => ({
          column,
          match: null,
          others: [],
          newField: `data.${column.toLowerCase()}`,
          isEmpty: column === empty,
        })),
        fields: [],
        storedUnits: {},
        requiresWell: false,
        otherIndex: null,
      });
      const tab = uploadTab({ dataset: datasetOf('time'), wells: [wellWith(5003)], propose });
      const open = async (without: string, nullValue: string) => {
        empty = without;
        await opened(
          tab,
          `Date,ROP,WOB,Note\n2026-01-02T03:04:05Z,1,2,a\n2026-01-02T03:04:06Z,${nullValue},2,a\n`,
        );
      };
      const send = async () => {
        if (template !== null) await tab.actions.saveTemplate(template);
        await tab.actions.check();
        await tab.actions.send();
      };
      await open('WOB', '-999.25');
      tab.actions.mapColumn('Note', { skip: true });
      tab.actions.treatAsNull('n/a');
      await tab.settled();
      expect(tab.mapping()).toMatchObject({ skip: ['WOB', 'Note'], nulls: ['-999.25', 'n/a'] });
      await send();
      await open('Note', '-32768');
      expect(tab.state().earlierMapping).not.toBeNull();
      expect(tab.mapping()).toMatchObject({
        columns: { WOB: { to: 'data.wob' } },
        skip: ['Note'],
        nulls: ['-999.25', 'n/a', '-32768'],
      });
      await send();
      await open('', '3');
      expect(tab.mapping()).toMatchObject({ skip: ['Note'], nulls: ['-999.25', 'n/a', '-32768'] });
    },
  );

  it('never includes the well of another file', () => {
    const choices = { ...noChoices, constants: { asset_id: '5003', version: 2 }, withoutWell: true };
    const others = choicesForOtherFiles(choices);
    expect(others).toEqual({ ...noChoices, constants: { version: 2 } });
    const now = { ...noChoices, constants: { asset_id: '5004' } };
    const mapping = mappingSchema.parse({ constants: { version: 2 } });
    expect(choicesFrom(mapping, now).constants).toEqual({ version: 2, asset_id: '5004' });
    const byColumn = mappingSchema.parse({ columns: { Well: { to: 'asset_id' } } });
    expect(choicesFrom(byColumn, now).constants).toEqual({});
  });

  it.each(['Weekly', null])(
    'converts into the unit that the field has in this dataset (template: %s)',
    async (template) => {
      const stored = templateCalls();
      const openInto = async (unit?: string, fileUnit = 'm') => {
        const fields = [{ path: 'data.depth', types: [], ...(unit === undefined ? {} : { unit }) }];
        const tab = uploadTab({ dataset: datasetOf('time'), wells: [wellWith(5003)], stored, fields });
        await opened(tab, `Date,MD\n,${fileUnit}\n2026-01-02T03:04:05Z,12.5\n`);
        return tab;
      };
      const first = await openInto('ft');
      first.actions.mapColumn('MD', { to: 'data.depth' });
      await first.settled();
      expect(first.mapping().columns['MD']).toEqual({ to: 'data.depth', unit: 'm', fieldUnit: 'ft' });
      if (template !== null) await first.actions.saveTemplate(template);
      await first.actions.check();
      await first.actions.send();
      const units = async (...into: Parameters<typeof openInto>) => {
        const { mapping, state } = await openInto(...into);
        expect(state().earlierMapping).not.toBeNull();
        const { unit, fieldUnit } = mapping().columns['MD'] ?? {};
        return [unit, fieldUnit, state().match.value?.columns[1]?.conversion];
      };
      expect(await units('ft')).toEqual(['m', 'ft', { from: 'm', to: 'ft' }]);
      expect((await units('m')).at(-1)).toBeUndefined();
      expect(await units('m', 'ft')).toEqual(['ft', 'm', { from: 'ft', to: 'm' }]);
      // The unit of the field isn't known.
      expect(await units()).toEqual(['m', 'ft', { from: 'm', to: 'ft' }]);
    },
  );

  it.each(['Weekly', null])('of another connection has no ids of that (template: %s)', async (template) => {
    const stored = templateCalls();
    const openIn = async (connection: string) => {
      const tab = uploadTab({ dataset: datasetOf('time'), connection, stored });
      await opened(tab, 'Date,Well,ROP\n2026-01-02T03:04:05Z,Ridge A-101H ST1,12.5\n');
      return tab;
    };
    const first = await openIn('here');
    const wells = { 'Ridge A-101H ST1': 5001 };
    first.actions.mapColumn('Well', { to: 'asset_id', by: 'name', wells });
    first.actions.fill('company_id', { from: 'constant', text: '7' });
    first.actions.fill('version', { from: 'constant', text: '2' });
    await first.settled();
    if (template !== null) await first.actions.saveTemplate(template);
    await first.actions.check();
    await first.actions.send();
    const [here, there] = [await openIn('here'), await openIn('there')];
    for (const tab of [here, there]) expect(tab.state().earlierMapping).not.toBeNull();
    expect(here.mapping()).toEqual(first.mapping());
    expect(here.mapping().columns['Well']).toEqual({ to: 'asset_id', by: 'name', wells });
    expect(there.mapping().columns['Well']).toEqual({ to: 'asset_id', by: 'name' });
    expect(there.mapping().constants).toEqual({ version: 2 });
    const [listed] = kept(there);
    if (!listed) return;
    there.actions.undoEarlierMapping();
    // One that was stored before templates had a connection.
    const { connection: _, ...earlier } = listed;
    await here.actions.applyTemplate({ ...earlier, id: crypto.randomUUID() });
    await there.actions.applyTemplate(listed);
    for (const tab of [here, there]) {
      await tab.settled();
      expect(tab.mapping().columns['Well']).toEqual({ to: 'asset_id', by: 'name' });
    }
    // A new name doesn't change what it has.
    await there.actions.renameTemplate(listed, 'Daily');
    expect(kept(there)).toEqual([{ ...listed, name: 'Daily' }]);
  });

  it('applies to exactly the columns of its header, in their order', () => {
    expect(matchesHeader(['a', 'b'], { header: ['a', 'b'] })).toBe(true);
    expect(matchesHeader(['b', 'a'], { header: ['a', 'b'] })).toBe(false);
    expect(matchesHeader([], { header: [] })).toBe(false);
  });
});
