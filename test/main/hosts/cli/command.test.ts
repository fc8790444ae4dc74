import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  command,
  flag,
  group,
  option,
  type Cli,
  type Outcome,
} from '../../../../src/main/hosts/cli/command.ts';
import { textList, whole, wholeList } from '../../../../src/main/hosts/cli/options.ts';
import { createMessages, createOutput } from '../../../../src/main/hosts/cli/output.ts';
import { useFolders } from '../../../support/folders.ts';

const folder = useFolders();

const seen: unknown[] = [];
const run = (values: object): Promise<Outcome> => {
  seen.push(values);
  return Promise.resolve({});
};
const cli: Cli = {
  json: false,
  env: {},
  dataFolder: '',
  connection: undefined,
  resumeCommand: (job) => job,
  signal: new AbortController().signal,
  out: createOutput(new PassThrough()),
  messages: createMessages(new PassThrough()),
  run: (work) => async () => void (await work()),
};

const drill = command({
  arguments: {
    well: option(z.string(), '<well>', 'name of the well'),
    rig: option(z.string().default('north'), '[rig]', 'name of the rig'),
  },
  options: {
    maxDepth: option(whole, '<ft>', 'where to stop'),
    bitSize: option(whole.default(12), '<in>', 'diameter of the bit'),
    mud: option(z.enum(['oil', 'water']).optional(), '<kind>', 'kind of mud'),
    log_names: option(textList.default([]), '<a,b>', 'logs to run'),
    stands: option(wholeList(z.number()).default([]), '<n>', 'stands to pull'),
    dry: flag('only plan'),
  },
  run,
});
const complete = command({ summary: 'fracture', arguments: {}, options: { dry: flag('only plan') }, run });

async function valuesOf(...args: string[]): Promise<unknown> {
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  group({ drill, complete })(program, cli);
  await program.parseAsync(args, { from: 'user' });
  return seen.at(-1);
}

describe('a table of options', () => {
  it('is the help of its command', () => {
    const program = new Command('wellbench').configureHelp({ helpWidth: 200 });
    group({ drill, complete })(program, cli);
    const [first, second] = program.commands.map((each) => each.helpInformation());
    expect(first).toContain('Usage: wellbench drill [options] <well> [rig]');
    expect(first?.split('\n').filter((line) => line.startsWith('  '))).toEqual([
      '  well               name of the well',
      '  rig                name of the rig (default: "north")',
      '  --max-depth <ft>   where to stop',
      '  --bit-size <in>    diameter of the bit (default: "12")',
      '  --mud <kind>       kind of mud (choices: "oil", "water")',
      '  --log-names <a,b>  logs to run; @FILE or - reads them',
      '  --stands <n>       stands to pull; @FILE or - reads them',
      '  --dry              only plan',
      '  -h, --help         display help for command',
    ]);
    expect(second).toContain('fracture');
  });

  it('sets the type, the default, and the name of each value', async () => {
    expect(await valuesOf('drill', 'A-1', '--max-depth', '900')).toEqual({
      well: 'A-1',
      rig: 'north',
      maxDepth: 900,
      bitSize: 12,
      log_names: [],
      stands: [],
      dry: false,
    });
    const lists = ['--log-names', 'a,b', '--log-names', 'c,a', '--stands', '7,8'];
    const all = ['--bit-size', '8', '--mud', 'oil', ...lists, '--dry'];
    expect(await valuesOf('drill', 'A-2', 'south', '--max-depth', '7', ...all)).toEqual({
      well: 'A-2',
      rig: 'south',
      maxDepth: 7,
      bitSize: 8,
      mud: 'oil',
      log_names: ['a', 'b', 'c'],
      stands: [7, 8],
      dry: true,
    });
    expect(await valuesOf('complete', '--dry')).toEqual({ dry: true });
  });

  it('accepts lists as they come from a spreadsheet, with each value once, also in files', async () => {
    const file = join(await folder(), 'logs.txt');
    await writeFile(file, '\uFEFF"Smith, A"\r\n0012\r\nJones, B\r\n');
    const pasted = [
      '--stands',
      ' 0012\r\n13\t14; "15"\n 13 ',
      '--log-names',
      `@${file}`,
      '--log-names',
      'a\nb',
    ];
    expect(await valuesOf('drill', 'A-1', '--max-depth', '7', ...pasted)).toMatchObject({
      log_names: ['Smith, A', '0012', 'Jones, B', 'a', 'b'],
      stands: [12, 13, 14, 15],
    });
  });

  it.each([
    ['a list without values', ['--log-names', ' ,\n'], { issues: [{ place: { field: 'log-names' } }] }],
    ['another value in a list', ['--stands', '1\n2 ft'], { issues: [{ place: { field: 'stands' } }] }],
    [
      'two lists on stdin',
      ['--stands', '-', '--log-names', '-'],
      { issues: [{ place: { field: 'stands' } }] },
    ],
    [
      'a list twice on stdin',
      ['--stands', '-', '--stands', '-'],
      { issues: [{ place: { field: 'stands' } }] },
    ],
  ])('rejects %s', async (_what, args, details) => {
    await expect(valuesOf('drill', 'A-1', '--max-depth', '1', ...args)).rejects.toMatchObject({ details });
  });

  it.each([
    ['a missing option', ['A-1'], "required option '--max-depth <ft>' not specified"],
    ['a missing argument', ['--max-depth', '1'], "missing required argument 'well'"],
    ['another choice', ['A-1', '--max-depth', '1', '--mud', 'air'], 'Allowed choices are oil, water.'],
    ['a value of another type', ['A-1', '--max-depth', 'x'], 'max-depth: “x” isn’t a whole number.'],
    ['an option twice', ['A-1', '--max-depth', '1', '--max-depth', '2'], '--max-depth is set twice.'],
    ['an option twice, with `=`', ['A-1', '--max-depth=1', '--max-depth=2'], '--max-depth is set twice.'],
    ['a choice twice', ['A-1', '--max-depth', '1', '--mud', 'oil', '--mud', 'water'], '--mud is set twice.'],
  ])('rejects %s', async (_what, args, message) => {
    await expect(valuesOf('drill', ...args)).rejects.toThrow(message);
  });

  it('names each invalid option', async () => {
    await expect(valuesOf('drill', 'A-1', '--max-depth', 'x', '--bit-size', 'y')).rejects.toMatchObject({
      details: { issues: [{ place: { field: 'max-depth' } }, { place: { field: 'bit-size' } }] },
    });
  });
});
