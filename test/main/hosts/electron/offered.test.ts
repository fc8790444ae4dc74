import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFiles } from '../../../../src/main/files/files.ts';
import { acceptOffers } from '../../../../src/main/hosts/electron/offered.ts';
import type { OfferOptions } from '../../../../src/main/hosts/electron/offered.ts';
import { channels } from '../../../../src/shared/bridge.ts';
import { useFolders } from '../../../support/folders.ts';

describe('a file that is dropped on the window', () => {
  const folder = useFolders();

  function start() {
    const files = createFiles();
    const logged: string[] = [];
    const handlers = new Map<string, Parameters<OfferOptions['ipc']['handle']>[1]>();
    acceptOffers({
      ipc: { handle: (channel, listener) => void handlers.set(channel, listener) },
      isOwn: ({ sender }) => sender.id === 1,
      files,
      log: (sentence) => logged.push(sentence),
    });
    const offer = async (path: unknown, id = 1) =>
      handlers.get(channels.offer)?.({ sender: { id }, senderFrame: null }, path);
    return { offer, files, logged };
  }

  it('is read where it stands, and the window gets a token without its path', async () => {
    const { offer, files } = start();
    const home = await folder();
    const path = join(home, 'Brønn 7.csv');
    await writeFile(path, 'a,b\n1,2\n');
    const offered = await offer(path);
    expect(offered).toMatchObject({ ok: true, value: { name: 'Brønn 7.csv', bytes: 8 } });
    expect(JSON.stringify(offered)).not.toContain(home);
    if (!offered?.ok) throw new Error('refused');
    expect(files.source(offered.value.token)).toEqual({ place: 'path', path, name: 'Brønn 7.csv' });
  });

  it.each([
    ['a folder', (home: string) => home, 'it is a folder'],
    ['a file that is gone', (home: string) => join(home, 'gone.csv'), 'it is not there'],
    ['a file that the page made up', () => '', 'it was not dropped or picked in this window'],
    ['a relative path', () => 'survey.csv', 'it was not dropped or picked in this window'],
    ['something else', () => ({ path: '/etc/passwd' }), 'it was not dropped or picked in this window'],
  ])('is refused when it is %s, without its path', async (_name, pathIn, reason) => {
    const { offer } = start();
    const home = await folder();
    await mkdir(join(home, 'inner'));
    const offered = await offer(pathIn(join(home, 'inner')));
    expect(offered).toMatchObject({ ok: false, error: { code: 'file_unreadable', details: { reason } } });
    expect(JSON.stringify(offered)).not.toContain(home);
  });

  it('is refused and logged when a foreign sender offers it', async () => {
    const { offer, logged } = start();
    expect(await offer(import.meta.filename, 2)).toMatchObject({ ok: false, error: { code: 'internal' } });
    expect(logged).toHaveLength(1);
  });
});
