import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A browser that an application starts in place of Chrome. */
export interface FakeBrowser {
  /** The environment in which it is the only browser, with a screen. */
  readonly env: { readonly PATH: string; readonly DISPLAY: string };
  /** Lines that it wrote: its arguments at each start, and the method of each message that it got. */
  readonly log: () => Promise<string[]>;
  /** Closes its window. */
  readonly close: () => Promise<void>;
}

/**
 * Installs a browser into a folder. It has one page, and speaks as much of the DevTools protocol as the application uses.
 * @param folder an empty folder
 * @param behavior `window`: runs until it is closed; a number: ends at once with this code
 * @param opensAfterMs how long its page takes to open
 * @returns the browser
 */
export async function installFakeBrowser(
  folder: string,
  behavior: 'window' | number,
  opensAfterMs = 0,
): Promise<FakeBrowser> {
  const [programs, log, closing] = ['bin', 'log', 'closing'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(programs);
  await writeFile(log, '');
  const script = `#!${process.execPath}
const { appendFileSync, createReadStream, existsSync, writeSync } = require('node:fs');
const say = (line) => appendFileSync(${JSON.stringify(log)}, line + '\\n');
for (const argument of process.argv.slice(2)) say(argument);
const behavior = ${JSON.stringify(behavior)};
if (behavior !== 'window') process.exit(behavior);
const send = (message) => writeSync(4, JSON.stringify(message) + '\\0');
const page = { targetId: 'page-1', type: 'page' };
let rest = '';
createReadStream('', { fd: 3 }).on('data', (part) => {
  const parts = (rest + part).split('\\0');
  rest = parts.pop();
  for (const { id, method } of parts.map((text) => JSON.parse(text))) {
    say(method);
    if (method === 'Target.setDiscoverTargets')
      setTimeout(() => send({ method: 'Target.targetCreated', params: { targetInfo: page } }), ${opensAfterMs});
    send({ id, result: {} });
    if (method === 'Browser.close') process.exit(0);
  }
}).on('end', () => process.exit(0));
// As a browser that keeps running after its last window.
setInterval(() => {
  if (existsSync(${JSON.stringify(closing)})) send({ method: 'Target.targetDestroyed', params: { targetId: 'page-1' } });
}, 20);
`;
  const program = join(programs, 'google-chrome');
  await writeFile(program, script);
  await chmod(program, 0o700);
  return {
    env: { PATH: programs, DISPLAY: ':1' },
    log: async () => (await readFile(log, 'utf8')).split('\n').filter((line) => line !== ''),
    close: () => writeFile(closing, ''),
  };
}
