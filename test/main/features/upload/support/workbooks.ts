import { strToU8 } from 'fflate';
import { zipOf } from '../../../../support/zip.ts';

/** The parts of a test workbook: the XML of its sheets' rows, and parts that differ from the defaults. */
export interface WorkbookParts {
  /** The content of `sheetData` by sheet name. */
  readonly sheets: Readonly<Record<string, string>>;
  readonly hidden?: readonly string[];
  /** The content of `sst`. */
  readonly strings?: string;
  readonly date1904?: boolean;
  /** Format codes of the cell styles 1, 2, …; style 0 is General. */
  readonly formats?: readonly string[];
  /** The XML before `sheetData`. */
  readonly before?: string;
  /** The XML behind `sheetData`. */
  readonly after?: string;
  readonly parts?: Readonly<Record<string, Uint8Array>>;
}

const namespace = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const relations = (rows: string): string => `<?xml version="1.0"?><Relationships>${rows}</Relationships>`;
const relation = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`;

/** A workbook of XML parts, as bytes. */
export function workbook({
  sheets,
  hidden = [],
  strings = '',
  date1904,
  formats = [],
  before = '',
  after = '',
  parts,
}: WorkbookParts): Uint8Array {
  const names = Object.keys(sheets);
  const listed = names.map(
    (name, at) =>
      `<sheet name="${name}" sheetId="${at + 1}" r:id="r${at}"${hidden.includes(name) ? ' state="hidden"' : ''}/>`,
  );
  const files: Record<string, Uint8Array> = {
    '[Content_Types].xml': strToU8('<Types/>'),
    '_rels/.rels': strToU8(relations(relation('a', 'officeDocument', 'xl/workbook.xml'))),
    'xl/workbook.xml': strToU8(
      `<?xml version="1.0"?><workbook ${namespace} xmlns:r="r"><workbookPr${date1904 ? ' date1904="1"' : ''}/><sheets>${listed.join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      relations(
        names.map((_, at) => relation(`r${at}`, 'worksheet', `worksheets/sheet${at + 1}.xml`)).join('') +
          relation('s', 'sharedStrings', 'sharedStrings.xml') +
          relation('t', 'styles', '/xl/styles.xml'),
      ),
    ),
    'xl/sharedStrings.xml': strToU8(`<sst ${namespace}>${strings}</sst>`),
    'xl/styles.xml': strToU8(
      `<styleSheet ${namespace}><numFmts>${formats.map((code, at) => `<numFmt numFmtId="${200 + at}" formatCode="${code}"/>`).join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats.map((_, at) => `<xf numFmtId="${200 + at}"/>`).join('')}</cellXfs></styleSheet>`,
    ),
    ...Object.fromEntries(
      names.map((name, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        strToU8(
          `<?xml version="1.0"?><worksheet ${namespace}>${before}<sheetData>${sheets[name] ?? ''}</sheetData>${after}</worksheet>`,
        ),
      ]),
    ),
    ...parts,
  };
  return zipOf(files);
}

/** A row of inline texts and numbers. */
export const sheetRow = (place: number, cells: readonly (string | number | null)[]): string =>
  `<row r="${place}">${cells
    .map((cell) => {
      if (cell === null) return '<c/>';
      return typeof cell === 'number'
        ? `<c><v>${cell}</v></c>`
        : `<c t="inlineStr"><is><t>${cell}</t></is></c>`;
    })
    .join('')}</row>`;
