import type { calls } from '../../../shared/contract/contract.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import type { Handler } from '../handlers.ts';
import type { FileToken } from '../../../shared/files/files.ts';
import type { Files } from './files.ts';
import { openOutput, type OpenOutput } from './output-file.ts';

/**
 * Writes content of the window, such as the image of a plot, to a selected target, in pieces. The target has the content
 * when the last piece is written; pieces of a window that is gone are removed when the process ends.
 * @throws AppError `invalid_input` for an invalid token, `file_exists`, `disk_full`, `file_unwritable`
 */
export function createWrite(files: Pick<Files, 'target' | 'endTarget'>): {
  readonly write: Handler<(typeof calls)['files']['write']>;
  /** Removes the incomplete files. */
  close(): Promise<void>;
} {
  const opened = new Map<FileToken, OpenOutput>();
  async function discard(token: FileToken): Promise<void> {
    const output = opened.get(token);
    opened.delete(token);
    await output?.discard();
  }
  return {
    async write({ token, base64, more, last }) {
      const target = files.target(token);
      if (target.place !== 'path') throw invalidInput('Here the page saves its files itself.');
      if (!more) await discard(token);
      const output = opened.get(token) ?? (more ? null : await openOutput(target));
      if (!output) throw invalidInput('The earlier pieces of the file are gone. Save it again.');
      opened.set(token, output);
      try {
        await output.append(Buffer.from(base64, 'base64'));
        if (!last) return {};
        await output.complete();
        await output.publish();
      } catch (error) {
        await discard(token);
        throw error;
      }
      opened.delete(token);
      files.endTarget(token);
      return {};
    },
    async close() {
      await Promise.all([...opened.keys()].map(discard));
    },
  };
}
