import { Worker } from 'node:worker_threads';
import { AppError } from '../../../shared/errors/errors.ts';
import type { FileFormat } from '../../../shared/upload/formats.ts';
import { nodePort, openThread } from '../../../shared/threads.ts';
import type { Thread } from '../../../shared/threads.ts';
import { workerUrl } from '../../workers.ts';
import type { ConversionCalls } from './conversion-service.ts';

/** A worker thread that converts one file. */
export type ConversionThread = Pick<Thread<ConversionCalls>, 'calls' | 'close'>;

/** Opens a thread for a file of a format. */
export type OpenConversionThread = (format: FileFormat) => ConversionThread;

const youngMegabytes = 32;
/** Maximum heap of a thread, in megabytes. Old workbooks are read whole; all other formats stream. */
const maxMegabytes = (format: FileFormat): number => (format === 'xls' ? 1024 : 218);

/** Opens the worker thread. Its memory is limited, so that a hostile file ends the thread and not the application. */
export const openConversionThread: OpenConversionThread = (format) =>
  openThread<ConversionCalls>(() =>
    nodePort(
      new Worker(workerUrl('conversion'), {
        resourceLimits: {
          maxOldGenerationSizeMb: maxMegabytes(format),
          maxYoungGenerationSizeMb: youngMegabytes,
        },
      }),
    ),
  );

/** An error of the thread as a message: running out of memory is attributed to the file. */
export function conversionError(error: AppError, file: string, format: FileFormat): AppError {
  if (!error.is('internal') || !/memory limit|out of memory/i.test(error.details.problem)) return error;
  const reason = `reading it takes more than ${maxMegabytes(format) + youngMegabytes} MB of memory`;
  return new AppError('file_unsuitable', { file, reason }, { cause: error });
}
