// From the start of the browser host to a first screen that can be used, against the same host with an empty React
// page: `node test/bench/start.ts [ROUNDS]`, after a build. Chromium is the one of the end-to-end tests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { inTurns, tell } from './support/figures.ts';
import { openBrowser } from './support/browser.ts';

const rounds = Number(process.argv[2] ?? 7);
const root = join(import.meta.dirname, '../..');
const empty = join(root, 'out', 'bench-empty');
await makeEmpty();
const browser = await openBrowser();
try {
  const { ours, floor } = await inTurns(
    {
      ours: () => firstScreen(join(root, 'out'), 'Open the sample workspace'),
      floor: () => firstScreen(empty, 'Empty'),
    },
    rounds,
  );
  tell({ name: 'start of the browser host to the first screen', ours, floor, unit: 'ms', goal: '≤ 1.5 ×' });
} finally {
  await browser.close();
  await rm(empty, { recursive: true, force: true });
}

/** A copy of the build whose page is React and one button. */
async function makeEmpty(): Promise<void> {
  const source = join(empty, 'source');
  await mkdir(source, { recursive: true });
  await cp(join(root, 'out', 'main'), join(empty, 'main'), { recursive: true });
  await writeFile(
    join(source, 'index.html'),
    '<!doctype html><title>Empty</title><div id="root"></div><script type="module" src="./main.jsx"></script>',
  );
  await writeFile(
    join(source, 'main.jsx'),
    "import { createRoot } from 'react-dom/client';\ncreateRoot(document.getElementById('root')).render(<button>Empty</button>);\n",
  );
  await build({
    root: source,
    base: './',
    configFile: false,
    logLevel: 'warn',
    plugins: [react()],
    build: { outDir: join(empty, 'renderer'), emptyOutDir: true },
  });
}

/** Milliseconds from the start of a host to a button that can be pressed, in a fresh profile. */
async function firstScreen(folder: string, button: string): Promise<number> {
  const data = await mkdtemp(join(tmpdir(), 'wellbench-bench-'));
  const before = performance.now();
  const host = spawn(process.execPath, [join(folder, 'main', 'serve.js'), '--port', '0'], {
    env: { ...process.env, WELLBENCH_KEYCHAIN: 'off', WELLBENCH_DATA_DIR: data },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const context = await browser.newContext();
  try {
    const [line] = (await once(createInterface(host.stdout), 'line')) as [string];
    const { url } = JSON.parse(line) as { url: string };
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'commit' });
    // Looked for in each frame: Playwright's own waiting looks again after half a second, and what came right after the
    // last look would be counted as that much later.
    await page.waitForFunction(canBePressed, button, { polling: 'raf' });
    const ms = performance.now() - before;
    await page.getByRole('button', { name: button }).click({ trial: true });
    return ms;
  } finally {
    await context.close();
    const gone = once(host, 'exit');
    host.kill();
    await gone;
    await rm(data, { recursive: true, force: true });
  }
}

/** In the page: whether the button with this text stands there, and nothing before it. */
function canBePressed(text: string): boolean {
  const button = [...document.querySelectorAll('button')].find((one) => one.textContent.trim() === text);
  if (!button || button.disabled) return false;
  const { x, y, width, height } = button.getBoundingClientRect();
  return button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}
