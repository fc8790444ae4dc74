// Time and memory of the demo (CPU time of the service as well as elapsed time, which other work on the machine
// increases) at two million records: `node test/bench/demo.ts [RECORDS] [INSERTED]`.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Demo, startDemo } from '../../src/demo/index.ts';

type Started = Pick<Demo, 'dataUrl' | 'apiKeys'>;

if (process.send) await serve();
else await measure(Number(process.argv[2] ?? 2_000_000), Number(process.argv[3] ?? 1_000_000));

/** The child process: runs the demo and reports its memory on request. */
async function serve(): Promise<void> {
  const before = performance.now();
  const demo = await startDemo({ records: Number(process.argv[2]) });
  process.send?.({
    started: { dataUrl: demo.dataUrl, apiKeys: demo.apiKeys },
    ms: performance.now() - before,
  });
  process.on('message', (message) => {
    const { user, system } = process.cpuUsage();
    if (message === 'processor') {
      process.send?.({ processorMs: (user + system) / 1000 });
      return;
    }
    globalThis.gc?.();
    const { rss, heapUsed, external } = process.memoryUsage();
    process.send?.({ rss, heapUsed, external });
  });
  process.on('disconnect', () => void demo.close());
}

async function measure(records: number, inserted: number): Promise<void> {
  const child = fork(fileURLToPath(import.meta.url), [String(records)], { execArgv: ['--expose-gc'] });
  const [first] = (await once(child, 'message')) as [{ started: Started; ms: number }];
  const { dataUrl, apiKeys } = first.started;
  const memory = async (): Promise<string> => {
    child.send('memory');
    const [{ rss, heapUsed, external }] = (await once(child, 'message')) as [
      { rss: number; heapUsed: number; external: number },
    ];
    const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
    return `${mb(rss)} resident, ${mb(heapUsed)} heap, ${mb(external)} outside it`;
  };
  const say = (what: string, value: string): void => console.log(`${what.padEnd(58)} ${value}`);
  const headers = { Authorization: `API ${apiKeys.write}` };
  const data = (name: string, tail: string, parameters: object): string =>
    `${dataUrl}/api/v1/data/demo/${name}/${tail}?${Object.entries(parameters)
      .map(
        ([key, value]) =>
          `${key}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`,
      )
      .join('&')}`;
  const get = async (url: string): Promise<{ text: string; ms: number }> => {
    const before = performance.now();
    const answer = await fetch(url, { headers });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${String(answer.status)} ${text}`);
    return { text, ms: performance.now() - before };
  };
  const processor = async (): Promise<number> => {
    child.send('processor');
    const [{ processorMs }] = (await once(child, 'message')) as [{ processorMs: number }];
    return processorMs;
  };
  /** The median of several times, in milliseconds, and the mean CPU time of each. */
  const median = async (url: (run: number) => string, runs = 7): Promise<string> => {
    const times: number[] = [];
    await get(url(0));
    const before = await processor();
    for (let run = 0; run < runs; run += 1) times.push((await get(url(run))).ms);
    times.sort((a, b) => a - b);
    const each = ((await processor()) - before) / runs;
    return `${(times[runs >> 1] ?? 0).toFixed(0)} ms (slowest ${(times.at(-1) ?? 0).toFixed(0)} ms; processor ${each.toFixed(0)} ms)`;
  };

  say(`start with ${String(records)} records`, `${first.ms.toFixed(0)} ms`);
  say('memory', await memory());
  const { count } = JSON.parse((await get(data('wits', 'count/', { query: {} }))).text) as { count: number };
  say('records of the largest dataset, 15 channels', String(count));
  const page = { query: {}, sort: { timestamp: 1, _id: 1 }, limit: 10_000 };
  say(
    'page of 10,000, one well',
    await median((run) => data('wits', '', { ...page, query: { asset_id: 5001 }, skip: run * 10_000 })),
  );
  say(
    'page of 10,000, all wells, anywhere by skip',
    await median((run) => data('wits', '', { ...page, skip: Math.floor((count * run) / 8) })),
  );
  say(
    'page of 10,000, newest first',
    await median(() => data('wits', '', { ...page, sort: { timestamp: -1, _id: 1 } })),
  );
  say(
    'count by asset and time',
    await median(() => data('wits', 'count/', { query: { asset_id: 5001, timestamp: { $gt: 1.79e12 } } })),
  );
  say(
    'count by a channel: looks at every record',
    await median((run) => data('wits', 'count/', { query: { 'data.rop': { $gt: run } } }), 3),
  );

  const windows = performance.now();
  let exported = 0;
  for (let last = 0, full = true; full;) {
    const { text } = await get(
      data('wits', '', {
        query: { timestamp: { $gte: last } },
        sort: { timestamp: 1, _id: 1 },
        limit: 10_000,
      }),
    );
    const found = JSON.parse(text) as { timestamp: number }[];
    full = found.length === 10_000;
    const end = found.at(-1)?.timestamp ?? 0;
    exported += full ? found.filter(({ timestamp }) => timestamp < end).length : found.length;
    last = end;
  }
  say(
    `full export by windows: ${String(exported)} records`,
    `${((performance.now() - windows) / 1000).toFixed(1)} s`,
  );
  const skipping = performance.now();
  let skipped = 0;
  for (let count = 10_000; count === 10_000; skipped += count) {
    count = (JSON.parse((await get(data('wits', '', { ...page, skip: skipped }))).text) as unknown[]).length;
  }
  say(
    `full export by skip: ${String(skipped)} records`,
    `${((performance.now() - skipping) / 1000).toFixed(1)} s`,
  );
  say('memory', await memory());

  const inserting = performance.now();
  for (let at = 0; at < inserted; at += 1000) {
    const batch = Array.from({ length: 1000 }, (_, i) => ({
      version: 1,
      asset_id: 5001 + (at % 7),
      timestamp: ((at + i) * 7919) % inserted,
      data: sampleChannels(at + i),
    }));
    const answer = await fetch(data('uploads.time', '', {}), {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(batch),
    });
    if (answer.status !== 200) throw new Error(await answer.text());
    await answer.arrayBuffer();
    await get(data('uploads.time', 'count/', { query: { asset_id: 5001, timestamp: { $lt: 1000 } } }));
  }
  say(
    `${String(inserted)} inserts in batches of 1,000, out of order, read between`,
    `${((performance.now() - inserting) / 1000).toFixed(1)} s`,
  );
  say(
    'page of 10,000 inserted records, all wells',
    await median((run) => data('uploads.time', '', { ...page, skip: Math.floor((inserted * run) / 8) })),
  );
  say('memory', await memory());
  child.disconnect();
}

function sampleChannels(at: number): Record<string, number | string> {
  const channels: Record<string, number | string> = { state: 'Rotary Drilling' };
  for (let channel = 0; channel < 14; channel += 1)
    channels[`channel_${String(channel)}`] = ((at * (channel + 3)) % 9973) / 10;
  return channels;
}
