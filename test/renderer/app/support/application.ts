import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { startDemo } from '../../../../src/demo/index.ts';
import { createApp, type App } from '../../../../src/main/app.ts';
import { noDialogs } from '../../../../src/main/hosts/no-dialogs.ts';

/** Creates an application with a connection to two small services; all are closed after the test. */
export function useApplication(): () => Promise<{ application: App; connection: string }> {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  return async () => {
    const demo = await startDemo({ wells: 4, records: 600 });
    closing.push(demo.close);
    const dataFolder = await mkdtemp(join(tmpdir(), 'wellbench-session-'));
    closing.push(() => rm(dataFolder, { recursive: true, force: true, maxRetries: 3 }));
    const application = await createApp({
      host: 'browser',
      fileMode: 'stream',
      dataFolder,
      env: { WELLBENCH_KEYCHAIN: 'off' },
      choose: () => noDialogs,
    });
    closing.push(() => application.close());
    const { id: connection } = await application.client.connections.add({
      name: 'Test bed',
      dataUrl: demo.dataUrl,
      platformUrl: demo.platformUrl,
      credential: { method: 'api_key', apiKey: demo.apiKeys.write },
    });
    return { application, connection };
  };
}
