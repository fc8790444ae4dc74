import { fork } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/shared/errors/errors.ts';
import { createLogger, environmentSecrets } from '../../../src/main/core/logger.ts';
import { useFolders } from '../../support/folders.ts';

const folders = useFolders();
const secret = 'a-secret-of-the-person';

describe('the log', () => {
  async function logger(options: Partial<Parameters<typeof createLogger>[0]> = {}) {
    const folder = join(await folders(), 'logs');
    const text = async () => readFile(join(folder, 'wellbench.log'), 'utf8');
    return { folder, text, log: createLogger({ folder, secrets: () => [secret], ...options }) };
  }

  it('has a line for each event, with its time and process', async () => {
    const { log, text } = await logger();
    log.info('One.');
    log.warn('Two\nin two lines.');
    const when = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z ${process.pid}`;
    expect(await text()).toMatch(
      new RegExp(`^${when} info  One\\.\n${when} warn  Two\n    in two lines\\.\n$`),
    );
  });

  it('shows no secret, whether known or recognized by its form, anywhere', async () => {
    const { log, text } = await logger();
    const cause = Object.assign(new Error(`proxy http://me:hunter2hunter2@proxy:8080 said no`), {
      headers: { authorization: 'API 0123456789abcdef' },
      body: { nested: { token: secret } },
    });
    log.info(`with ${secret}`);
    log.fault(new AppError('internal', { problem: `it was ${secret}` }, { cause }));
    log.fault(cause);
    log.warn('Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.c2lnbmF0dXJl');
    const written = await text();
    expect(written).toContain('Cause: ');
    for (const hidden of [secret, 'hunter2', '0123456789abcdef', 'eyJ'])
      expect(written).not.toContain(hidden);
    expect(log.clean(`x ${secret}`)).toBe('x •••');
  });

  it('starts a new file when it is full, and keeps a limited number of files', async () => {
    const { folder, log } = await logger({ maxBytes: 200, maxFiles: 3 });
    for (let n = 0; n < 40; n += 1) log.info(`Line ${n} of a long story.`);
    const names = (await readdir(folder)).filter((name) => name.endsWith('.log')).sort();
    expect(names).toEqual(['wellbench.1.log', 'wellbench.2.log', 'wellbench.log']);
    expect(await readFile(join(folder, 'wellbench.log'), 'utf8')).toContain('Line 39');
    expect(await readFile(join(folder, 'wellbench.1.log'), 'utf8')).not.toContain('Line 39');
  });

  it('accepts lines of several processes, each complete', async () => {
    const { folder, text } = await logger();
    const entry = join(folder, '..', 'writer.mjs');
    const module = join(import.meta.dirname, '../../../src/main/core/logger.ts');
    await writeFile(
      entry,
      `import { createLogger } from ${JSON.stringify(module)};
       const log = createLogger({ folder: ${JSON.stringify(folder)}, secrets: () => [] });
       for (let n = 0; n < 200; n += 1) log.info('process ' + process.argv[2] + ' line ' + n);`,
    );
    await Promise.all(
      ['a', 'b'].map(
        (name) => new Promise((resolve) => fork(entry, [name], { execArgv: [] }).once('exit', resolve)),
      ),
    );
    const lines = (await text()).trim().split('\n');
    expect(lines).toHaveLength(400);
    for (const line of lines) expect(line).toMatch(/ info {2}process [ab] line \d+$/);
  });

  it('that can’t be written interrupts nothing', async () => {
    const { folder } = await logger();
    await writeFile(folder, 'a file stands where the folder should be');
    const log = createLogger({ folder, secrets: () => [] });
    expect(() => log.info('One.')).not.toThrow();
  });
});

describe('secrets in the environment', () => {
  it('are keys, passwords, and proxy credentials, in each form they have', () => {
    const secrets = environmentSecrets({
      WELLBENCH_API_KEY: ' API the-key ',
      WELLBENCH_PASSWORD: 'pass word',
      HTTPS_PROXY: 'http://me:p%40ss@word@proxy.corp:8080',
      http_proxy: 'you:100%25@other:1',
      HOME: '/home/me',
    });
    for (const text of [
      'the-key',
      'pass word',
      'p%40ss@word',
      'p@ss@word',
      btoa('me:p@ss@word'),
      '100%',
      btoa('you:100%'),
    ])
      expect(secrets).toContain(text);
    for (const text of ['me', '/home/me', 'proxy.corp:8080']) expect(secrets).not.toContain(text);
  });

  it('are empty when none is set', () => {
    expect(environmentSecrets({ HTTPS_PROXY: 'http://proxy:8080' })).toEqual([]);
  });
});
