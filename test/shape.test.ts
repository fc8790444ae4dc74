import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf } from './support/imports.ts';

const src = join(import.meta.dirname, '..', 'src');

/** Lines and files of each part of src. Lower them when the code allows; the commit that raises one says for whom. */
const budgets: Readonly<Record<string, { readonly lines: number; readonly files: number }>> = {
  demo: { lines: 3_488, files: 13 },
  // 1,920 lines are the readers of DLIS and LIS, for engineers who get logs as tapes have them. Most of what was added later keeps
  // wells, logs, units, zones, files, connections, and processes apart, and says what is missing, for engineers whose files, links,
  // and services aren’t those of the sample.
  main: { lines: 65_777, files: 280 },
  preload: { lines: 50, files: 1 },
  // 1,240 lines make reports of saved queries, 750 plot all records of a result with a limit, 520 are the notes of wells, and 400 show
  // how values are distributed and what can be asked next, for engineers who look at whole wells and hand on a page each morning.
  // 380 lines are lists and tables with an entry in each line, as the formatter writes them, so that a changed entry shows as one line.
  // 17 lines tell stopped uploads, checks, and jobs that aren't listed apart, for people who decide by those sentences what to do next;
  // 8 of `shared` are what the window and the command line both say of them. 109 of all parts keep rejects files true, and read columns, records, and wells without an
  // index or with names that all objects have, for people whose files are hostile or merely odd. 50 read and show times where clocks
  // change, and of old wells.
  renderer: { lines: 67_179, files: 412 },
  shared: { lines: 16_904, files: 108 },
};
/** Files that only one file of the same folder imports, and that are no boundary: pages of their importer, with the reason of each. */
const pagesByReason: Readonly<Record<string, readonly string[]>> = {
  'with its importer, it would be too long a file': [
    'demo/generate/wells.ts',
    'main/core/connections/sample.ts',
    'main/core/duckdb/result-columns.ts',
    'main/core/jobs/job-index.ts',
    'main/core/jobs/journal.ts',
    'main/core/jobs/store.ts',
    'main/core/reading/pages.ts',
    'main/core/write/las-file.ts',
    'main/core/write/xlsx-file.ts',
    'main/features/sql/table-plan.ts',
    'main/features/sql/tables.ts',
    'main/features/upload/sending/insert.ts',
    'renderer/features/plot/track-heads.tsx',
    'renderer/features/query/sql/table-list.tsx',
    'renderer/features/results/result-bar.tsx',
    'renderer/features/sidebar/well-picker.tsx',
    'renderer/features/upload/columns/template-bar.tsx',
    'renderer/features/upload/upload-plan.ts',
  ],
  'a reader in the table of formats': [
    'main/core/tables/sources/dlis.ts',
    'main/core/tables/sources/json.ts',
    'main/core/tables/sources/las.ts',
    'main/core/tables/sources/lis.ts',
    'main/core/tables/sources/listing.ts',
    'main/core/tables/sources/wits.ts',
    'main/core/tables/sources/xls.ts',
  ],
  'behind the door of its folder': ['main/core/mapping/validation.ts', 'main/core/write/record-writer.ts'],
  'what a thread does': ['main/core/mapping/csv-worker.ts', 'renderer/features/records/check-records.ts'],
  'a part of Electron, tested with a stand-in of it alone': [
    'main/hosts/electron/menu.ts',
    'main/hosts/electron/pauses.ts',
    'main/hosts/electron/ports.ts',
    'main/hosts/electron/quit.ts',
    'main/hosts/electron/utility-process.ts',
  ],
  'a list that a person reads alone: of kinds of tabs, channels, units, and words': [
    'renderer/app/tab-kinds.ts',
    'renderer/words/datasets.ts',
    'renderer/words/export.ts',
    'renderer/words/jobs.ts',
    'renderer/words/quality.ts',
    'renderer/words/query.ts',
    'renderer/words/settings.ts',
    'renderer/words/wells.ts',
    'shared/channels/channel-rows.ts',
    'shared/channels/unit-rows.ts',
  ],
  'what a view shows, tested without the view': [
    'renderer/features/connections/draft.ts',
    'renderer/features/home/active-wells.ts',
    'renderer/features/report/part-plot.ts',
  ],
  'a page that is printed, and a form that few open': [
    'renderer/features/query/save-query.tsx',
    'renderer/features/report/report-page.tsx',
  ],
};
const maxFunctionLines = 70;
/** Functions that are longer, with the reason of each. */
const longFunctionsByReason: Readonly<Record<string, readonly string[]>> = {
  'one store, whose actions share its state': [
    'main/core/jobs/waits.ts createWaits',
    'renderer/features/connections/connections.ts createConnections',
    'renderer/features/dataset-tab/dataset-tab.ts createDatasetTab',
    'renderer/features/datasets/datasets.ts createDatasets',
    'renderer/features/jobs/jobs.ts createJobs',
    'renderer/features/live/live-tab.ts createLiveTab',
    'renderer/features/plot/scene.ts createScene',
    'renderer/features/query/sql/sql-tables.ts createSqlTables',
    'renderer/features/query/stages/stage-cards.ts createStageCards',
    'renderer/features/records/calculated-pages.ts createCalculatedPages',
    'renderer/features/records/pages.ts createPages',
    'renderer/features/records/result.ts openResult',
    'renderer/features/report/report-tab.ts createReportTab',
    'renderer/features/results/calculated-columns.ts createCalculatedColumns',
    'renderer/features/saved/saved.ts createSaved',
    'renderer/features/settings/settings.ts createSettings',
    'renderer/features/tabs/tab-storage.ts createTabStorage',
    'renderer/features/tabs/tabs.ts createTabs',
    'renderer/features/upload/upload-tab.ts createUploadTab',
    'renderer/features/wells/wells.ts createListing',
  ],
  'one component: its state, its effects, and what it shows': [
    'renderer/features/export/export-button.tsx ExportForm',
    'renderer/features/mirrors/mirrors-dialog.tsx MirrorForm',
    'renderer/features/plot/plot-bar.tsx PlotTools',
    'renderer/features/plot/plot-view.tsx Charts',
    'renderer/features/plot/track-heads.tsx CurveForm',
    'renderer/features/query/range/scope-bar.tsx RangeForm',
    'renderer/features/query/sql/table-list.tsx DatasetForm',
    'renderer/features/results/loaded-result.tsx Grid',
    'renderer/features/results/loaded-result.tsx GridContextMenu',
    'renderer/features/results/use-copy.ts useCopy',
    'renderer/features/tabs/tab-strip/tab-strip.tsx TabStrip',
    'renderer/features/upload/check/warning-list.tsx useFixes',
    'renderer/features/upload/file/file-step.tsx FormatForm',
    'renderer/ui/grid/data-grid.tsx DataGrid',
    'renderer/ui/grid/data-grid.tsx useSelection',
    'renderer/ui/pick-list.tsx PickList',
  ],
  'the calls of a thread or a process, over one state': [
    'main/core/duckdb/engine.ts sqlCalls',
    'main/core/mapping/csv-worker.ts createCsvService',
    'main/features/quality/quality-worker.ts createComparisonCalls',
  ],
  'what is built of what, in one place': [
    'main/core/connections/connections.ts createConnections',
    'main/hosts/browser/serve.ts startBrowserHost',
    'main/hosts/electron/windows.ts createWindows',
    'renderer/app/compose.ts compose',
    'renderer/features/commands/commands.ts createCommands',
  ],
  'one pass, whose steps share their place': [
    'main/core/records/calculator.ts createCalculator',
    'main/core/write/folder/update-table.ts updateTable',
    'main/features/export/run.ts writePages',
    'main/features/quality/spooled-file.ts spoolFile',
    'renderer/features/plot/thin.ts byPixel',
  ],
};
/** The longest of them. */
const longest = 223;
/** Lines of the stylesheets of one feature, and of those with tables, drawings, and editors of their own. */
const maxSheetLines = 110;
const maxLongerSheetLines: Readonly<Record<string, number>> = {
  plot: 321,
  query: 400,
  results: 186,
  upload: 468,
};

