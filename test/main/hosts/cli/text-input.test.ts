import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import { cliEnd, connectionEnv, runCli, runInProcess, startCli } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ records: 500, wells: 4 });
});
afterAll(() => demo.close());
const folders = useFolders();

/** In a process of its own if it reads stdin. */
const run = async (args: readonly string[], input?: string) => {
  const all = [...args, '--data-dir', await folders(), '--json'];
  return input === undefined
    ? runInProcess(all, connectionEnv(demo))
    : runCli(all, connectionEnv(demo), input);
};

/** A query of 6000 ids, which no command line of Windows could have. */
const longQuery = `{ asset_id: { $in: [5001, ${Array.from({ length: 6000 }, (_, at) => 900_000 + at).join(', ')}] } }`;

describe('an option of JSON', () => {
  it('is read from a file, or from stdin', async () => {
    const file = join(await folders(), 'query.json');
    // As editors of Windows write it.
    await writeFile(file, `\uFEFF${longQuery}\r\n`);
    const wide = join(await folders(), 'wide.json');
    // As Windows PowerShell redirects it.
    await writeFile(wide, Buffer.from(`\uFEFF${longQuery}\r\n`, 'utf16le'));
    const short = await run(['count', 'demo/wits', '--query', '{ asset_id: 5001 }']);
    const fromFile = await run(['count', 'demo/wits', '--query', `@${file}`]);
    const fromStdin = await run(['count', 'demo/wits', '--query', '-'], longQuery);
    expect(fromFile.summary()).toEqual(short.summary());
    expect((await run(['count', 'demo/wits', '--query', `@${wide}`])).summary()).toEqual(short.summary());
    expect(fromStdin.summary()).toEqual(short.summary());
    const stages = await run(
      ['pipeline', 'demo/wits', '--stages', '-'],
      `[{ $match: ${longQuery} }, { $limit: 3 }]`,
    );
    expect(stages.summary()).toMatchObject({ count: 3 });
    const sorted = join(await folders(), 'sort.json');
    await writeFile(sorted, '{ timestamp: -1 }');
    const find = ['find', 'demo/wits', '--limit', '2', '--sort', `@${sorted}`, '--query', `@${file}`];
    expect((await run(find)).summary()).toMatchObject({ count: 2 });
  });

  it('names its place where the file is missing, empty, or too long, and where two are on stdin', async () => {
    const folder = await folders();
    const [empty, long] = [join(folder, 'empty.json'), join(folder, 'long.json')];
    await writeFile(empty, '');
    await writeFile(long, ' '.repeat(2_000_000));
    const refused: [string[], string, string][] = [
      [['find', 'demo/wits', '--query', `@${folder}/none.json`], 'file_unreadable', 'none.json'],
      [['find', 'demo/wits', '--query', `@${empty}`], 'invalid_input', 'query'],
      [['find', 'demo/wits', '--query', `@${long}`], 'file_unreadable', 'long.json'],
      [['find', 'demo/wits', '--query', '-', '--sort', '-'], 'invalid_input', 'stdin'],
    ];
    for (const [args, code, place] of refused) {
      const { error, code: exit, stderr } = await run(args);
      expect(error(), stderr).toMatchObject({ code });
      expect(stderr).toContain(place);
      expect(exit).not.toBe(0);
    }
  });
});

it('a list of ids is read from stdin as a column of a spreadsheet has it', async () => {
  expect((await run(['wells', '--asset-id', '-'], '\uFEFF5001\r\n5002\r\n')).summary()).toEqual({ count: 2 });
});

it.skipIf(process.platform === 'win32')(
  'a command that waits for stdin ends when it is canceled',
  async () => {
    const args = ['count', 'demo/wits', '--query', '-', '--data-dir', await folders()];
    const child = startCli(args, connectionEnv(demo));
    const ended = cliEnd(child);
    // More than a pipe holds: it is written when the command reads.
    await new Promise((resolve) => child.stdin?.write(' '.repeat(900_000), resolve));
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130 });
  },
);
