// From the start of the browser host to a usable first screen: `node test/bench/start.ts [ROUNDS]`, after a build.
// Uses the Chromium of the end-to-end tests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { words } from '../../src/renderer/words/words.ts';
import { measureInTurns, printFigure } from './support/figures.ts';
import { openBrowser } from './support/browser.ts';

const rounds = Number(process.argv[2] ?? 7);
const root = join(import.meta.dirname, '../..');
const firstButton = words.start.openSample;
const browser = await openBrowser();
try {
  const { ours } = await measureInTurns({ ours: firstScreen }, rounds);
  printFigure({
    name: 'start of the browser host to the first screen',
    ours,
    floor: null,
    unit: 'ms',
    goal: '≤ 2000 ms',
  });
} finally {
  await browser.close();
}

/** Milliseconds from the start of a host to an enabled button, in a new profile. */
async function firstScreen(): Promise<number> {
  const data = await mkdtemp(join(tmpdir(), 'wellbench-bench-'));
  const before = performance.now();
  const host = spawn(process.execPath, [join(root, 'out', 'main', 'serve.js'), '--port', '0'], {
    env: { ...process.env, WELLBENCH_KEYCHAIN: 'off', WELLBENCH_DATA_DIR: data },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const context = await browser.newContext();
  try {
    const [line] = (await once(createInterface(host.stdout), 'line')) as [string];
    const { url } = JSON.parse(line) as { url: string };
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'commit' });
    // Checked in each frame: Playwright's own waiting checks every half second, which would add up to that much.
    await page.waitForFunction(canBePressed, firstButton, { polling: 'raf' });
    const ms = performance.now() - before;
    await page.getByRole('button', { name: firstButton }).click({ trial: true });
    return ms;
  } finally {
    await context.close();
    const exit = once(host, 'exit');
    host.kill();
    await exit;
    await rm(data, { recursive: true, force: true });
  }
}

/** In the page: whether the button with this text is visible and not covered. */
function canBePressed(text: string): boolean {
  const button = [...document.querySelectorAll('button')].find((one) => one.textContent.trim() === text);
  if (!button || button.disabled) return false;
  const { x, y, width, height } = button.getBoundingClientRect();
  return button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}
