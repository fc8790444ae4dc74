import type { Connection } from '../../shared/connections/connections.ts';
import { AppError } from '../../shared/errors/errors.ts';
import { memorySlot } from './slots.ts';
import type { ConnectionBook, Entry, Facts } from './book.ts';
import { freeName } from './names.ts';
import type { OpenDemo } from './sample.ts';

export const sampleId = 'sample';

/** The sample workspace: started once, used again while it lives. */
export function createSample(
  book: ConnectionBook,
  entryOf: (facts: Facts, slot: NonNullable<Entry['slot']>) => Entry,
  openDemo: () => Promise<OpenDemo>,
) {
  let demo: Promise<OpenDemo> | null = null;

  async function opened(): Promise<Connection> {
    const running = await demo?.catch(() => null);
    if (running?.alive() && book.has(sampleId)) return connectionOf(sampleId);
    demo = running?.alive() ? demo : openDemo();
    if (!demo) throw new AppError('internal', { problem: 'the sample workspace is gone' });
    const { dataUrl, platformUrl, apiKey } = await demo;
    const facts: Facts = {
      id: sampleId,
      name: freeName(
        'Sample workspace',
        book.list().filter(({ id }) => id !== sampleId),
      ),
      color: 'green',
      dataUrl,
      platformUrl,
      method: 'api_key',
      readOnly: false,
      sample: true,
      authorities: [],
      saved: false,
    };
    const slot = memorySlot(sampleId);
    await slot.write({ method: 'api_key', apiKey });
    return book.put(entryOf(facts, slot));
  }
  function connectionOf(id: string): Connection {
    const found = book.list().find((one) => one.id === id);
    if (!found) throw new AppError('connection_unknown', { connection: id });
    return found;
  }
  let opening: Promise<Connection> | null = null;
  return {
    open(): Promise<Connection> {
      opening ??= opened().finally(() => {
        opening = null;
      });
      return opening;
    },
    async close(): Promise<void> {
      const running = await demo?.catch(() => null);
      demo = null;
      await running?.close();
    },
  };
}
