import {
  type DatasetType,
  datasetShapes,
  isAssetPath,
  scopeField,
} from '../../../../shared/datasets/datasets.ts';
import { toAppError } from '../../../../shared/errors/errors.ts';
import {
  matchesHeader,
  isRejectsHeader,
  originalHeader,
  type TemplateList,
  type UploadTemplate,
} from '../../../../shared/upload/templates.ts';
import { withUnitsOfFile } from '../../../../shared/upload/units.ts';
import type { Mapping } from '../../../../shared/upload/upload.ts';
import { failed, loaded, loading, valueOr } from '../../../state/loadable.ts';
import { noChoices, type ColumnChoice, type MappingChoices } from './mapping-choices.ts';
import { fileName, type UploadDependencies, type UploadStore, type UploadTabState } from '../upload-state.ts';
import { withoutWells } from '../wells/file-wells.ts';
import { expandTabs, readingOfOther } from '../../../../shared/upload/formats.ts';
import type { RawLine } from '../../../../shared/upload/preview.ts';
import type { FormatOptions } from '../file/format-options.ts';
import { uploadWords } from '../../../words/upload.ts';

const w = uploadWords.templates;

/** The choices that apply to other files: without the wells of this one, and the columns that are skipped only because they are empty in it. */
export function choicesForOtherFiles(choices: MappingChoices): MappingChoices {
  const { confirmedWells: _, withoutWell: __, ...otherChoices } = choices;
  const columns = Object.entries(choices.columns).filter(([, { isEmpty = false }]) => !isEmpty);
  const constants = Object.entries(choices.constants).filter(([path]) => !isAssetPath(path));
  return {
    ...otherChoices,
    columns: Object.fromEntries(columns),
    constants: Object.fromEntries(constants),
  };
}

/**
 * A stored mapping for files of a connection. Wells and companies have other ids in another one: there, without those
 * that it has.
 */
export function mappingFor(
  connection: string,
  { connection: from, mapping }: Pick<UploadTemplate, 'connection' | 'mapping'>,
): Mapping {
  if (from === connection) return mapping;
  const { columns, constants, confirmedWells: _, withoutWell: __, ...otherMapping } = mapping;
  const otherConstants = Object.entries(constants).filter(([path]) => !scopeField.safeParse(path).success);
  return {
    ...otherMapping,
    columns: Object.fromEntries(
      Object.entries(columns).map(([name, column]) => [name, withoutWells(column)]),
    ),
    constants: Object.fromEntries(otherConstants),
  };
}

/** The choices of a mapping, including its constant well. */
export function choicesOf(mapping: Mapping): MappingChoices {
  const { confirmedWells, withoutWell } = mapping;
  return { ...choicesFrom(mapping, noChoices), usesFileWells: true, confirmedWells, withoutWell };
}

/** The choices of a template; the constant asset of this file stays. */
export function choicesFrom(mapping: Mapping, now: MappingChoices): MappingChoices {
  const { skip = [], rest: _, confirmedWells: __, withoutWell: ___, ...otherMapping } = mapping;
  const columns: Record<string, ColumnChoice> = { ...mapping.columns };
  for (const column of skip) columns[column] = { skip: true };
  const filled = new Set(Object.values(mapping.columns).map(({ to }) => to));
  const wells = Object.entries(now.constants).filter(([path]) => isAssetPath(path) && !filled.has(path));
  const constants = { ...mapping.constants, ...Object.fromEntries(wells) };
  return { ...otherMapping, columns, constants, nulls: mapping.nulls ?? [] };
}

/** The units of a file's columns by their keys, as far as the file says them. */
const unitsOfFile = ({ preview }: Pick<UploadTabState, 'preview'>): ReadonlyMap<string, string | null> =>
  new Map(preview.status === 'loaded' ? preview.value.columns.map(({ key, unit }) => [key, unit]) : []);

/** The choices of the mapping of an earlier file, with the units of this one. @param connection that of this file */
export function choicesInUnits(
  template: Pick<UploadTemplate, 'header' | 'units' | 'connection' | 'mapping'>,
  state: Pick<UploadTabState, 'preview' | 'choices' | 'proposedNulls'>,
  connection: string,
): Pick<UploadTabState, 'choices' | 'unitDifferences'> {
  const usedMapping = mappingFor(connection, template);
  const { mapping, differences } = withUnitsOfFile({ ...template, mapping: usedMapping }, unitsOfFile(state));
  const choices = choicesFrom(mapping, state.choices);
  // Those that the user declined for this file stay declined.
  const proposed = state.proposedNulls.filter((token) => state.choices.nulls.includes(token));
  const nulls = [...new Set([...choices.nulls, ...proposed])];
  return { choices: { ...choices, nulls }, unitDifferences: differences };
}

