import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  diagnosticsText,
  type DiagnosticsDependencies,
} from '../../../../src/main/features/workspace/workspace.ts';
import { createLogger } from '../../../../src/main/core/logger.ts';
import type { Connection } from '../../../../src/shared/connections/connections.ts';
import { useFolders } from '../../../support/folders.ts';

const folders = useFolders();
const secret = 'a-secret-of-the-person';
const connection: Connection = {
  id: 'c1',
  name: 'North Ridge',
  color: 'blue',
  dataUrl: 'https://data.company.example',
  platformUrl: 'https://api.company.example',
  method: 'api_key',
  secret: 'keychain',
  readOnly: true,
  sample: false,
};

async function needs(more: Partial<DiagnosticsDependencies> = {}): Promise<DiagnosticsDependencies> {
  const dataFolder = await folders();
  const log = createLogger({ folder: join(dataFolder, 'logs'), secrets: () => [secret] });
  log.warn('Before the rest.');
  for (let n = 0; n < 250; n += 1) log.info(`Line ${n}.`);
  log.info(`It lies in ${join(dataFolder, 'jobs')} of ${join(homedir(), 'x')}.`);
  return {
    about: { version: '1.2.3', host: 'electron', files: 'dialog', endsWithWindow: true },
    dataFolder,
    settings: async () => ({ values: { theme: 'dark' }, shortcuts: {} }),
    connections: async () => [connection, { ...connection, id: 'c2' }],
    jobs: async () => ({
      jobs: [
        { kind: 'export', state: 'done' },
        { kind: 'upload', state: 'failed' },
      ],
      older: 7,
    }),
    clean: log.clean,
    ...more,
  };
}

it('diagnostics contain versions, system, settings, kinds of connections and jobs, and the end of the log', async () => {
  const options = await needs();
  await mkdir(join(options.dataFolder, 'crashes', 'pending'), { recursive: true });
  await writeFile(join(options.dataFolder, 'crashes', 'pending', 'a.dmp'), '');
  const text = await diagnosticsText(options);
  for (const part of [
    'Wellbench: 1.2.3 (electron)',
    `Node: ${process.versions.node}`,
    'Settings: {"values":{"theme":"dark"},"shortcuts":{}}',
    'Connections: 2 api_key, secret: keychain, read only',
    'Jobs: 1 export done, 1 upload failed; older: 7',
    'Crash dumps: 1',
    'Line 249.',
  ])
    expect(text).toContain(part);
  expect(text).not.toContain('Line 50.');
});

it('diagnostics contain no secret, name, address, or folder of the user', async () => {
  const options = await needs();
  // A line that an older version wrote, before a secret was recognized as one.
  await writeFile(
    join(options.dataFolder, 'logs', 'wellbench.log'),
    `x ${secret} API 0123456789abcdef lies in ${join(options.dataFolder, 'jobs')} of ${join(homedir(), 'x')}\n`,
  );
  const text = await diagnosticsText(options);
  expect(text).toContain(`<data folder>`);
  expect(text).toContain(`<home folder>`);
  for (const hidden of [secret, '0123456789abcdef', options.dataFolder, 'North Ridge', 'company.example'])
    expect(text).not.toContain(hidden);
});

it('diagnostics report what is unavailable, and include the rest', async () => {
  const text = await diagnosticsText(
    await needs({ connections: () => Promise.reject(new TypeError(`no ${secret}`)) }),
  );
  expect(text).toContain('Connections: could not be read (TypeError)');
  expect(text).toContain('Jobs: 1 export done');
});
