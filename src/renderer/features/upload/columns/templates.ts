import type { StoreApi } from 'zustand/vanilla';
import { toAppError } from '../../../../shared/errors/errors.ts';
import { originalHeader } from '../../../../shared/upload/rejects-header.ts';
import type { TemplateList, UploadTemplate } from '../../../../shared/upload/templates.ts';
import type { Mapping } from '../../../../shared/upload/upload.ts';
import type { Api } from '../../../api/api.ts';
import { failed, full, loading } from '../../../state/loadable.ts';
import { noChoices, type ColumnChoice, type MappingChoices } from './mapping-choices.ts';
import type { UploadTabState } from '../upload-state.ts';

/** Mappings that are kept for files with the same header. */
export interface Templates {
  readonly load: () => Promise<void>;
  /** Keeps the mapping as it is now, under a name; under that of another for this header in its place. */
  readonly keep: (name: string) => Promise<void>;
  readonly rename: (template: UploadTemplate, name: string) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
  readonly use: (template: UploadTemplate) => void;
}

export interface TemplatesNeeds {
  readonly store: StoreApi<UploadTabState>;
  readonly api: Pick<Api['upload'], 'templates' | 'keepTemplate' | 'removeTemplate'>;
  readonly mapping: () => Mapping;
  readonly change: (choices: MappingChoices) => void;
}

const assets = new Set(['asset_id', 'metadata.asset_id']);

/** A mapping without the asset that was given for all rows: the next file may be of another well. */
export function withoutAsset(mapping: Mapping): Mapping {
  const constants = Object.entries(mapping.constants).filter(([path]) => !assets.has(path));
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
  const own = Object.entries(now.constants).filter(([path]) => assets.has(path) && !filled.has(path));
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
  preview.face === 'full' ? originalHeader(preview.value.columns.map(({ key }) => key)) : [];

/** Whether a template is for files with this header. */
export const isFor = (header: readonly string[], template: Pick<UploadTemplate, 'header'>): boolean =>
  header.length > 0 && JSON.stringify(template.header) === JSON.stringify(header);

export function createTemplates({ store, api, mapping, change }: TemplatesNeeds): Templates {
  async function ask(call: () => Promise<TemplateList>): Promise<void> {
    try {
      store.setState({ templates: full(await call()) });
    } catch (error) {
      store.setState({ templates: failed(toAppError(error)) });
    }
  }
  return {
    async load() {
      if (store.getState().templates.face === 'full') return;
      store.setState({ templates: loading });
      await ask(() => api.templates({}));
    },
    async keep(name) {
      const { templates } = store.getState();
      const header = headerOf(store.getState());
      const known = templates.face === 'full' ? templates.value.templates : [];
      const same = known.find((each) => each.name === name.trim() && isFor(header, each));
      const id = same?.id ?? crypto.randomUUID();
      await ask(() => api.keepTemplate({ id, name, header, mapping: withoutAsset(mapping()) }));
    },
    rename: (template, name) => ask(() => api.keepTemplate({ ...template, name })),
    remove: (id) => ask(() => api.removeTemplate({ id })),
    use: (template) => change(choicesFrom(template.mapping, store.getState().choices)),
  };
}
