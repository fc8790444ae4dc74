import { pathNames } from '../../../../../shared/column-paths.ts';
import { unsuitable } from '../../model/unsuitable.ts';
import { JsonColumns } from '../../reading/ndjson.ts';
import type { SourceWarning } from '../source.ts';
import { headerOf, tableOf, type JsonContent, type JsonTable } from './json-content.ts';
import type { PieceKind } from './json-pieces.ts';
import type { JsonList, JsonSurvey } from './json-survey.ts';
import { isWellLog, logsOf } from './well-log.ts';

/** The name of a file's only table. */
const plainName = 'Records';
/** The name of the table whose only row is the whole file. */
const wholeName = 'Whole file';

const listTable = ({ log, path, columns, rows }: JsonList, what: PieceKind): JsonTable =>
  tableOf(path === '' ? plainName : pathNames(path).join('.'), columns, rows, { what, log, path });

/** Members of a record of the service, which an object around records doesn't have. */
const recordMembers = [
  '_id',
  'asset_id',
  'timestamp',
  'measured_depth',
  'log_identifier',
  'stage_number',
  'datetime',
];

/** Whether the object of a file is a record of the service, although it has lists. */
const isRecord = ({ lists, entries }: JsonSurvey): boolean =>
  entries.some(({ path }) => recordMembers.includes(pathNames(path)[0] ?? '')) &&
  [...lists, ...entries].some(({ path }) => path.startsWith('data.'));

const isTable = ({ rows, other }: JsonList): boolean => rows > 0 && other === null;

/** The table of records that a file is. @throws AppError file_unsuitable if one isn't an object */
function recordsOf({ what, lists }: JsonSurvey, fileName: string): JsonTable {
  const [records] = lists;
  if (!records) return tableOf(plainName, new JsonColumns(fileName), 0, { what, log: 0, path: '' });
  const { other } = records;
  if (other) throw unsuitable(fileName, `element ${other.place} is no object`, other.line);
  return listTable(records, what);
}

/**
 * The tables of an object: the only list if it has most of the content, else all lists of objects and the object
 * itself, the likeliest first.
 * @param readWhole the table with the object as its only row; null: it is too large for a row
 */
function tablesIn(survey: JsonSurvey, fileName: string, readWhole: () => JsonTable | null): JsonContent {
  const { what, entries, entryChars } = survey;
  const lists = survey.lists.filter(isTable);
  const isAlreadyRecord = isRecord(survey);
  const [first, ...others] = lists;
  const header = headerOf(entries, 'File');
  if (first && others.length === 0 && first.chars >= entryChars && !isAlreadyRecord)
    return { tables: [listTable(first, what)], header, warnings: [] };
  const table = readWhole();
  const whole = table ? [table] : [];
  const inner = lists.toSorted((a, b) => b.rows - a.rows).map((list) => listTable(list, what));
  const tables = isAlreadyRecord ? [...whole, ...inner] : [...inner, ...whole];
  if (tables.length === 0)
    throw unsuitable(fileName, 'it isn’t a list of records. Wellbench reads an array of objects');
  const warnings = isAlreadyRecord || whole.length === 0 ? [] : [singleRecord(tables.length - 1)];
  return { tables, header, warnings };
}

const singleRecord = (table: number): SourceWarning => ({
  code: 'single_record',
  message:
    'The file is an object, which is read as one row. If the rows are inside of it, save them as a list of objects.',
  place: null,
  table,
  count: 1,
});

/**
 * The tables of a file, whose content is surveyed until they are certain.
 * @param start the first characters of the file
 * @param isSmall whether the file can be a single row
 * @param survey surveys the file
 * @throws AppError file_unsuitable for a file without records
 */
export function contentOf(
  { fileName, start, isSmall }: { fileName: string; start: string; isSmall: boolean },
  survey: (what: PieceKind) => JsonSurvey,
): JsonContent {
  const isList = start.trimStart().startsWith('[');
  if (isWellLog(start)) return logsOf(survey(isList ? 'logs' : 'lists'), fileName);
  const lists = survey('lists');
  if (!isList && lists.what === 'lists')
    return tablesIn(lists, fileName, () =>
      isSmall ? { ...recordsOf(survey('values'), fileName), name: wholeName } : null,
    );
  const records = recordsOf(lists, fileName);
  // The only element of a list can be the object around the records.
  const inside = records.rows === 1 && isList ? survey('logs') : null;
  return inside?.lists.some(isTable) === true
    ? tablesIn(inside, fileName, () => records)
    : { tables: [records], header: [], warnings: [] };
}