/** The units of the columns of {@link headerOf}. */
const unitsInOrder = (state: Pick<UploadTabState, 'preview'>): (string | null)[] => {
  const units = unitsOfFile(state);
  return headerOf(state).map((key) => units.get(key) ?? null);
};

/** Whether the columns that two files have in common are in the same units. */
export function hasSameUnits(
  a: Pick<UploadTabState, 'preview'>,
  other: Pick<UploadTabState, 'preview'>,
): boolean {
  const units = unitsOfFile(other);
  return [...unitsOfFile(a)].every(([column, unit]) => !units.has(column) || units.get(column) === unit);
}

const indexPaths = Object.values(datasetShapes).map(({ indexField }) => indexField);

/** Whether a template doesn't order records by a field of other types, such as time in a dataset of depths. */
const isForType = ({ mapping: { columns, constants } }: UploadTemplate, type: DatasetType): boolean =>
  [...Object.values(columns).map(({ to }) => to), ...Object.keys(constants)].every(
    (path) => path === datasetShapes[type].indexField || !indexPaths.some((other) => other === path),
  );

/** The stored templates, which other windows change too. */
function createTemplateList(store: UploadStore, { api }: Pick<UploadDependencies, 'api'>) {
  let last: Promise<void> = Promise.resolve();
  /** In order, so that the list is that of the last answer. */
  function request(call: () => Promise<TemplateList>): Promise<void> {
    last = last.then(async () => {
      try {
        store.setState({ templates: loaded(await call()) });
      } catch (error) {
        store.setState({ templates: failed(toAppError(error)) });
      }
    });
    return last;
  }
  function load(): Promise<void> {
    if (store.getState().templates.status !== 'loaded') store.setState({ templates: loading });
    return request(async () => {
      const list = await api.upload.templates({});
      const before = valueOr(store.getState().templates, null)?.problem ?? null;
      // Damage is reported once, to the first reader.
      return { ...list, problem: list.problem ?? (before === w.wasRemoved ? null : before) };
    });
  }
  /** The templates as they are now; empty: they can't be read. */
  async function current(): Promise<readonly UploadTemplate[]> {
    await load();
    return valueOr(store.getState().templates, null)?.templates ?? [];
  }
  return { request, load, current };
}

/** Templates for files with the same header. @param mapping that of {@link choicesForOtherFiles} */
export function createTemplates(
  store: UploadStore,
  { api, connection }: Pick<UploadDependencies, 'api' | 'connection'>,
  mapping: () => Mapping,
) {
  const { request, load, current: currentTemplates } = createTemplateList(store, { api });
  /** The template for a header and a type of dataset; null: none, or several, of which the user selects one. */
  async function onlyTemplate(header: readonly string[], type: DatasetType): Promise<UploadTemplate | null> {
    const all = await currentTemplates();
    const [only = null, ...otherTemplates] = all.filter(
      (template) => matchesHeader(header, template) && isForType(template, type),
    );
    return otherTemplates.length === 0 ? only : null;
  }
  return {
    only: onlyTemplate,
    /** Stores the mapping for the next file with this header. It is a convenience: a failure changes nothing. */
    async keepLast(): Promise<void> {
      const { dataset } = store.getState();
      const header = headerOf(store.getState());
      const type = dataset?.type ?? null;
      // The mapping of rejected rows has what was decided for their file, such as the time zone of its wells.
      if (type === null || header.length === 0 || isRejects(store.getState())) return;
      const file = fileName(store.getState()) ?? '';
      await api.upload
        .keepLastMapping({
          header,
          type,
          file,
          units: unitsInOrder(store.getState()),
          connection,
          mapping: mapping(),
        })
        .catch(() => undefined);
    },
    load,
    /** A template as it is stored; one that was removed, or can't be read, as it is listed. */
    async current(listed: UploadTemplate): Promise<UploadTemplate> {
      return (await currentTemplates()).find(({ id }) => id === listed.id) ?? listed;
    },
    /** Saves the current mapping under a name; it replaces a template of that name for this header. */
    async save(name: string) {
      const tableParts = tableOfFiles(store.getState());
      const { header } = tableParts;
      const units = unitsInOrder(store.getState());
      const template = { name, ...tableParts, units, connection, mapping: mapping() };
      // In one request: between two, another save could store a second template of this name.
      await request(async () => {
        const { templates: all, problem } = await api.upload.templates({});
        const same = all.find((stored) => stored.name === name.trim() && matchesHeader(header, stored));
        const list = await api.upload.keepTemplate({ ...template, id: same?.id ?? crypto.randomUUID() });
        return { ...list, problem: list.problem ?? problem };
      });
    },
    async rename({ id }: UploadTemplate, name: string) {
      const templates = await currentTemplates();
      const template = templates.find((stored) => stored.id === id);
      if (template) await request(() => api.upload.keepTemplate({ ...template, name }));
      else if (store.getState().templates.status === 'loaded')
        store.setState({ templates: loaded({ templates: [...templates], problem: w.wasRemoved }) });
    },
    remove: (id: string) => request(() => api.upload.removeTemplate({ id })),
  };
}

