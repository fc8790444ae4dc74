import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Demo } from '../../../src/demo/index.ts';
import { openUpload } from '../../../src/renderer/features/upload/open-upload.ts';
import { uploadKind } from '../../../src/renderer/features/upload/upload-kind.ts';
import type { UploadTab } from '../../../src/renderer/features/upload/upload-tab.ts';
import { listedWells } from '../../../src/renderer/features/wells/wells-state.ts';
import { valueOr } from '../../../src/renderer/state/loadable.ts';
import { uploadWords } from '../../../src/renderer/words/upload.ts';
import { isObject, type JsonObject } from '../../../src/shared/json.ts';
import { openConnected, openDemo, waitForWells, type TestWindow } from './support/open-window.tsx';
import { sampleOf } from '../../support/sample.ts';
import { any, like } from '../../support/wording.ts';
import { shownTab } from './support/several.ts';
import { uploadIn } from './support/upload.ts';

/** Real files are stored next to the checkout. */
const data = join(import.meta.dirname, '../../../../shared/data');
const isHere = existsSync(join(data, 'FACTS.json'));
if (!isHere) process.stdout.write('Skipped: the real files of ../shared/data are absent.\n');

type Cells = readonly string[];
interface Table {
  readonly header: Cells;
  readonly rows: readonly Cells[];
}

/** The header and the rows of a file without quotes, read without Wellbench. */
function tableOf(text: string, separator: RegExp, rowsFrom = 1, header = 0): Table {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const cells = (line = ''): Cells => line.trim().split(separator);
  return { header: cells(lines[header]), rows: lines.slice(rowsFrom).map(cells) };
}

/** A number as a file has it; null: the cell is blank, or has a number that means null in its file. */
const numberIn = (cell: string | undefined, nulls: readonly number[] = []): number | null =>
  cell === undefined || cell === '' || nulls.includes(Number(cell)) ? null : Number(cell);

/** All records of a well, in the order of a field, requested without Wellbench. */
async function stored(demo: Demo, dataset: string, asset: number, sort: string): Promise<JsonObject[]> {
  const path = `${demo.dataUrl}/api/v1/data/demo/${dataset}/`;
  const records: JsonObject[] = [];
  for (;;) {
    const last = records.at(-1)?.[sort];
    const query = JSON.stringify({
      asset_id: asset,
      ...(last === undefined ? {} : { [sort]: { $gt: last } }),
    });
    const parameters = new URLSearchParams({ query, sort: JSON.stringify({ [sort]: 1 }), limit: '10000' });
    const answer = await fetch(`${path}?${parameters}`, {
      headers: { Authorization: `API ${demo.apiKeys.write}` },
    });
    expect(answer.status).toBe(200);
    const page = z.array(z.custom<JsonObject>((value) => isObject(value))).parse(await answer.json());
    if (page.length === 0) return records;
    records.push(...page);
  }
}

/** The lines in which the values of a record differ from those of a row. */
function differences(records: readonly JsonObject[], wanted: readonly Row[]): string[] {
  const found: string[] = records.length === wanted.length ? [] : [`${records.length} of ${wanted.length}`];
  wanted.forEach((row, at) => {
    const { data: fields = {}, ...envelope } = records[at] ?? {};
    const values: JsonObject = { ...envelope, ...(isObject(fields) ? fields : {}) };
    for (const [field, number] of Object.entries(row)) {
      const value = values[field] ?? null;
      const isSame =
        typeof value === 'number' && number !== null
          ? Math.abs(value - number) <= 1e-12 * Math.abs(number)
          : value === number;
      if (!isSame) found.push(`row ${at + 1}, ${field}: ${String(value)}, not ${String(number)}`);
    }
  });
  return found;
}

/** Conversions of units, written without Wellbench. */
const conversions: Readonly<Record<string, (value: number) => number>> = {
  '': (value) => value,
  'ft m': (value) => value * 0.3048,
  'mm in': (value) => value / 25.4,
};

type Row = Readonly<Record<string, number | null>>;
const sortedByDepth = (rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => Number(a['measured_depth']) - Number(b['measured_depth']));

/** A window with wells in two time zones. */
async function openSeveralWells() {
  const opened = await openConnected(await openDemo({ wells: 20, records: 600 }));
  await waitForWells(20);
  const { session } = opened;
  await expect.poll(() => session().datasets.store.getState().list.status).toBe('loaded');
  const nameOf = (asset: number): string => {
    const well = listedWells(session().wells.store.getState()).well('assetId', asset);
    if (!well) throw new Error(`well ${asset} isn’t listed`);
    return well.name;
  };
  return { ...opened, nameOf };
}

