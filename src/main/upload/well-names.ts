import { nullsOf } from '../../shared/upload/null-tokens.ts';
import { resolve } from 'node:path';
import type { calls } from '../../shared/contract/contract.ts';
import type { Files } from '../files/files.ts';
import type { RoomHandlers } from '../handlers.ts';
import type { Services } from '../services/services.ts';
import type { OpenCsvThread } from './thread/csv-client.ts';
import { assetColumns } from './mapping/assets.ts';
import { wellsOfFile } from './mapping/file-wells.ts';
import { firstLines, scanFileAlone } from './scan-file.ts';

export interface WellNamesDependencies {
  readonly connections: { services(connectionId: string): Services };
  readonly files: Pick<Files, 'source'>;
  readonly openThread?: OpenCsvThread;
}

/** The wells that a file names, looked for before anything is sent, so that a person can settle the doubtful ones. */
export function createWellNames({
  connections,
  files,
  openThread,
}: WellNamesDependencies): Pick<RoomHandlers<(typeof calls)['upload']>, 'wells'> {
  return {
    async wells({ connection, source: token, reading, mapping }, { signal }) {
      const { platform } = connections.services(connection);
      const source = files.source(token);
      const file = { path: resolve(source.path), fileName: source.name };
      const distinct = assetColumns(mapping).map(({ column }) => column);
      const scan = await scanFileAlone(
        { ...file, reading, nulls: nullsOf(mapping), distinct },
        openThread,
        signal,
      );
      const lines = await firstLines(file, reading, scan.layout, openThread, signal);
      return wellsOfFile(platform, mapping, scan, lines, { signal });
    },
  };
}
