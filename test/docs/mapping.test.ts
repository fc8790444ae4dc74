import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readMapping } from '../../src/main/hosts/cli/mapping-file.ts';
import { mappingFile, mappingFileSchema } from '../../src/shared/upload/templates.ts';
import { columnMapping, fold } from '../../src/shared/upload/upload.ts';
import { runInProcess } from '../support/cli.ts';
import { fileWith } from '../main/features/upload/support/files.ts';

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
const page = await read('docs/guide/mapping.md');
const examplesIn = (text: string): string[] =>
  [...text.matchAll(/```json\n(.*?)```/gs)].map(([, example = '']) => example);
const others = ['docs/guide/upload.md', 'docs/guide/upload-columns.md'];
const examples = [page, ...(await Promise.all(others.map(read)))].flatMap(examplesIn);

describe('the JSON Schema of mapping files', () => {
  it('is published as the schema makes it', async () => {
    const published: unknown = JSON.parse(await read('resources/mapping.schema.json'));
    expect(published).toEqual(JSON.parse(JSON.stringify(mappingFileSchema())));
  });

  it('is printed by the command line', async () => {
    const { code, stdout } = await runInProcess(['mapping-schema'], {});
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(await read('resources/mapping.schema.json')));
    const { stdout: summary } = await runInProcess(['mapping-schema', '--json'], {});
    expect(JSON.parse(summary)).toHaveProperty('schema.properties.confirmedWells.description');
  });

  it('describes every key', () => {
    for (const schema of [mappingFile, columnMapping, fold])
      for (const [key, { description }] of Object.entries(schema.shape))
        expect(`${key}: ${description ?? ''}`).toMatch(/: .+\.$/);
  });
});

describe('the page on mapping files', () => {
  it.each(examples.map((example) => [example]))('has an example that is a mapping file: %s', (example) => {
    expect(mappingFile.safeParse(JSON.parse(example)).error).toBeUndefined();
  });

  it('has every key of the file and of a column, and in its examples', () => {
    expect(examplesIn(page).length).toBeGreaterThan(3);
    for (const key of Object.keys({ ...mappingFile.shape, ...columnMapping.shape })) {
      expect(page).toContain(`| \`${key}\``);
      expect(examplesIn(page).join()).toContain(`"${key}":`);
    }
  });
});

it('a mapping file can name its schema, which is no part of the mapping', async () => {
  const path = await fileWith('{"$schema": "./mapping.schema.json", "rest": "data"}', 'mapping.json');
  expect(await readMapping(path)).toEqual({ columns: {}, constants: {}, rest: 'data' });
  await expect(readMapping(await fileWith('{"$shema": "x"}', 'typo.json'))).rejects.toMatchObject({
    code: 'invalid_input',
  });
  expect(z.toJSONSchema(mappingFile, { io: 'input' })).toHaveProperty('additionalProperties', false);
});
