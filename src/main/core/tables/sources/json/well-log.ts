import * as z from 'zod';
import { append } from '../../../../../shared/lists.ts';
import { unsuitable } from '../../model/unsuitable.ts';
import { indexOfFirst } from '../column-index.ts';
import type { HeaderEntry, SourceColumn } from '../source.ts';
import { curvesPath, type JsonList, type JsonSurvey } from './json-survey.ts';
import { headerOf, type JsonContent, type JsonTable } from './json-content.ts';

/** The path of the rows of a log. */
const dataPath = 'data';
const headerPath = 'header.';

/** Whether the start of a file is that of a JSON Well Log: objects with a header, curves, and data. */
export const isWellLog = (start: string): boolean =>
  /^\s*(?:\[\s*)?\{\s*"(?:header|curves|data)"\s*:/.test(start) &&
  /"header"\s*:\s*\{/.test(start) &&
  /"curves"\s*:\s*\[\s*\{/.test(start);

const curve = z.object({
  name: z.string(),
  unit: z.string().nullish(),
  description: z.string().nullish(),
  valueType: z.string().nullish(),
});

const types: Readonly<Record<string, SourceColumn['type']>> = { string: 'text', datetime: 'time' };

function columnsOf(curves: JsonList | undefined, log: string, fileName: string): SourceColumn[] {
  const parsed = curve.array().safeParse(curves?.starts ?? []);
  if (!parsed.success || parsed.data.length === 0)
    throw unsuitable(fileName, `${log} has no curves with names`);
  return parsed.data.map(({ name, unit, description, valueType }) => ({
    name,
    unit: unit?.trim() || null,
    description: description?.trim() || null,
    type: types[valueType ?? ''] ?? null,
  }));
}

/**
 * The logs of a JSON Well Log (jsonwelllogformat.org), each a table with its curves as columns.
 * @throws AppError file_unsuitable for a log without curves
 */
export function logsOf({ what, lists, entries }: JsonSurvey, fileName: string): JsonContent {
  const logs = [...new Set([...lists, ...entries].map(({ log }) => log))].toSorted((a, b) => a - b);
  const header: HeaderEntry[] = [];
  const tables = logs.map((log): JsonTable => {
    const listAt = (at: string): JsonList | undefined =>
      lists.find((list) => list.log === log && list.path === at);
    const logEntries = entries.filter((entry) => entry.log === log && entry.path.startsWith(headerPath));
    const name =
      logEntries.find(({ path }) => path === `${headerPath}name`)?.value.trim() || `Log ${Math.max(log, 1)}`;
    append(header, headerOf(logEntries, logs.length > 1 ? name : 'Log'));
    const data = listAt(dataPath);
    const columns = columnsOf(listAt(curvesPath), logs.length > 1 ? `log ${log}` : 'it', fileName);
    return {
      name,
      pieces: { what, log, path: dataPath },
      paths: null,
      columns,
      rows: data?.rows ?? 0,
      isHidden: false,
      index: indexOfFirst(columns, true),
      nulls: [],
    };
  });
  return { tables, header, warnings: [] };
}
