import { toAppError } from '../../../shared/errors/errors.ts';
import { namedFor } from '../../format/named-for.ts';
import { suggestedName } from '../../format/file-name.ts';
import { copyText } from '../../ui/clipboard.ts';
import type { CellSelection } from '../../ui/grid/index.ts';
import { words } from '../../words/words.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { selectedPaths, cellText, cellBlock } from './grid-columns.ts';
import type { CopyFormat, SavedFormat } from '../records/row-writer.ts';
import { cellConverter, changedUnit, assetPathOf, shownWell, sheetValue } from '../records/shown-cells.ts';
import { useApp, useAppState, useTab, useTabState } from '../../contexts.ts';
import { isCompleteResult } from './load-all.ts';
import type { Result } from './results.ts';
import { isNested, isTime, type ColumnHead } from '../records/table.ts';
import { isObject, type JsonValue, stringifyJson, valueUnder } from '../../../shared/json.ts';
import { createSheet } from '../../format/sheet-html.ts';
import { useColumns } from './use-records.ts';

type Paths = readonly (readonly string[])[];

const mimes: Record<SavedFormat, string> = { csv: 'text/csv', ndjson: 'application/x-ndjson' };

export function useCopy(result: Result) {
  const { held } = result;
  const { actions, dataset } = useTab('results');
  const { save } = useApp();
  const view = useTabState('results', (state) => state.grid);
  const columns = useColumns(held);
  const { zone, wellNames, changes } = useTab('shown');
  const storedUnits = useTabState('results', (state) => state.units);
  const isShown = useAppState('settings', (state) => state.values.copies === 'shown');
  const isConverted = (format: CopyFormat | SavedFormat) =>
    isShown && format !== 'json' && format !== 'ndjson';
  // Where stored and shown values differ, a copy says which it has.
  const unitsOf = (paths: Paths, format: CopyFormat | SavedFormat): Record<string, string> =>
    Object.fromEntries(
      paths.flatMap((path) => {
        const id = pathId(path);
        const unit = isConverted(format) ? changedUnit(changes, id) : storedUnits.get(id);
        return unit !== undefined && changes[id] ? [[id, unit]] : [];
      }),
    );
  const unitNote = (paths: Paths, format: CopyFormat | SavedFormat): string => {
    const units = Object.values(unitsOf(paths, format));
    const note = isConverted(format) ? words.results.copiedShown : words.results.copiedStored;
    return units.length === 0 ? '' : ` ${note(paths.length === 1 ? (units[0] ?? null) : null)}`;
  };
  /** A result of a part of the records says so wherever it goes. */
  const { computedFrom } = result;
  const partNote = computedFrom === undefined ? '' : ` ${words.results.computedFrom(computedFrom)}.`;
  const headNotesOf = (paths: Paths, format: CopyFormat | SavedFormat): Record<string, string> => {
    const notesOf = (of: Paths, note: string | null) =>
      note === null ? {} : Object.fromEntries(of.map((path) => [pathId(path), note]));
    const part = computedFrom === undefined ? null : words.results.computedFrom(computedFrom);
    // An upload reads a local `timestamp` or `datetime` in the zone of its heading. A zone or a unit is alone there:
    // beside the part, it wouldn't be read.
    const times = columns.filter(isTime).map(({ path }) => path);
    const separate = { ...unitsOf(paths, format), ...notesOf(times, zone) };
    const ids = paths.map(pathId);
    const [first = ''] = ids;
    if (part === null || ids.some((id) => !(id in separate))) return { ...notesOf(paths, part), ...separate };
    return { ...separate, [first]: `${separate[first]}, ${part}` };
  };
  const copy = async (
    make: () => Promise<{ readonly text: string; readonly html?: string | null; readonly notice: string }>,
  ) => {
    try {
      const { text, html, notice } = await make();
      if (await copyText(text, html)) actions.showNotice(notice);
    } catch (error) {
      actions.showNotice(words.results.notCopied(toAppError(error).message));
    }
  };
  const paths = (of: CellSelection | null) => selectedPaths(columns, view, of);
  /** Rows as text, and their part of the result; null: all of it. */
  const selectRows = async (
    rows: CellSelection['rows'] | null,
    of: Paths,
    format: CopyFormat | SavedFormat,
    hasHeader?: boolean,
  ) => {
    const {
      text,
      html,
      rows: count,
      gaps,
    } = await held.text({
      rows,
      paths: of,
      format,
      zone,
      wellNames,
      hasHeader,
      headNotes: headNotesOf(of, format),
      changes: isConverted(format) ? changes : undefined,
    });
    const selected = rows !== null;
    const part = selected || !isCompleteResult(result, count) ? { selected, count, gaps } : null;
    return { text, html, count, part };
  };
  const copyRows = (of: CellSelection | null, columns: Paths, format: CopyFormat, hasHeader?: boolean) =>
    copy(async () => {
      const { text, html, count, part } = await selectRows(of?.rows ?? null, columns, format, hasHeader);
      const cells = of?.columns ? count * columns.length : null;
      return {
        text,
        html,
        notice:
          (cells === null ? words.results.copied(count, part) : words.results.copiedCells(cells)) +
          unitNote(columns, format) +
          partNote +
          (format === 'tsv' && html === null ? ` ${words.copiedTextOnly}` : ''),
      };
    });
  return {
    /** Copies selected cells (null: loaded rows) of the visible columns. A table has its columns' names by default. */
    rows: (of: CellSelection | null, format: CopyFormat, hasHeader?: boolean) =>
      copyRows(of, paths(of), format, hasHeader),
    /** Copies one cell: nested values as JSON. */
    cell: (row: number, column: ColumnHead) =>
      copy(async () => {
        const path = assetPathOf(column);
        const cell = cellBlock(await held.rows({ from: row, to: row + 1 })).cell(pathId(path), 0);
        const named = column.kind === 'well' ? shownWell(wellNames, cell) : cell;
        const convert = isShown ? cellConverter(changes, pathId(path)) : null;
        const sheet = createSheet();
        let text;
        if (isNested(named)) {
          text = valueAt(await held.record(row), path);
          sheet.add([text]);
        } else {
          const shown = convert ? convert(named) : named;
          text = cellText(shown, column.kind, zone);
          sheet.add([sheetValue(shown, column.kind, zone)]);
        }
        return {
          text,
          html: sheet.html(),
          notice: words.results.copiedCells(1) + unitNote([path], 'tsv') + partNote,
        };
      }),
    /** Copies a column's cells in loaded rows. */
    column: (path: Paths[number]) => copyRows(null, [path], 'tsv'),
    /** Saves selected cells (null: loaded rows) of the visible columns. The file name says if they are a part. */
    async save(of: CellSelection | null, format: SavedFormat): Promise<void> {
      try {
        const { text, count, part } = await selectRows(of?.rows ?? null, paths(of), format);
        const named = part ? words.results.partName(part) : undefined;
        const name = namedFor(suggestedName(dataset.dataset, new Date(), named), format);
        const content = new Blob([text], { type: `${mimes[format]};charset=utf-8` });
        if (await save(name, content)) actions.showNotice(words.results.saved(count, name) + partNote);
      } catch (error) {
        actions.showNotice(words.results.notSaved(toAppError(error).message));
      }
    },
    text: (text: string) => copy(async () => ({ text, notice: words.results.copiedText })),
  };
}

/** The value at a path as JSON; items of arrays by index. */
export function valueAt(record: JsonValue, path: readonly string[]): string {
  let part: JsonValue | undefined = record;
  for (const name of path) {
    if (Array.isArray(part)) part = part[Number(name)];
    else part = isObject(part) ? valueUnder(part, name) : undefined;
  }
  return part === undefined ? '' : stringifyJson(part, 2);
}
