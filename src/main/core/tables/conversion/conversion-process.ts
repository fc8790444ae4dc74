import { serve } from '../../../../shared/threads.ts';
import { appErrorFrom } from '../../files/file-errors.ts';
import { parentProcess } from '../../processes/parent-port.ts';
import { createConversionService } from './convert-file.ts';
import { maxProcessMb } from './converted-table.ts';
import { setInterval } from '../../../world/time.ts';

// The process that converts a Parquet file. A crash of its reader, which is native code, ends this process and nothing
// else, and so does a file whose values fill the memory, which the reader's own limit doesn't count.

const checkEveryMs = 100;

setInterval(() => {
  if (process.memoryUsage.rss() > maxProcessMb << 20) process.kill(process.pid, 'SIGKILL');
}, checkEveryMs).unref();

serve(parentProcess(), createConversionService(), appErrorFrom);