/** Opens an upload with a file, and waits until its columns are matched and its well is known. */
async function openFile({ session }: TestWindow, dataset: string, name: string, text: string) {
  const all = valueOr(session().datasets.store.getState().list, []);
  const target = all.find((listed) => listed.dataset === dataset);
  if (!target) throw new Error(`${dataset} isn’t listed`);
  openUpload(session(), target);
  const { id } = shownTab({ session });
  const model = uploadKind.of(shownTab({ session }));
  if (!model) throw new Error('the upload isn’t in view');
  await model.actions.addFile(new File([text], name));
  await settled(model);
  return { id, model };
}

const settled = ({ store }: UploadTab): Promise<void> =>
  expect
    .poll(() => {
      const { proposals, match, fileWell } = store.getState();
      return [proposals.status, match.value !== null, fileWell.status];
    })
    .toEqual(['loaded', true, 'loaded']);

/** The state of the job that sends an upload. */
function sendingOf({ session }: TestWindow, { store }: UploadTab): string | undefined {
  const { send } = store.getState();
  const { jobs } = session().app.jobs.store.getState();
  return send.status === 'started' ? jobs.find(({ id }) => id === send.job)?.state : undefined;
}

/** The field of each column of an upload. */
const targetsOf = ({ store }: UploadTab): Record<string, string | null> =>
  Object.fromEntries((store.getState().match.value?.columns ?? []).map(({ column, to }) => [column, to]));

/** Checks an upload in the window, and waits until it can be sent. */
async function check(opened: TestWindow, rows: number, answer?: () => Promise<void>): Promise<void> {
  const upload = uploadIn(opened);
  await upload.next('columns');
  await answer?.();
  await upload.next('check');
  await opened.enabled(uploadWords.check.send(rows), await opened.tab());
}

