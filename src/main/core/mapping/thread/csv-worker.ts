import { parentPort } from 'node:worker_threads';
import { nodePort, serve } from '../../../../shared/threads.ts';
import { appErrorFrom } from '../../files/file-errors.ts';
import { createCsvService } from './csv-service.ts';

if (parentPort) serve(nodePort(parentPort), createCsvService(), appErrorFrom);
