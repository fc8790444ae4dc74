import type { calls } from '../../../shared/contract/contract.ts';
import { lastMapping, type LastMapping } from '../../../shared/upload/templates.ts';
import { listReader, openSharedFile } from '../../core/files/shared-file.ts';
import type { ModuleHandlers } from '../../core/handlers.ts';

/** The format of the file. */
const format = 1;
/** Maximum number of stored mappings; the oldest is dropped. */
const maxMappings = 100;

/** The mappings of the last uploads, one for each header and type of dataset: `<data>/last-mappings.json`. */
export function createLastMappings(
  dataFolder: string,
  warn: (sentence: string) => void,
): Pick<ModuleHandlers<(typeof calls)['upload']>, 'lastMapping' | 'keepLastMapping'> {
  const { locked, write } = openSharedFile({
    dataFolder,
    name: 'last-mappings',
    format,
    nothing: [],
    read: listReader('mappings', lastMapping),
    what: 'mappings of uploads',
    warn,
  });
  const keyOf = ({ header, type }: Pick<LastMapping, 'header' | 'type'>) => JSON.stringify([type, header]);
  return {
    lastMapping: (wanted) => locked(async (now) => now.find((each) => keyOf(each) === keyOf(wanted)) ?? null),
    keepLastMapping: (mapping) =>
      locked(async (now) => {
        const others = now.filter((each) => keyOf(each) !== keyOf(mapping));
        await write({ mappings: [mapping, ...others].slice(0, maxMappings) });
        return {};
      }),
  };
}
