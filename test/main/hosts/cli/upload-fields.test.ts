import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import { connectionEnv, runInProcess } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ records: 300, wells: 4 });
});
afterAll(() => demo.close());
const folders = useFolders();

const found = z.array(z.object({ path: z.string(), unit: z.string().optional() }));

async function setUp() {
  const [data, files] = [await folders(), await folders()];
  const run = async (...args: string[]) =>
    runInProcess([...args, '--data-dir', data, '--json'], connectionEnv(demo));
  const upload = async (dataset: string, text: string, mapping: object, ...more: string[]) => {
    const [file, mappingFile] = [join(files, 'rows.csv'), join(files, 'mapping.json')];
    await writeFile(file, text);
    await writeFile(mappingFile, JSON.stringify(mapping));
    return run('upload', dataset, file, '--mapping', mappingFile, '--settle', '0', ...more);
  };
  const unitsOf = async (dataset: string) => {
    const { lines } = await run('dataset', dataset, '--fields', '--format', 'ndjson');
    const fields = found.parse(lines.slice(0, -1).map((line) => JSON.parse(line)));
    return Object.fromEntries(fields.map(({ path, unit }) => [path, unit]));
  };
  return { run, upload, unitsOf };
}

describe('records of a dataset whose records have wells', () => {
  const survey = 'md,inc\n0,0\n100,1\n';

  it.each(['demo/data.actual_survey', 'demo/completion.stage-times'])('%s need one, too', async (dataset) => {
    const { upload } = await setUp();
    const refused = await upload(dataset, survey, { rest: 'data' }, '--dry-run');
    expect(refused.code).toBe(2);
    expect(refused.error()).toMatchObject({
      code: 'invalid_input',
      details: { issues: [{ lists: { missing: ['asset_id'] } }] },
    });
    const named = await upload(dataset, survey, { rest: 'data', constants: { asset_id: 5001 } }, '--dry-run');
    expect(named.code, named.stderr).toBe(0);
    const confirmed = await upload(dataset, survey, { rest: 'data', withoutWell: true }, '--dry-run');
    expect(confirmed.code, confirmed.stderr).toBe(0);
    expect(confirmed.stderr).toContain('stored without a well, as confirmed');
  });

  it('need none where records have none', async () => {
    const { upload } = await setUp();
    const ended = await upload('demo/uploads.reference', survey, { rest: 'data' }, '--dry-run');
    expect(ended.code, ended.stderr).toBe(0);
  });
});

describe('units of a file', () => {
  const dataset = 'demo/wits';
  const time = Date.UTC(2021, 0, 1);
  const columns = { T: { to: 'timestamp' }, D: { to: 'data.hole_depth' }, C: { to: 'data.caliper' } };
  const mapping = { columns, constants: { asset_id: 5001, version: 1 } };
  const rows = (depth: string, caliper: string) =>
    `T,D,C\n,${depth},${caliper}\n${time},1000,8.5\n${time + 1000},1001,8.6\n`;

  it('that can’t be those of a field are stored unchanged with a warning, and a new field gets them', async () => {
    const { upload, unitsOf } = await setUp();
    const ended = await upload(dataset, rows('psi', 'in'), mapping, '--dry-run');
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stderr).toContain('Column “D” is in psi, but data.hole_depth is in ft');
    expect(ended.stderr).toContain('The new field data.caliper gets this unit');
    expect((await unitsOf(dataset))['data.caliper']).toBeUndefined();
  });

  it('of a new field are its units from then on, so that another file is converted', async () => {
    const { upload, unitsOf, run } = await setUp();
    const sent = await upload('demo/uploads.time', rows('m', 'in'), mapping);
    expect(sent.code, sent.stderr).toBe(0);
    expect(await unitsOf('demo/uploads.time')).toMatchObject({
      'data.hole_depth': 'm',
      'data.caliper': 'in',
    });
    const later = rows('ft', 'mm').replaceAll(String(time).slice(0, 6), '161944');
    const second = await upload('demo/uploads.time', later, mapping);
    expect(second.stderr).toContain('Column “C” is converted from mm to in');
    const { lines } = await run(
      'find',
      'demo/uploads.time',
      '--query',
      '{ asset_id: 5001, "data.caliper": { $lt: 1 } }',
    );
    expect(lines.slice(0, -1)).toHaveLength(2);
  });
});
