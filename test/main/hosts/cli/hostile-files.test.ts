import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { strToU8 } from 'fflate';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { cliEnd, startCli, type CliRun } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';
import { sampleOf } from '../../../support/sample.ts';
import { zipOf } from '../../../support/zip.ts';
import { workbook } from '../../features/upload/support/workbooks.ts';

const folders = useFolders();
const observe = join(import.meta.dirname, '../../../bench/support/observe.mjs');
const observed = z.object({ residentBytes: z.number(), processorMs: z.number() });

/** CPU time, so that other processes on the machine don't affect the test. */
const maxProcessorMs = 20_000;
/** In addition to a process that reads a small file. */
const maxBytes = 250e6;

const header = '<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c></row>';
const small = workbook({ sheets: { A: `${header}<row r="2"><c r="A2"><v>1</v></c></row>` } });
const zeros = '0,0\n'.repeat(17 << 20);
const entities = Array.from({ length: 9 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join(
  '',
);

const files: readonly (readonly [what: string, name: string, content: () => Uint8Array])[] = [
  ['a zip bomb', 'bomb.zip', () => zipOf({ 'a.csv': Buffer.from(zeros) })],
  ['a gzip bomb', 'bomb.csv.gz', () => gzipSync(zeros)],
  [
    'a workbook that is a bomb',
    'bomb.xlsx',
    () => workbook({ sheets: { A: header + '<row><c><v>1</v></c></row>'.repeat(2_600_000) } }),
  ],
  [
    'a workbook that claims a billion rows',
    'claims.xlsx',
    () => workbook({ sheets: { A: header }, before: '<dimension ref="A1:XFD1000000000"/>' }),
  ],
  [
    'a workbook with a row of that number',
    'row.xlsx',
    () => workbook({ sheets: { A: `${header}<row r="1000000000"><c><v>1</v></c></row>` } }),
  ],
  [
    'XML with entities',
    'log.xml',
    () => strToU8(`<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e0 "x">${entities}]><logs>&e9;</logs>`),
  ],
  ['a truncated workbook', 'cut.xlsx', () => small.subarray(0, small.length / 2)],
  ['a truncated gzip file', 'cut.csv.gz', () => gzipSync('a,b\n'.repeat(9999)).subarray(0, 60)],
  ['an image named as a workbook', 'image.xlsx', () => strToU8(`\x89PNG\r\n\x1a\n${'x'.repeat(9999)}`, true)],
  ['JSON of brackets', 'deep.json', () => strToU8('['.repeat(5_000_000))],
];

async function inspect(name: string, content: Uint8Array) {
  const [data, work] = [await folders(), await folders()];
  const [file, report] = [join(work, name), join(work, 'observed.json')];
  await writeFile(file, content);
  const run: CliRun = await cliEnd(
    startCli(['inspect', file, '--json', '--data-dir', data], {
      NODE_OPTIONS: `--import=${pathToFileURL(observe).href}`,
      WELLBENCH_OBSERVED: report,
    }),
  );
  const { residentBytes, processorMs } = observed.parse(JSON.parse(await readFile(report, 'utf8')));
  const left = await readdir(join(data, 'conversions')).catch(() => []);
  return { run, processorMs, residentBytes, left };
}

describe('a hostile file', () => {
  let idleBytes = 0;
  beforeAll(async () => {
    const { run, residentBytes } = await inspect('small.csv', strToU8('a,b\n1,2\n'));
    expect(run.code).toBe(0);
    idleBytes = residentBytes;
  });

  it.each(sampleOf(files, 7))(
    '%s is rejected with a reason, within seconds and 250 MB',
    async (_what, name, content) => {
      const { run, processorMs, residentBytes, left } = await inspect(name, content());
      expect(run.code).toBe(2);
      expect(run.error()).toMatchObject({ code: 'file_unsuitable', details: { file: name } });
      expect(processorMs).toBeLessThan(maxProcessorMs);
      expect(residentBytes - idleBytes).toBeLessThan(maxBytes);
      expect(left).toEqual([]);
    },
  );
});
