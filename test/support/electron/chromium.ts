import { spawn, type ChildProcess } from 'node:child_process';
import { Connection } from './cdp.ts';

const switches = [
  '--headless=new',
  '--remote-debugging-port=0',
  // The pipe carries no data; when this process ends in any way, it closes, and Chromium ends too.
  '--remote-debugging-pipe',
  '--no-startup-window',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-search-engine-choice-screen',
  '--disable-features=Translate,OptimizationHints,MediaRouter',
  // Electron adds the `close` event of message ports to its Blink; Chromium has it, disabled.
  '--enable-blink-features=MessagePortCloseEvent',
  '--password-store=basic',
  '--use-mock-keychain',
  // No host name is resolved and no other machine is reached, whatever a page tries.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
];

export interface Chromium {
  readonly process: ChildProcess;
  /** The address for a test's own driver. */
  readonly endpoint: string;
  readonly connection: Connection;
}

/** Starts the Chromium for pages of the stand-in: on Linux without a sandbox, which not every system allows. */
export async function startChromium(profile: string): Promise<Chromium> {
  const program = process.env['WELLBENCH_CHROMIUM'] ?? '/usr/bin/chromium';
  const unsandboxed = process.platform === 'linux' ? ['--no-sandbox'] : [];
  const child = spawn(program, [...switches, ...unsandboxed, `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  const endpoint = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`Chromium ended at once with code ${code}`)));
    let output = '';
    child.stderr?.on('data', (part: Buffer) => {
      output += part.toString();
      const found = /DevTools listening on (ws:\S+)\s/.exec(output)?.[1];
      if (found) resolve(found);
      output = output.slice(-1000);
    });
  });
  return { process: child, endpoint, connection: await Connection.open(endpoint) };
}
