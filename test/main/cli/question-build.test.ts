import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ownBudget } from '../../../src/main/cli/few-answers.ts';
import { loadForQuestion } from '../../../src/main/cli/question-build.ts';
import { useFolders } from '../../support/folders.ts';

const folder = useFolders();
const sources = join(import.meta.dirname, '../../../src/main/cli');
const addressOf = (path: string): string => pathToFileURL(path).href;

// What stands in for the build: it says what it was given, and what a part of it that is loaded later sees of it.
const build = `exports.main = async ([command]) => console.log(command, typeof require('./later.cjs').main);
//# 0123456789abcdef
`;

/** A build, and an entry that asks it as the command line does. */
async function layOut(): Promise<string> {
  const main = await folder();
  await mkdir(join(main, '.compiled'));
  await writeFile(join(main, 'question.cjs'), build);
  await writeFile(join(main, 'later.cjs'), `exports.main = require('./question.cjs').main;`);
  await writeFile(
    join(main, 'entry.mjs'),
    `import { loadForQuestion } from ${JSON.stringify(addressOf(join(sources, 'question-build.ts')))};
    const argv = process.argv.slice(2);
    const { main } = loadForQuestion(new URL('cli.js', import.meta.url).href, argv);
    await main(argv);`,
  );
  return main;
}

const ask = (main: string, ...argv: string[]): string =>
  execFileSync(process.execPath, [join(main, 'entry.mjs'), ...argv], { encoding: 'utf8' });

describe('the build for questions', () => {
  it('is for questions alone, and not for their help', async () => {
    const entry = addressOf(join(await layOut(), 'cli.js'));
    for (const argv of [[], ['export'], ['--json', 'find'], ['find', '--help'], ['find', '-h']])
      expect(loadForQuestion(entry, argv)).toBeNull();
    expect(loadForQuestion(addressOf(join(await folder(), 'cli.js')), ['find'])).toBeNull();
  });

  it('leaves behind what V8 made of it for each command, and takes that the next time', async () => {
    const main = await layOut();
    const kept = join(main, '.compiled', 'find-0123456789abcdef');
    expect(ask(main, 'find')).toBe('find function\n');
    const longAgo = new Date('2001-01-01');
    await utimes(kept, longAgo, longAgo);
    expect(ask(main, 'find')).toBe('find function\n');
    expect((await stat(kept)).mtime, 'what was left is taken, not written anew').toEqual(longAgo);
    await writeFile(kept, 'damaged');
    expect(ask(main, 'find')).toBe('find function\n');
    expect((await readFile(kept)).length).toBeGreaterThan(100);
    expect(ask(main, 'count')).toBe('count function\n');
    expect((await readdir(join(main, '.compiled'))).sort()).toEqual([
      'count-0123456789abcdef',
      'find-0123456789abcdef',
    ]);
  });

  it('knows which budget V8 has by itself: code that was kept under another is not taken', () => {
    const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
    expect(options).toContain(`default: --wasm-tiering-budget=${ownBudget}\n`);
  });
});
