import { nullsOf } from '../../shared/null-tokens.ts';
import { resolve } from 'node:path';
import type { calls } from '../../shared/contract.ts';
import type { WellColumn } from '../../shared/upload-wells.ts';
import type { Files } from '../files/files.ts';
import type { RoomHandlers } from '../handlers.ts';
import type { Services } from '../services/services.ts';
import type { OpenCsvThread } from './csv-client.ts';
import { assetColumns, wellNames } from './mapping/assets.ts';
import { scanFileAlone } from './scan-file.ts';

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
      const wanted = assetColumns(mapping);
      if (wanted.length === 0) return [];
      const { platform } = connections.services(connection);
      const source = files.source(token);
      const nulls = nullsOf(mapping);
      const { distinct } = await scanFileAlone(
        {
          path: resolve(source.path),
          fileName: source.name,
          reading,
          nulls,
          distinct: wanted.map(({ column }) => column),
        },
        openThread,
        signal,
      );
      const columns: WellColumn[] = [];
      for (const each of wanted) {
        const values = distinct[each.column] ?? new Map<string, number>();
        columns.push({
          column: each.column,
          names: await wellNames(platform, each, values, nulls, { signal }),
        });
      }
      return columns;
    },
  };
}