const columnKeys = ({ preview }: Pick<UploadTabState, 'preview'>): string[] =>
  preview.status === 'loaded' ? preview.value.columns.map(({ key }) => key) : [];

/** Whether it is a file of rejected rows. */
export const isRejects = (state: Pick<UploadTabState, 'preview'>): boolean =>
  isRejectsHeader(columnKeys(state));

/** The column keys of the file; for a file of rejected rows, those of the original. */
export const headerOf = (state: Pick<UploadTabState, 'preview'>): string[] =>
  originalHeader(columnKeys(state));

/** The selected table of a file with several; undefined: it has one. */
const tableOf = ({ preview }: Pick<UploadTabState, 'preview'>): string | undefined =>
  preview.status === 'loaded' && preview.value.tables.length > 1 ? preview.value.table : undefined;

/** A table of files: where it is, and its header. */
export type TableOfFiles = Pick<UploadTemplate, 'table' | 'columnEdges' | 'header'>;

export function tableOfFiles(state: Pick<UploadTabState, 'preview' | 'reading'>): TableOfFiles {
  const table = tableOf(state);
  const { columnEdges } = state.reading;
  return {
    header: headerOf(state),
    ...(table === undefined ? {} : { table }),
    ...(columnEdges ? { columnEdges } : {}),
  };
}

/** Whether a line of the file has these names where it is cut. */
function hasNames(lines: readonly RawLine[], edges: readonly number[], names: readonly string[]): boolean {
  const cut = ({ text }: RawLine): string =>
    JSON.stringify([0, ...edges].map((start, at) => expandTabs(text).slice(start, edges[at]).trim()));
  return lines.some((line) => cut(line) === JSON.stringify(names));
}

/**
 * How the file is read to get a table that it has too: another of its tables, or lines cut at other edges.
 * @returns null if it is read so already, or doesn't have the table
 */
export function readingFor(
  { preview, reading }: Pick<UploadTabState, 'preview' | 'reading'>,
  { table, columnEdges, header }: TableOfFiles,
): FormatOptions | null {
  if (preview.status !== 'loaded') return null;
  const { tables, lines, table: current } = preview.value;
  const isTable = ({ name, columns }: (typeof tables)[number]): boolean =>
    name === table && columns === header.length;
  if (table !== undefined && table !== current && tables.some(isTable)) return readingOfOther(reading, table);
  const isOther = columnEdges !== undefined && String(columnEdges) !== String(reading.columnEdges);
  return isOther && hasNames(lines, columnEdges, header) ? { ...reading, columnEdges } : null;
}

/** Whether a file has the columns of the required fields, and more than half of all columns, of the first one. */
export function hasMostColumns(
  first: Pick<UploadTabState, 'preview' | 'match'>,
  file: Pick<UploadTabState, 'preview'>,
): boolean {
  const [columns, wanted] = [new Set(headerOf(file)), headerOf(first)];
  const required = (first.match.value?.fields ?? []).flatMap((field) =>
    field.required ? field.columns : [],
  );
  const shared = wanted.filter((column) => columns.has(column)).length;
  return (
    required.every((column) => columns.has(column)) && shared * 2 > Math.max(wanted.length, columns.size)
  );
}
