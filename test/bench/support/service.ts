// A data service for measurements: records in memory as the bytes of the response, so that reading costs almost
// nothing; inserts are parsed, as every service must, and discarded. `node service.ts RECORDS [CHANNELS]
// [unindexed]`; sends its port by IPC. Unindexed, it scans and sorts all records for each find. `GET /answered`
// returns when the last page of records was sent completely, in Unix milliseconds.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseJson } from '../../../src/shared/json.ts';
import { columnsOfRecords, firstTime, stepMs } from './records.ts';

const records = Number(process.argv[2] ?? 0);
const channels = Number(process.argv[3] ?? 13);
const isUnindexed = process.argv[4] === 'unindexed';
const { bytes, starts } = build(records);
let inserted = 0;
let answered = 0;
/** Handled requests, without those for this number. */
let requests = 0;

/** All records as one text with commas between them, and the offset of each. */
function build(count: number): { bytes: Buffer; starts: Float64Array } {
  const at = new Float64Array(count + 1);
  // More than is needed: unused pages cost no memory. Ids and times have a fixed length; channels vary a little.
  const whole = Buffer.allocUnsafeSlow(count * (columnsOfRecords(count, channels).length + 2 * channels));
  let length = 0;
  for (let from = 0; from < count; from += 10_000) {
    let text = '';
    const begin = length;
    for (let n = from; n < Math.min(from + 10_000, count); n += 1) {
      const record = columnsOfRecords(n, channels);
      at[n] = length;
      length += record.length + 1;
      text += `${record},`;
    }
    if (whole.write(text, begin, 'latin1') < text.length)
      throw new Error('the records are longer than was thought');
  }
  at[count] = length;
  return { bytes: whole.subarray(0, length), starts: at };
}

const indexOf = (time: number): number => Math.ceil((time - firstTime) / stepMs);

/** The range of records that a query requests, by number. */
function rangeOf(query: Record<string, unknown>): [number, number] {
  let [from, to] = [0, records];
  const condition = query['timestamp'];
  if (typeof condition === 'number') [from, to] = [indexOf(condition), indexOf(condition + 1)];
  if (typeof condition === 'object' && condition !== null)
    for (const [operator, value] of Object.entries(condition)) {
      if (operator === '$gte') from = Math.max(from, indexOf(Number(value)));
      if (operator === '$gt') from = Math.max(from, indexOf(Number(value) + 1));
      if (operator === '$lt') to = Math.min(to, indexOf(Number(value)));
      if (operator === '$in') to = from;
    }
  return [Math.max(0, from), Math.max(from, to)];
}

const stretch = (from: number, to: number): Buffer => bytes.subarray(starts[from], (starts[to] ?? 1) - 1);

function reversed(from: number, to: number): Buffer {
  const records = Array.from({ length: to - from }, (_, at) => stretch(to - 1 - at, to - at).toString());
  return Buffer.from(records.join(','));
}

/** The work of a find without an index: matching records are collected and sorted. */
function scanAll(low: number, high: number): void {
  const keys = Float64Array.from({ length: high - low }, (_, n) => ((low + n) * 7919) % records);
  keys.sort();
}

function find(url: URL, response: ServerResponse): void {
  const object = (name: string): Record<string, unknown> =>
    JSON.parse(url.searchParams.get(name) ?? '{}') as Record<string, unknown>;
  const [low, high] = rangeOf(object('query'));
  if (isUnindexed) scanAll(low, high);
  const skip = Number(url.searchParams.get('skip') ?? 0);
  const limit = Number(url.searchParams.get('limit') ?? 1000);
  const backwards = Object.values(object('sort'))[0] === -1;
  const from = backwards ? Math.max(low, high - skip - limit) : low + skip;
  const to = backwards ? high - skip : Math.min(high, from + limit);
  const body = from >= to ? Buffer.alloc(0) : backwards ? reversed(from, to) : stretch(from, to);
  response.setHeader('content-length', body.length + 2);
  response.setHeader('total', high - low);
  response.once('finish', () => {
    answered = performance.timeOrigin + performance.now();
  });
  response.write('[');
  response.write(body);
  response.end(']');
}

const definition = {
  id: 1,
  company_id: 1,
  provider: 'bench',
  name: 'bench#time',
  friendly_name: 'Time',
  description: '',
  schema: {},
  data_type: 'time',
  plottable: true,
  temporary: false,
  permission_workflow: {},
  indexes: [{ timestamp: 1 }],
  statistics: { size: 0, count: records, storage_size: 0, index_size: 0 },
};

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://service');
  response.setHeader('content-type', 'application/json');
  if (url.pathname !== '/requests') requests += 1;
  if (request.method === 'POST') {
    const batch: unknown = parseJson(await bodyOf(request));
    const count = Array.isArray(batch) ? batch.length : 0;
    const ids = Array.from({ length: count }, (_, n) => (inserted + n).toString(16).padStart(24, '0'));
    inserted += count;
    response.end(JSON.stringify({ inserted_ids: ids, failed_count: 0, messages: [] }));
  } else if (url.pathname.endsWith('/count/')) {
    const query = JSON.parse(url.searchParams.get('query') ?? '{}') as Record<string, unknown>;
    const [from, to] = rangeOf(query);
    response.end(JSON.stringify({ count: to - from }));
  } else if (url.pathname.startsWith('/api/v1/data/')) find(url, response);
  else if (url.pathname === '/requests') response.end(JSON.stringify({ requests }));
  else if (url.pathname === '/answered') response.end(JSON.stringify({ answered }));
  else if (url.pathname === '/api/v1/dataset/') response.end(JSON.stringify([definition]));
  else if (url.pathname.startsWith('/api/v1/dataset/')) response.end(JSON.stringify(definition));
  else response.end('{"data":[]}');
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    response.statusCode = 500;
    response.end(JSON.stringify({ code: 500, message: String(error) }));
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit());
