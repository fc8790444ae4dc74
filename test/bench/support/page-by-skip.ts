// The floor of exports: `node page-by-skip.ts PORT PAGE FILE` reads page after page by `skip`, writes each as
// lines of CSV, and prints the number of records. It stores nothing for a resume.
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { request } from 'undici';

const [port, page, file] = [process.argv[2], Number(process.argv[3]), process.argv[4] ?? ''];
const out = createWriteStream(file);
let count = 0;
for (let skip = 0; ; skip += page) {
  const query = { query: '{}', sort: '{"timestamp":1}', limit: String(page), skip: String(skip) };
  const address = `http://127.0.0.1:${port}/api/v1/data/bench/time/?${new URLSearchParams(query).toString()}`;
  const { body } = await request(address);
  const records = (await body.json()) as { data: object }[];
  count += records.length;
  for (const { data, ...envelope } of records)
    out.write(`${Object.values(envelope).join(',')},${Object.values(data).join(',')}\n`);
  if (records.length < page) break;
}
await finished(out.end());
console.log(count);
process.exit(0);
