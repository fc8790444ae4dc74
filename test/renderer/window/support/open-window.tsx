import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RPCHandler } from '@orpc/server/message-port';
import { screen, waitFor, within } from '@testing-library/dom';
import { userEvent, type UserEvent } from '@testing-library/user-event';
import { createRoot } from 'react-dom/client';
import { expect } from 'vitest';
import { startDemo, type Demo, type DemoOptions } from '../../../../src/demo/index.ts';
import { createApp, type App as Application } from '../../../../src/main/app.ts';
import { errorInterceptors } from '../../../../src/main/call-errors.ts';
import { sourceAt } from '../../../../src/main/core/files/files.ts';
import { chooseInDataFolder } from '../../../../src/main/hosts/no-dialogs.ts';
import { portChannel } from '../../../../src/renderer/api/port.ts';
import { createReconnectingLink } from '../../../../src/renderer/api/reconnecting.ts';
import { App } from '../../../../src/renderer/app/app.tsx';
import { composeCommands } from '../../../../src/renderer/app/commands/compose-commands.ts';
import type { Commands } from '../../../../src/renderer/features/commands/commands.ts';
import type { Session } from '../../../../src/renderer/contexts.ts';
import { createLastConnection } from '../../../../src/renderer/features/connections/connections.ts';
import { openDataset } from '../../../../src/renderer/features/query/open-query.ts';
import { valueOr } from '../../../../src/renderer/state/loadable.ts';
import { compose } from '../../../../src/renderer/app/compose.ts';
import { words } from '../../../../src/renderer/words/words.ts';
import type { Dataset } from '../../../../src/shared/datasets/datasets.ts';
import type { ConnectionDraft } from '../../../../src/shared/connections/connections.ts';
import { actsOf, type Acts } from './acts.ts';
import { cleanups } from './cleanups.ts';

/** The window with its own application, in this process. */
export interface TestWindow extends Acts {
  readonly application: Application;
  readonly user: UserEvent;
  /** Two services of this window alone, accessed as remote ones, whose faults the test may set. */
  readonly demo: Demo;
  /** The text of a file that a link downloads. */
  readonly jobFile: (link: HTMLElement) => Promise<string>;
  /** The open connection in the window: its tabs and lists. @throws Error if none is open */
  readonly session: () => Session;
  /** The list of commands of the window. */
  readonly commands: () => Commands;
  /** Closes the page and opens it again. */
  readonly reload: () => Promise<void>;
  /** A dataset of the open connection, by its address. Waits until it is listed. */
  readonly datasetAt: (address: string) => Promise<Dataset>;
  /** Opens a query of a dataset in a tab that stays, as a double click in the list does. */
  readonly openDataset: (address: string) => Promise<void>;
}

/** Starts the two services on a free port; they are closed after the test. */
export async function openDemo(options: DemoOptions = {}): Promise<Demo> {
  const demo = await startDemo({ wells: 8, records: 600, ...options });
  cleanups.push(demo.close);
  return demo;
}

