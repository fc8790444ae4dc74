import { openCsvThread } from './csv-client.ts';
import type { OpenCsvThread } from './csv-client.ts';
import type { Scan, ScanRequest } from './reading/scan.ts';

/**
 * Reads the whole file once in a worker thread of its own.
 * @throws AppError file_unreadable, file_unsuitable, invalid_input
 */
export async function scanFile(
  request: ScanRequest,
  openThread: OpenCsvThread = openCsvThread,
  signal?: AbortSignal,
): Promise<Scan> {
  const thread = openThread(signal);
  try {
    return await thread.call('scan', request);
  } finally {
    await thread.close();
  }
}
