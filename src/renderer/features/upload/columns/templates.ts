import { toAppError } from '../../../../shared/errors/errors.ts';
import { isRejectsHeader, originalHeader } from '../../../../shared/upload/rejects-header.ts';
import type { TemplateList, UploadTemplate } from '../../../../shared/upload/templates.ts';
import type { Mapping } from '../../../../shared/upload/upload.ts';
import { failed, loaded, loading } from '../../../state/loadable.ts';
import { isAssetPath, noChoices, type ColumnChoice, type MappingChoices } from './mapping-choices.ts';
import type { UploadNeeds, UploadStore, UploadTabState } from '../upload-state.ts';

/** A mapping without the asset that was given for all rows: the next file may be of another well. */
export function withoutAsset(mapping: Mapping): Mapping {
  const constants = Object.entries(mapping.constants).filter(([path]) => !isAssetPath(path));
  const { confirmedWells: _, ...others } = mapping;
  return { ...others, constants: Object.fromEntries(constants) };
}

/** The choices that a mapping came from, the well of all rows included. */
export function choicesOf(mapping: Mapping): MappingChoices {
  const constants = Object.entries(mapping.constants).map(([path, value]) => [path, String(value)] as const);
  const { confirmedWells } = mapping;
  return {
    ...choicesFrom(mapping, noChoices),
    constants: Object.fromEntries(constants),
    usesFileWells: true,
    ...(confirmedWells ? { confirmedWells } : {}),
  };
}

/** The choices that a kept mapping comes to; the asset of all rows stays as it is chosen for this file. */
export function choicesFrom(mapping: Mapping, now: MappingChoices): MappingChoices {
  const columns: Record<string, ColumnChoice> = { ...mapping.columns };
  for (const column of mapping.skip ?? []) columns[column] = { skip: true };
  const filled = new Set(Object.values(mapping.columns).map(({ to }) => to));
  const own = Object.entries(now.constants).filter(([path]) => isAssetPath(path) && !filled.has(path));
  const constants = Object.entries(mapping.constants).map(([path, value]) => [path, String(value)] as const);
  return {
    columns,
    constants: Object.fromEntries([...constants, ...own]),
    nulls: (mapping.nulls ?? []).join(', '),
    ...(mapping.keepAsText ? { keepAsText: mapping.keepAsText } : {}),
    ...(mapping.exceptionShare === undefined ? {} : { exceptionShare: mapping.exceptionShare }),
  };
}

/** What a mapping calls the columns of the file at hand; of a file of rejected rows, those of the original. */
export const headerOf = ({ preview }: Pick<UploadTabState, 'preview'>): string[] =>
  preview.status === 'loaded' ? originalHeader(preview.value.columns.map(({ key }) => key)) : [];

/** Whether a template is for files with this header. */
export const isFor = (header: readonly string[], template: Pick<UploadTemplate, 'header'>): boolean =>
  header.length > 0 && JSON.stringify(template.header) === JSON.stringify(header);

/**
 * The mappings that are kept for files with the same header.
 * @param mapping what the choices come to now
 */
export function createTemplates(
  store: UploadStore,
  { api, findDataset }: Pick<UploadNeeds, 'api' | 'findDataset'>,
  mapping: () => Mapping,
) {
  async function ask(call: () => Promise<TemplateList>): Promise<void> {
    try {
      store.setState({ templates: loaded(await call()) });
    } catch (error) {
      store.setState({ templates: failed(toAppError(error)) });
    }
  }
  return {
    /**
     * Restores what was chosen for the upload whose rejected rows the file holds. Where that upload can't be found, or
     * something was chosen already, everything stays as it is.
     */
    async restoreOrigin(): Promise<void> {
      const { file, preview, reading, choices } = store.getState();
      if (file.status !== 'granted' || preview.status !== 'loaded') return;
      if (!isRejectsHeader(preview.value.columns.map(({ key }) => key))) return;
      try {
        const origin = await api.upload.origin({ source: file.file.token, reading });
        if (!origin) return;
        const dataset = await findDataset(origin);
        const now = store.getState();
        // Another file was taken meanwhile, or the person was quicker.
        if (now.file !== file || now.choices !== choices) return;
        const restored = origin.mapping ? { choices: choicesOf(origin.mapping) } : {};
        store.setState({ origin, dataset, existing: origin.existing, ...restored });
      } catch {
        // It is a convenience: without it the columns are mapped as those of any file.
      }
    },
    async load() {
      if (store.getState().templates.status === 'loaded') return;
      store.setState({ templates: loading });
      await ask(() => api.upload.templates({}));
    },
    /** Keeps the mapping as it is now, under a name; under that of another for this header in its place. */
    async keep(name: string) {
      const { templates } = store.getState();
      const header = headerOf(store.getState());
      const all = templates.status === 'loaded' ? templates.value.templates : [];
      const same = all.find((each) => each.name === name.trim() && isFor(header, each));
      const id = same?.id ?? crypto.randomUUID();
      await ask(() => api.upload.keepTemplate({ id, name, header, mapping: withoutAsset(mapping()) }));
    },
    rename: (template: UploadTemplate, name: string) =>
      ask(() => api.upload.keepTemplate({ ...template, name })),
    remove: (id: string) => ask(() => api.upload.removeTemplate({ id })),
  };
}
