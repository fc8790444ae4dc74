import { unsuitable } from '../../../../shared/errors/errors.ts';
import { gridFile, type Sheet } from './grid.ts';
import {
  builtinKind,
  formatKind,
  type NumberKind,
  richText,
  readSheetRows,
  StringPool,
} from './sheet-rows.ts';
import { type OpenOptions, orClose, type SourceAdapter } from './source.ts';
import { XmlReader, type XmlHandler, scanElements } from './xml.ts';
import { ZipArchive } from './zip.ts';

/** A worksheet in the list of the workbook. */
interface SheetEntry {
  readonly name: string;
  readonly path: string;
  readonly isHidden: boolean;
}

/** The content of a workbook's main parts. */
interface Workbook {
  readonly sheets: readonly SheetEntry[];
  readonly dateSystem: 1900 | 1904;
  readonly stringsPath: string | null;
  /** The kind of each cell style, by its number. */
  readonly styles: readonly NumberKind[];
}

type Relations = ReadonlyMap<string, { readonly path: string; readonly type: string }>;
const maxSheets = 1000;

async function parsePart(
  archive: ZipArchive,
  fileName: string,
  path: string,
  handler: Partial<XmlHandler>,
): Promise<boolean> {
  const entry = archive.entry(path);
  if (!entry) return false;
  const ignore = (): void => undefined;
  const reader = new XmlReader(fileName, `its part ${path}`, {
    open: handler.open ?? ignore,
    close: handler.close ?? ignore,
  });
  const decoder = new TextDecoder('utf-8');
  for await (const chunk of archive.read(entry)) reader.write(decoder.decode(chunk, { stream: true }));
  reader.end();
  return true;
}

function resolve(folder: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1);
  const parts: string[] = [];
  for (const part of `${folder}/${target}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

async function relationsOf(archive: ZipArchive, fileName: string, path: string): Promise<Relations> {
  const cut = path.lastIndexOf('/');
  const folder = path.slice(0, Math.max(0, cut));
  const relations = new Map<string, { path: string; type: string }>();
  const part = `${folder}${folder === '' ? '' : '/'}_rels/${path.slice(cut + 1)}.rels`;
  await parsePart(archive, fileName, part, {
    open(name, { Id: id, Target: target, Type: type = '' }) {
      if (name === 'Relationship' && id !== undefined && target !== undefined)
        relations.set(id, { path: resolve(folder, target), type: type.slice(type.lastIndexOf('/') + 1) });
    },
  });
  return relations;
}

/** The kinds of cell styles: which numbers are dates. */
async function stylesOf(archive: ZipArchive, fileName: string, path: string): Promise<NumberKind[]> {
  const customKinds = new Map<number, NumberKind>();
  const styles: number[] = [];
  let isInCells = false;
  await parsePart(archive, fileName, path, {
    open(name, attributes) {
      if (name === 'cellXfs') isInCells = true;
      if (name === 'numFmt')
        customKinds.set(Number(attributes['numFmtId']), formatKind(attributes['formatCode'] ?? ''));
      if (name === 'xf' && isInCells) styles.push(Number(attributes['numFmtId'] ?? 0));
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false;
    },
  });
  return styles.map((id) => customKinds.get(id) ?? builtinKind(id));
}

const attributeNamed = (attributes: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.entries(attributes).find(([key]) => key === name || key.endsWith(`:${name}`))?.[1];

/**
 * Reads the list of sheets, the date system, and the styles of a workbook.
 * @throws AppError file_unsuitable for an archive that isn't a workbook, or is damaged
 */
async function readWorkbook(archive: ZipArchive, fileName: string): Promise<Workbook> {
  const root = await relationsOf(archive, fileName, '');
  const path = [...root.values()].find(({ type }) => type === 'officeDocument')?.path ?? 'xl/workbook.xml';
  if (path.endsWith('.bin')) throw unsuitable(fileName, 'it is a binary workbook (.xlsb). Save it as .xlsx');
  const listed: { name: string; id: string; isHidden: boolean }[] = [];
  let dateSystem: 1900 | 1904 = 1900;
  const isThere = await parsePart(archive, fileName, path, {
    open(name, attributes) {
      if (name === 'workbookPr' && /^(?:1|true|on)$/i.test(attributes['date1904'] ?? '')) dateSystem = 1904;
      if (name !== 'sheet' || listed.length >= maxSheets) return;
      listed.push({
        name: attributes['name'] ?? '',
        id: attributeNamed(attributes, 'id') ?? '',
        isHidden: /hidden/i.test(attributes['state'] ?? ''),
      });
    },
  });
  if (!isThere) throw unsuitable(fileName, 'it is a zip archive without a workbook');
  const relations = await relationsOf(archive, fileName, path);
  const pathOfType = (type: string): string | undefined =>
    [...relations.values()].find((relation) => relation.type === type)?.path;
  const stringsPath = pathOfType('sharedStrings');
  const stylesPath = pathOfType('styles');
  return {
    sheets: listed.flatMap(({ name, id, isHidden }) => {
      const relation = relations.get(id);
      return relation?.type === 'worksheet' ? [{ name, path: relation.path, isHidden }] : [];
    }),
    dateSystem,
    stringsPath: stringsPath !== undefined && archive.entry(stringsPath) !== undefined ? stringsPath : null,
    styles: stylesPath === undefined ? [] : await stylesOf(archive, fileName, stylesPath),
  };
}

/** Workbooks of Excel 2007 and later (Office Open XML). */
export const xlsx: SourceAdapter = {
  format: 'xlsx',
  recognize(start, fileName) {
    const bytes = Buffer.from(start.buffer, start.byteOffset, start.byteLength);
    if (bytes.toString('latin1', 0, 4) !== 'PK\u0003\u0004') return false;
    return bytes.includes('xl/') || (bytes.includes('[Content_Types].xml') && /\.xls[xmb]\b/i.test(fileName));
  },
  async open(path, options) {
    const { fileName } = options;
    const archive = new ZipArchive(path, fileName);
    const strings = new StringPool();
    const close = (): void => {
      archive.close();
      strings.close();
    };
    return orClose({ close }, async () => {
      const { sheets, styles, dateSystem, stringsPath } = await readWorkbook(archive, fileName);
      if (stringsPath !== null) await readStrings(archive, stringsPath, strings, options);
      const bytes = sheets.reduce((sum, sheet) => sum + (archive.entry(sheet.path)?.bytes ?? 0), 0);
      const readable = sheets.map(({ name, isHidden, path: sheetPath }): Sheet => ({
        name,
        isHidden,
        rows(notes) {
          const entry = archive.entry(sheetPath);
          if (!entry) throw unsuitable(fileName, `sheet “${name}” is missing from the file`);
          const context = { fileName, sheetName: name, strings, styles, dateSystem, notes };
          return readSheetRows(archive.read(entry), context);
        },
      }));
      const isCounted = bytes <= maxCountedBytes;
      return gridFile('xlsx', readable, options, { isCounted, close: async () => close() });
    });
  },
};

/** Rows are counted on opening if the sheets together unpack to less than this. */
const maxCountedBytes = 32 << 20;

async function readStrings(
  archive: ZipArchive,
  path: string,
  strings: StringPool,
  { fileName, signal, onRead }: OpenOptions,
): Promise<void> {
  const entry = archive.entry(path);
  if (!entry) return;
  const target = { fileName, container: 'sst', element: 'si', part: 'the list of texts' };
  for await (const { prefix, texts } of scanElements(archive.read(entry), target)) {
    signal.throwIfAborted();
    onRead?.();
    for (const text of texts) strings.add(richText(text, prefix));
  }
}