async function openApplication(): Promise<Application> {
  const folder = await mkdtemp(join(tmpdir(), 'wellbench-window-'));
  const application = await createApp({
    host: 'browser',
    fileMode: 'stream',
    dataFolder: join(folder, 'data'),
    env: {
      WELLBENCH_KEYCHAIN: 'off',
      WELLBENCH_SAMPLE_WELLS: '8',
      WELLBENCH_SAMPLE_RECORDS: '600',
      WELLBENCH_SAMPLE_LIVE: 'off',
    },
    choose: chooseInDataFolder(join(folder, 'data')),
  });
  // A file that is selected or dropped in the page is passed by its path, as by preload.
  const offerFile = async (file: File) => {
    const path = join(folder, file.name);
    await writeFile(path, new Uint8Array(await file.arrayBuffer()));
    return { ok: true, value: await application.files.grantSource(sourceAt(path)) };
  };
  Object.assign(window, { wellbench: { offerFile } });
  cleanups.push(async () => {
    await application.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  return application;
}

interface Page {
  /** The open connection in the window. @throws Error if none is open */
  readonly session: () => Session;
  readonly commands: Commands;
  readonly close: () => Promise<void>;
}

/** Draws the window. */
function openPage(application: Application): Page {
  const handler = new RPCHandler(application.router, errorInterceptors(application.log.fault));
  const ports: MessagePort[] = [];
  const openPort = () => {
    const { port1, port2 } = new MessageChannel();
    handler.upgrade(port2, { context: {} });
    port2.start();
    ports.push(port2);
    return port1;
  };
  const link = createReconnectingLink(async () => portChannel(openPort()));
  const parts = compose(link, async () => openPort());
  const page = new AbortController();
  parts.start(page.signal);
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  const commands = composeCommands(parts);
  root.render(<App parts={{ ...parts, commands }} />);
  const session = () => {
    const { current } = parts.sessions.getState();
    if (!current) throw new Error('no connection is open');
    return current;
  };
  const close = async () => {
    window.dispatchEvent(new Event('pagehide'));
    // Messages that the page sends as it closes still arrive.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await application.client.settings.get({});
    root.unmount();
    page.abort();
    link.close();
    for (const port of ports) port.close();
    document.body.replaceChildren();
  };
  return { session, commands, close };
}

interface Start {
  /** Adds the connection that was open in this window before. */
  readonly connect?: (application: Application, demo: Demo) => Promise<string>;
}

/** Opens the window on its start screen, or with the connection that was open in it. */
export async function openWindow(demo?: Demo, { connect }: Start = {}): Promise<TestWindow> {
  const services = demo ?? (await openDemo());
  const application = await openApplication();
  // Tests run a query explicitly when they need its result.
  await application.client.settings.change({ set: { runOnOpen: false, names: 'fields' } });
  if (connect) createLastConnection(sessionStorage).write(await connect(application, services));
  let page = openPage(application);
  cleanups.push(() => page.close());
  const user = userEvent.setup({ pointerEventsCheck: 0 });
  // A whole action settles before the next one: without a pause within it, the window is drawn once for it.
  const acts = actsOf(user);
  const datasetAt = async (address: string): Promise<Dataset> =>
    waitFor(() => {
      const listed = valueOr(page.session().datasets.store.getState().list, []);
      const dataset = listed.find(({ provider, dataset: name }) => `${provider}/${name}` === address);
      if (!dataset) throw new Error(`${address} isn’t listed`);
      return dataset;
    });
  return {
    ...acts,
    datasetAt,
    async openDataset(address) {
      const dataset = await datasetAt(address);
      await acts.openTab(() => void openDataset(page.session(), dataset));
      await acts.openText();
    },
    application,
    demo: services,
    user,
    session: () => page.session(),
    commands: () => page.commands,
    jobFile: (link) => {
      const token = /[^/]+$/.exec(link.getAttribute('href') ?? '')?.[0] ?? '';
      return readFile(application.files.source(token).path, 'utf8');
    },
    async reload() {
      await page.close();
      page = openPage(application);
    },
  };
}

/** The values of the connection form for a demo. */
export function addressOf(demo: Demo): Pick<ConnectionDraft, 'dataUrl' | 'platformUrl'> & { apiKey: string } {
  return { dataUrl: demo.dataUrl, platformUrl: demo.platformUrl, apiKey: demo.apiKeys.write };
}

/** Waits until this many wells are listed. */
export async function waitForWells(count: number): Promise<HTMLElement[]> {
  const rows = () => within(screen.getByRole('grid', { name: words.wells.heading })).getAllByRole('row');
  await expect.poll(rows).toHaveLength(count);
  return rows();
}

/** Opens the window with a connection to its services, and waits for the wells. */
export async function openConnected(
  demo?: Demo,
  more: Partial<ConnectionDraft> = {},
): Promise<TestWindow & { connection: string }> {
  let connection = '';
  const opened = await openWindow(demo, {
    async connect({ client }, { dataUrl, platformUrl, apiKeys }) {
      const { id } = await client.connections.add({
        name: 'Test bed',
        dataUrl,
        platformUrl,
        credential: { method: 'api_key', apiKey: apiKeys.write },
        ...more,
      });
      connection = id;
      return id;
    },
  });
  await screen.findByRole('grid', { name: words.wells.heading });
  return { ...opened, connection };
}