interface SourceFile {
  readonly name: string;
  readonly lines: readonly string[];
}

const files: readonly SourceFile[] = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(tsx?|css)$/.test(name) && !name.endsWith('.d.ts'))
  .map((name) => ({
    name: name.replaceAll('\\', '/'),
    lines: readFileSync(join(src, name), 'utf8').trimEnd().split('\n'),
  }));

const functionStart =
  /^(\s*)(?:export )?(?:default )?(?:async )?(?:function\*? ([\w$]+)|const ([\w$]+) = (?:async )?\(.*=> \{$|(?:(?:static|async|get|set|readonly) )*(#?[\w$]+)\(.*\{$)/;

interface LongFunction {
  readonly name: string;
  readonly length: number;
}

/** The functions over the limit. A function ends at the next closing brace of its indentation. */
function longFunctions({ name: file, lines }: SourceFile): LongFunction[] {
  return lines.flatMap((line, at) => {
    const [, indent, ...names] = functionStart.exec(line) ?? [];
    if (indent === undefined || /^\s*(?:if|for|while|switch|catch|return)\b/.test(line)) return [];
    const end = lines.findIndex((other, index) => index > at && other.startsWith(`${indent}}`));
    const name = `${file} ${names.find((text) => text !== undefined) ?? ''}`;
    return end - at + 1 > maxFunctionLines ? [{ name, length: end - at + 1 }] : [];
  });
}

/** Files that a worker, a lazy import, or a style sheet is: they have one importer for a reason. */
const isBoundary = (name: string): boolean =>
  name.endsWith('.css') ||
  files.some(({ lines, name: other }) => {
    const file = name.slice(name.lastIndexOf('/') + 1).replaceAll('.', String.raw`\.`);
    return (
      dirname(other) === dirname(name) &&
      lines.some((line) => new RegExp(String.raw`(?:import|URL)\(\s*'\./${file}`).test(line))
    );
  });

function pages(): string[] {
  const importers = Map.groupBy(importsOf(src), ({ to }) => to);
  return [...importers].flatMap(([to, imports]) => {
    const from = new Set(imports.map((one) => one.from));
    const [only] = from;
    return from.size === 1 && dirname(only ?? '') === dirname(to) && !isBoundary(to) ? [to] : [];
  });
}

describe('the shape of the code', () => {
  it.each(Object.entries(budgets))('keeps %s within its lines and files', (region, budget) => {
    const all = files.filter(({ name }) => name.startsWith(`${region}/`));
    const lines = all.reduce((sum, file) => sum + file.lines.length, 0);
    expect({ lines, isWithin: lines <= budget.lines }).toEqual({ lines, isWithin: true });
    expect({ files: all.length, isWithin: all.length <= budget.files }).toEqual({
      files: all.length,
      isWithin: true,
    });
  });

  it('has a budget for each part', () => {
    const parts = new Set(files.map(({ name }) => name.slice(0, name.indexOf('/'))));
    expect([...parts].toSorted()).toEqual(Object.keys(budgets));
  });

  it('has little style in features: layout is written by the classes of styles/layout.css', () => {
    const sheets = files.filter(({ name }) => /^renderer\/features\/.*\.css$/.test(name));
    const byFeature = Map.groupBy(sheets, ({ name }) => name.split('/')[2] ?? '');
    const tooLong = [...byFeature].flatMap(([feature, all]) => {
      const lines = all.reduce((sum, sheet) => sum + sheet.lines.length, 0);
      return lines > (maxLongerSheetLines[feature] ?? maxSheetLines) ? [`${feature}: ${lines}`] : [];
    });
    expect(byFeature.size).toBeGreaterThan(15);
    expect(tooLong).toEqual([]);
  });

  it('has a reason for each page: a file that only one neighbor imports', () => {
    expect(pages().toSorted()).toEqual(Object.values(pagesByReason).flat().toSorted());
  });

  it('has a reason for each long function, and none is longer than today', () => {
    const all = files.flatMap(longFunctions);
    expect(all.map(({ name }) => name).toSorted()).toEqual(
      Object.values(longFunctionsByReason).flat().toSorted(),
    );
    expect(Math.max(...all.map(({ length }) => length))).toBeLessThanOrEqual(longest);
  });

  it('and a long function is found', () => {
    const body = Array.from({ length: maxFunctionLines }, () => '  step();');
    const lines = ['export function work(): void {', ...body, '}'];
    expect(longFunctions({ name: 'a.ts', lines })).toEqual([
      { name: 'a.ts work', length: maxFunctionLines + 2 },
    ]);
    expect(longFunctions({ name: 'a.ts', lines: lines.slice(3) })).toEqual([]);
  });
});
