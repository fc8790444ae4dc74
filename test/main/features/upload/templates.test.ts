import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTemplates } from '../../../../src/main/features/upload/templates.ts';
import { uploadTemplate } from '../../../../src/shared/upload/templates.ts';

const named = (name: string, last = '1') =>
  uploadTemplate.parse({
    id: `00000000-0000-4000-8000-00000000000${last}`,
    name,
    header: ['Time', 'ROP'],
    mapping: { columns: { Time: { to: 'timestamp' } } },
  });

async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), 'wellbench-templates-'));
  const warnings: string[] = [];
  const open = () => createTemplates(folder, (sentence) => warnings.push(sentence));
  return { folder, warnings, open, path: join(folder, 'upload-templates.json') };
}

describe('templates of uploads', () => {
  it('are stored, renamed, and removed, across processes', async () => {
    const { open } = await setUp();
    await open().keepTemplate(named('Weekly', '2'), {});
    await open().keepTemplate(named('Daily'), {});
    expect((await open().templates({}, {})).templates.map(({ name }) => name)).toEqual(['Daily', 'Weekly']);
    await open().keepTemplate(named('Yearly'), {});
    const { templates } = await open().removeTemplate({ id: named('x', '2').id }, {});
    expect(templates).toEqual([named('Yearly')]);
  });

  it('from two windows at once are all kept', async () => {
    const { open } = await setUp();
    const [one, other] = [open(), open()];
    await Promise.all(
      ['1', '2', '3'].flatMap((id) => [
        (id === '2' ? one : other).keepTemplate(named(`Template ${id}`, id), {}),
      ]),
    );
    expect((await one.templates({}, {})).templates).toHaveLength(3);
  });

  it('that are damaged are set aside and reported once; the others remain', async () => {
    const { open, path, folder, warnings } = await setUp();
    const one = named('Good');
    await writeFile(path, JSON.stringify({ format: 1, templates: [one, { id: 'no' }] }));
    const templates = open();
    const first = await templates.templates({}, {});
    expect(first).toMatchObject({
      templates: [one],
      problem: expect.stringContaining('Some of the templates'),
    });
    expect(warnings).toHaveLength(1);
    expect((await readdir(folder)).some((name) => name.includes('.damaged-'))).toBe(true);
    await writeFile(path, 'no JSON');
    expect(await templates.templates({}, {})).toMatchObject({
      templates: [],
      problem: expect.stringContaining('The templates of uploads'),
    });
    expect((await templates.templates({}, {})).problem).toBeNull();
  });

  it('of a newer version are not changed', async () => {
    const { open, path } = await setUp();
    const newer = JSON.stringify({ format: 99, templates: [] });
    await writeFile(path, newer);
    await expect(open().keepTemplate(named('Mine'), {})).rejects.toMatchObject({ code: 'file_too_new' });
    expect(await readFile(path, 'utf8')).toBe(newer);
  });
});
