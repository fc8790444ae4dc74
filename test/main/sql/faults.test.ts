import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  startProcess,
  type ProcessPort,
  type StartProcess,
} from '../../../src/main/processes/start-process.ts';
import { windowPage } from '../../../src/main/sql/row-limits.ts';
import { openSqlEngine, type SqlEngineOptions } from '../../../src/main/sql/sql-engine.ts';
import { AppError, isAppError } from '../../../src/shared/errors/errors.ts';
import { canMount, withSmallDisk } from '../../support/small-disk.ts';

const folder = mkdtempSync(join(tmpdir(), 'wellbench-test-'));
const log = join(folder, 'log.parquet');
const stages = join(folder, 'stages.parquet');
/** More rounds: WELLBENCH_LAW_RUNS. */
const rounds = Number(process.env['WELLBENCH_LAW_RUNS'] ?? 3);

beforeEach(async () => {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await rm(log, { recursive: true, force: true });
  await connection.run(
    `COPY (SELECT i AS depth, hash(i) % 1000 AS rop FROM range(60000) r(i)) TO '${log}' (FORMAT parquet, ROW_GROUP_SIZE 20000)`,
  );
  await connection.run(`COPY (SELECT i AS stage FROM range(20) r(i)) TO '${stages}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const tableOf = (name: string) => ({
  folder: null,
  table: { name, files: [join(folder, `${name}.parquet`)], isPartitioned: false, units: {} },
});

/** An engine over two tables, closed after `work`. */
async function withEngine(
  work: (engine: {
    readonly rows: (sql: string, signal?: AbortSignal) => Promise<number>;
    readonly warnings: string[];
    readonly close: () => void;
    readonly kill: () => void;
  }) => Promise<void>,
  options: Partial<SqlEngineOptions> = {},
): Promise<void> {
  const warnings: string[] = [];
  const ports: ProcessPort[] = [];
  const engine = openSqlEngine({
    spillFolder: join(folder, 'spill'),
    memoryMb: async () => 200,
    warn: (sentence) => warnings.push(sentence),
    ...options,
    start(name, env) {
      const port = (options.start ?? startProcess)(name, env);
      ports.push(port);
      return port;
    },
  });
  await engine.open([tableOf('log'), tableOf('stages')]);
  try {
    await work({
      warnings,
      close: engine.close,
      kill: () => ports.at(-1)?.close(),
      async rows(sql, signal) {
        let rows = 0;
        for await (const { count } of engine.run(sql, windowPage(20_000), signal)) rows += count;
        return rows;
      },
    });
  } finally {
    engine.close();
  }
}

const endless = 'SELECT count(*) FROM range(1000000000000)';
const outcome = async (rows: Promise<unknown>): Promise<unknown> =>
  rows.catch((error: unknown) => (error instanceof AppError ? error.code : String(error)));

describe('statements of several windows', () => {
  it('fail and are canceled alone', async () => {
    await withEngine(async ({ rows, warnings }) => {
      const stop = new AbortController();
      const canceled = outcome(rows(endless, stop.signal));
      const slow = rows('SELECT sum(a.rop * b.stage) FROM log a, stages b GROUP BY a.depth');
      const failures = [
        'SELECT nothing FROM log',
        `SELECT error('no') FROM log`,
        'SELECT (depth::VARCHAR || $$x$$)::INTEGER FROM log',
        'SELEC',
        `SELECT * FROM '${log}'`,
        `SELECT repeat('x', 5000000000)`,
      ].map(async (sql) => outcome(rows(sql)));
      stop.abort();
      expect(await Promise.all(failures)).toEqual(failures.map(() => 'invalid_input'));
      expect(await canceled).toBe('cancelled');
      expect(await slow).toBe(60_000);
      expect(warnings).toEqual([]);
    });
  });

  it('more than Node has threads do not wait for each other', async () => {
    await withEngine(async ({ rows }) => {
      const stop = new AbortController();
      const running = Array.from({ length: 6 }, async () => outcome(rows(endless, stop.signal)));
      expect(await rows('SELECT * FROM stages')).toBe(20);
      stop.abort();
      expect(await Promise.all(running)).toEqual(running.map(() => 'cancelled'));
    });
  });

  it('all fail when the process ends, with an error to retry, and a line in the log', async () => {
    await withEngine(async ({ rows, warnings, kill }) => {
      const running = [endless, endless, 'SELECT a.rop FROM log a, stages b, stages c'].map(async (sql) =>
        outcome(rows(sql)),
      );
      expect(await rows('SELECT * FROM stages')).toBe(20);
      kill();
      expect(await Promise.all(running)).toEqual(running.map(() => 'sql_unavailable'));
      expect(warnings).toEqual([
        expect.stringMatching(/the sql process ended \(SIGKILL\), while it ran \d+ statements/),
      ]);
      expect(await rows('SELECT * FROM stages')).toBe(20);
    });
  });

  it('end with a process that doesn’t respond to a cancel, and a line in the log', async () => {
    /** A process that never starts statements. */
    let isStuck = true;
    const startCall = Promise.withResolvers<void>();
    const start: StartProcess = (name, env) => {
      const port = startProcess(name, env);
      const send: ProcessPort['send'] = (message, transfer) => {
        if (isStuck && 'call' in message && message.call === 'start') startCall.resolve();
        else port.send(message, transfer);
      };
      return { ...port, send };
    };
    await withEngine(
      async ({ rows, warnings }) => {
        const stop = new AbortController();
        const running = outcome(rows('SELECT * FROM stages', stop.signal));
        await startCall.promise;
        stop.abort();
        expect(await running).toBe('cancelled');
        isStuck = false;
        expect(await rows('SELECT * FROM stages')).toBe(20);
        expect(warnings).toHaveLength(1);
      },
      { start, cancelMs: 20 },
    );
  });

  it(`are ended ${rounds} times by closing the engine`, async () => {
    for (let round = 0; round < rounds; round += 1)
      await withEngine(async ({ rows, close }) => {
        const running = [endless, 'SELECT * FROM log ORDER BY rop', 'SELECT * FROM log'].map(async (sql) =>
          outcome(rows(sql)),
        );
        await rows('SELECT 1');
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
        close();
        for (const ended of await Promise.all(running)) expect([60_000, 'sql_unavailable']).toContain(ended);
        expect(await rows('SELECT * FROM stages')).toBe(20);
      });
  });
});

describe('the file of a table', () => {
  const replacements: [string, () => Promise<void>][] = [
    ['removed', () => rm(log)],
    ['truncated', () => truncate(log, 5000)],
    ['emptied', () => truncate(log, 0)],
    ['overwritten', () => writeFile(log, Buffer.alloc(300_000, 7))],
    ['a text', () => writeFile(log, 'depth,rop\n1,2\n')],
    ['another table', () => copyFile(stages, log)],
    [
      'a link to nothing',
      async () => {
        await rm(log);
        execFileSync('ln', ['-s', '/nowhere', log]);
      },
    ],
    [
      'a pipe',
      async () => {
        await rm(log);
        execFileSync('mkfifo', [log]);
      },
    ],
    [
      'a folder',
      async () => {
        await rm(log);
        await mkdir(log);
      },
    ],
    [
      'a Parquet file of a wrong size',
      async () => {
        // The length of the footer is before the last four bytes.
        await rename(log, `${log}.old`);
        await copyFile(`${log}.old`, log);
        const { size } = await import('node:fs').then(({ statSync }) => statSync(log));
        const length = Buffer.alloc(4);
        length.writeUInt32LE(0x7fffffff);
        const { open } = await import('node:fs/promises');
        const file = await open(log, 'r+');
        await file.write(length, 0, 4, size - 8);
        await file.close();
      },
    ],
  ];
  it.skipIf(process.platform === 'win32').each(replacements)(
    'that is %s while statements run fails them at most, without its path',
    async (_, replace) => {
      await withEngine(async ({ rows }) => {
        const before = rows('SELECT a.*, b.stage FROM log a, stages b').catch((error: unknown) => error);
        await rows('SELECT 1');
        await replace();
        const after = await rows('SELECT count(DISTINCT rop) FROM log').catch((error: unknown) => error);
        for (const result of [await before, after]) {
          if (typeof result === 'number') continue;
          if (!isAppError(result, 'invalid_input')) throw new Error(`another error: ${String(result)}`);
          expect(result.message).not.toContain(folder);
        }
        expect(await rows('SELECT * FROM stages')).toBe(20);
        await rm(log, { recursive: true, force: true });
      });
    },
  );
});

describe('the folder for temporary files', () => {
  it.skipIf(!canMount)('that is full ends the statement that needs it, and no other', async () => {
    const spillFolder = join(folder, 'small');
    await mkdir(spillFolder);
    await withSmallDisk(spillFolder, 4096, async () =>
      withEngine(
        async ({ rows }) => {
          const large = `SELECT hash(i) AS k, repeat('x', 40) || i AS t FROM range(4000000) r(i) ORDER BY k, t`;
          const error = await rows(large).catch((cause: unknown) => cause);
          if (!(error instanceof AppError)) throw new Error(`no error: ${String(error)}`);
          expect(error.code).toBe('disk_full');
          expect(error.message).not.toContain(folder);
          expect(await rows('SELECT * FROM stages')).toBe(20);
        },
        { spillFolder, memoryMb: async () => 60 },
      ),
    );
  });
});