describe.skipIf(!isHere)('three real files with different columns', () => {
  it(
    'in a queue keep their own columns, wells, and time zones, row by row',
    { timeout: 300_000 },
    async () => {
      const opened = await openSeveralWells();
      const { session, demo, nameOf } = opened;
      const read = async (file: string) => {
        const lines = (await readFile(join(data, 'time', file), 'utf8')).trimEnd().split('\r\n');
        return sampleOf(lines, 500).join('\r\n');
      };
      const [first, second] = [
        await read('3w_WELL-00011_20140515110134.csv'),
        await read('3w_WELL-00004_20140806100103.csv'),
      ];
      // Without one column of the first, and with one that it lacks.
      const third = second
        .split('\r\n')
        .slice(0, 400)
        .map((line, at) => {
          const { [8]: _, ...others } = line.split(',');
          return [...Object.values(others), at === 0 ? 'ROP' : String(at / 4)].join(',');
        })
        .join('\r\n');
      const files = [
        { asset: 5001, zone: 'America/Chicago', hours: 5, text: first },
        { asset: 5009, zone: 'America/Denver', hours: 6, text: second },
        { asset: 5017, zone: 'America/Chicago', hours: 5, text: third },
      ];
      const tabs = [];
      for (const { asset, text } of files)
        tabs.push(await openFile(opened, 'uploads.time', `${nameOf(asset)} 2014.csv`, text));
      const [lead] = tabs;
      if (!lead) throw new Error('there are no tabs');
      session().tabs.actions.show(lead.id);
      await expect.poll(async () => (await opened.tab()).textContent).toContain(nameOf(5001));
      lead.model.actions.fill('asset_id', { from: 'constant', text: '5001' });
      await check(opened, tableOf(first, /,/).rows.length);
      await opened.press(uploadWords.alike.send(3), await opened.tab());
      for (const [at, { asset, zone, hours, text }] of files.entries()) {
        const { header, rows } = tableOf(text, /,/);
        const model = tabs[at]!.model;
        await expect.poll(() => sendingOf(opened, model), { timeout: 60_000 }).toBe('done');
        expect(model.store.getState().wellZone?.zone).toBe(zone);
        const targets = targetsOf(model);
        const wanted = rows.map((cells) =>
          Object.fromEntries(
            header.map((column, index) => {
              const cell = cells[index];
              if (column === 'timestamp')
                return [
                  'timestamp',
                  Date.parse(`${cell?.replace(' ', 'T').slice(0, 23)}Z`) + hours * 3_600_000,
                ];
              return [(targets[column] ?? `missing ${column}`).replace('data.', ''), numberIn(cell)];
            }),
          ),
        );
        expect(differences(await stored(demo, 'uploads.time', asset, 'timestamp'), wanted)).toEqual([]);
      }
    },
  );

  it(
    'in three tabs keep their own columns, wells, units, and null values, row by row',
    { timeout: 300_000 },
    async () => {
      const opened = await openSeveralWells();
      const { session, demo } = opened;
      /** Lines of a file: all of its head, and those after it at even distances. */
      const read = async (file: string, isHead: (line: string, at: number) => boolean) => {
        const lines = (await readFile(join(data, 'depth', file), 'utf8')).trimEnd().split(/\r?\n/);
        const rowsFrom = lines.findLastIndex(isHead) + 1;
        return [...lines.slice(0, rowsFrom), ...sampleOf(lines.slice(rowsFrom), 400)].join('\r\n');
      };
      const [csv, las, rig] = [
        await read('volve_15_9-19.csv', (_, at) => at < 2),
        await read('6038187_v1.2.las', (line) => line.startsWith('~A')),
        await read('forge_Well_58-32.csv', (_, at) => at < 1),
      ];
      const lasLines = las.split(/\r?\n/).filter((line) => line.trim() !== '');
      const curveLines = /~CURVE[^~]*/.exec(las)?.[0] ?? '';
      const curves = [...curveLines.matchAll(/^(\w+)\./gm)].flatMap(([, name = '']) => name);
      const lasTable = tableOf(las, /\s+/, lasLines.findIndex((line) => line.startsWith('~A')) + 1);
      const files = [
        {
          asset: 5001,
          name: 'a.csv',
          text: csv,
          depth: 'DEPTH',
          nulls: [-999],
          table: tableOf(csv, /,/, 2),
        },
        {
          asset: 5009,
          name: 'b.las',
          text: las,
          depth: 'DEPT',
          nulls: [-99999],
          table: { ...lasTable, header: curves },
        },
        { asset: 5017, name: 'c.csv', text: rig, depth: 'Depth(ft)', nulls: [], table: tableOf(rig, /,/) },
      ];
      const units = new Set<string>();
      for (const { asset, name, text, depth, nulls, table } of files) {
        const { model } = await openFile(opened, 'uploads.depth', name, text);
        const { actions, store } = model;
        actions.setTarget(depth, 'measured_depth');
        if (depth === 'Depth(ft)') actions.includeColumns(['Depth(m)'], false);
        actions.fill('asset_id', { from: 'constant', text: String(asset) });
        actions.fill('log_identifier', { from: 'constant', text: name });
        await expect.poll(() => store.getState().match.value?.ready, { timeout: 30_000 }).toBe(true);
        // The header of the LAS file names a well that the services don’t have.
        const answer = async () =>
          name === 'b.las'
            ? opened.press(like(uploadWords.wells.oneWell(any)), await opened.tab())
            : undefined;
        await check(opened, table.rows.length, answer);
        await opened.press(uploadWords.check.send(table.rows.length), await opened.tab());
        await uploadIn(opened).atRest();
        const columns = store.getState().match.value?.columns ?? [];
        expect(columns.map(({ column }) => column)).toEqual(table.header);
        const wanted = table.rows.map((cells) =>
          Object.fromEntries(
            columns.flatMap(({ column, to, conversion }, index) => {
              const cell = numberIn(cells[index], nulls);
              if (to === null) {
                // Only a column without values, and the second depth of the rig, are skipped.
                expect(column === 'Depth(m)' || cell === null, column).toBe(true);
                return [];
              }
              const unit = conversion ? `${conversion.from} ${conversion.to}` : '';
              units.add(unit);
              const convert = conversions[unit];
              if (!convert) throw new Error(`the test can’t convert “${unit}” of ${column}`);
              return [[to.replace('data.', ''), cell === null ? null : convert(cell)]];
            }),
          ),
        );
        const found = await stored(demo, 'uploads.depth', asset, 'measured_depth');
        expect(differences(found, sortedByDepth(wanted))).toEqual([]);
        expect(new Set(found.map(({ log_identifier: log }) => log))).toEqual(new Set([name]));
      }
      // The depths of the third file, at least, are in another unit than those of the first.
      expect(units).toContain('ft m');
      expect(session().tabs.store.getState().tabs).toHaveLength(3);
    },
  );
});
