import type { calls } from '../../../shared/contract/contract.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import {
  maxTemplates,
  uploadTemplate,
  type UploadTemplate,
  lastMapping,
  type LastMapping,
} from '../../../shared/upload/templates.ts';
import { listReader, openSharedFile } from '../../core/files/shared-file.ts';
import type { ModuleHandlers } from '../../core/handlers.ts';

/** The format of both files. */
const format = 1;

export type TemplateCalls = 'templates' | 'keepTemplate' | 'removeTemplate';

/** The user's saved mappings: `<data>/upload-templates.json`. */
export function createTemplates(
  dataFolder: string,
  warn: (sentence: string) => void,
): Pick<ModuleHandlers<(typeof calls)['upload']>, TemplateCalls> {
  const { locked, write, takeProblem } = openSharedFile({
    dataFolder,
    name: 'upload-templates',
    format,
    nothing: [],
    read: listReader('templates', uploadTemplate),
    what: 'templates of uploads',
    warn,
  });
  const answer = (templates: UploadTemplate[]) => ({
    templates: templates.toSorted((a, b) => a.name.localeCompare(b.name)),
    problem: takeProblem(),
  });
  const change = (edit: (now: UploadTemplate[]) => UploadTemplate[]) =>
    locked(async (now) => {
      const templates = edit(now);
      if (templates.length > maxTemplates)
        throw invalidInput(`No more than ${maxTemplates} templates can be stored. Remove some first.`);
      await write({ templates });
      return answer(templates);
    });

  return {
    templates: () => locked(async (now) => answer(now)),
    keepTemplate: (template) => change((now) => [...now.filter(({ id }) => id !== template.id), template]),
    removeTemplate: ({ id }) => change((now) => now.filter((template) => template.id !== id)),
  };
}

/** Maximum number of stored mappings; the oldest is dropped. */
const maxMappings = 100;

/** The mappings of the last uploads, one for each header, type of dataset, and connection: `<data>/last-mappings.json`. */
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
    lastMapping: (wanted) =>
      locked(async (now) => {
        const mappings = now.filter((storedMapping) => keyOf(storedMapping) === keyOf(wanted));
        return mappings.find(({ connection }) => connection === wanted.connection) ?? mappings[0] ?? null;
      }),
    keepLastMapping: (mapping) =>
      locked(async (now) => {
        const otherMappings = now.filter(
          (storedMapping) =>
            keyOf(storedMapping) !== keyOf(mapping) || storedMapping.connection !== mapping.connection,
        );
        await write({ mappings: [mapping, ...otherMappings].slice(0, maxMappings) });
        return {};
      }),
  };
}
