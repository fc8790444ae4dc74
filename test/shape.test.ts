import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf } from './support/imports.ts';

const src = join(import.meta.dirname, '..', 'src');

/** Lines and files of each part of src. Lower them when the code allows; raise one with a sentence that says for whom. */
const budgets: Readonly<Record<string, { readonly lines: number; readonly files: number }>> = {
  demo: { lines: 3_496, files: 13 },
  // 1,920 lines are the readers of DLIS and LIS, for engineers who get logs as tapes have them.
  // 20 lines store the names that engineers give to fields; 40 read rows with a single quotation mark
  // as their table has them, and write plain names into workbooks.
  // 60 lines store the notes of wells, for engineers who write down what they see in a plot.
  // 41 compare the times of a mirror, for engineers whose records are corrected while they are read.
  // 46 find times as text whatever their offsets from UTC are, for engineers whose rigs write local times.
  // 49 read the offsets of zones, numbers, decimals, and units of files in the notations that loggers write.
  // 16 keep the pins that several processes change, for engineers who work in two windows.
  // 7 keep the mapping of the last upload for each connection, for engineers whose connections have other wells.
  // 29 name each null value of a table that keeps them, so that recipes leave them all out.
  // 33 keep tables of SQL apart that have one name, say what a table lacks, and keep LAS files to one log.
  // 62 continue jobs whose connection gets another network or is accepted again, and keep what users paused, for engineers whose
  // jobs run over night behind proxies and gateways.
  // 89 keep uploads apart that have one file, name, or path: those of a discarded job, of another well, of other units.
  // 9 keep the wells and logs of a live view apart, whatever fields are selected.
  // 190 read files as they are, for each well, column, and notation, and keep the units of mirrors, for engineers with files of
  // others.
  // 94 read rejected rows as their file was, and refuse one well for rows of others, for engineers who upload from the
  // command line.
  // 49 read a Parquet file of SQL that was replaced as it is now, tell tabs with one title apart, and refuse two tables of one name.
  // 6 name all columns of a table with null values, and refuse limits without records.
  // 53 store what the keychain didn’t take with the next credentials, and end a command whose job had sent rows with exit code 1.
  // 68 keep exit codes without a reader, say what the limit of find left out, and keep units of uploads, folders of queries, and
  // files of slow shares, for engineers with scripts, several connections, and slow drives.
  // 28 tell a secret of a proxy or certificate from the key, and list tables of SQL while one is opened, for engineers whose keychains
  // and shares don’t respond.
  // 34 read names above rows that have more cells, and judge totals, short rows, ids, and null values as files of others have them.
  // 155 list what a service without pages has at once, read on where answers are capped, keep a connection’s secrets and jobs its
  // own, and name what rejects, remarks, and damaged mirrors are, for engineers whose services and files differ from the rule.
  // 66 read finds on where a service sends fewer records than match, keep units of what a pipeline computes out of exports, and
  // name the zone of days in copied commands.
  // 167 keep the wells, headers, and null values of several logs and blocks in one file apart, and read .xls as .xlsx, for engineers
  // with files of several wells.
  // 127 read rejected rows with the types and formats of their file, also where several uploads wrote a file of that name, and give
  // the zone of wells to the window, for engineers whose files have other wells, units, and local times each day.
  // 177 keep wells, times, and units of folders with some fields, say which requested fields have no values, and read folders of
  // several units, names, and versions as they are, for engineers with mirrors, checks, and SQL.
  // 258 take what couldn’t be read for unknown and not for new, read dates with their times of day, zones, and null values of files in
  // checks and SQL as uploads do, tell logs of files apart, and end jobs of killed processes in other windows, for engineers whose
  // links, files, and scripts aren’t those of the sample.
  main: { lines: 67_071, files: 281 },
  preload: { lines: 50, files: 1 },
  // 1,000 lines show names and figures as engineers write them, alarms with their limits, bars, exports at a press, recipes that
  // start from a query, and filters by what the rig does. 750 plot all records of a result with a limit, for engineers who look at
  // whole wells over bad links. 400 show under the headers how values are distributed, offer recipes beside tables, and say which
  // states records cover. 260 hold what plots computed, for engineers who change a plot of a million records. 150
  // show first what is in view: the matches of a search so far, and the columns of a wide file. 70 keep each part of the window
  // from being drawn again for its neighbors. 1,240 make a report of the saved queries of a folder, for engineers who hand on a
  // page of plots and tables each morning. 520 draw, list, and edit the notes of wells, and 20 list them in reports. 40 offer
  // recipes in the menu of a well. 265 name the logs of a well alike in tables, plots, and reports, for engineers whose programs
  // write ids, and find fields by any name of their channels. 45 show, search, and copy the same wells, and keep null values out
  // of figures and formats. 97 keep what another window stored of settings, queries, templates, and pins, and complete names in
  // quotes, for engineers who work in two windows or have units in the names of columns. 93 keep what engineers do in an upload:
  // rejected rows that they edit stay with the tab, what they declined isn't offered again, a value for blank cells stays beside
  // its column, and wells of one connection aren't used for another. 9 read the wells of a sent query in one place. 34 change of a
  // connection what was changed in its form only, keep the types of datasets, and find names such as 16-36.
  // 76 say what plots, reports, and ranges lack, keep wells of one name and curves in other units apart, and alarms that come again.
  // 34 take the unit of a field, the wells of a column with blank cells, and the connection of a job for what they are.
  // 16 ask about one well beside a column of asset ids at another path.
  // 62 keep the blanks and types of the values of filters, and calculate recipes from the column, wells, and tops that were meant.
  // 1 names the keys of a Mac.
  // 12 name shortcuts as the keyboard types them, and reset units of uploads.
  // 27 tell wells apart by the same columns in plots and calculations, and gravities from API numbers.
  // 209 watch alarms of other connections, say what pictures, data, and reports lack, keep marks and notes of reports current, ask
  // before a connection ends an upload’s work, and read numbers with a decimal comma, for engineers who hand on plots.
  // 150 filter by all states of a rig, report evicted rows, read recipes again, and find numbers as they are shown, for engineers
  // who trust what a table says.
  // 4 name the compared fields without values.
  // 192 keep what belongs to one file out of the next one’s mapping, forget values of an earlier service, say what overlays, reports,
  // and cards lack, and filter numbers as they are typed, for engineers who change connections and upload each day.
  renderer: { lines: 69_039, files: 413 },
  // 150 lines are the names of channels as engineers say them; 10 say of which query a table of SQL has all records, so that
  // no other stands for it.
  // 45 are the form of the notes of wells.
  // 380 are lists and tables with an entry in each line, as the formatter writes them, for whoever reads a change of them.
  // 27 are the changes of pins and recent wells, for engineers who pin wells in two windows.
  // 8 are the connection whose ids a stored mapping has, for engineers with several connections.
  // 25 take null values for no depth, count each well by its own step, and begin steps of depth with their depths, for
  // engineers who trust the figures.
  // 8 find records at the ends of a range, however their times are written. 5 name the fields that tell logs apart.
  // 22 take the unit of a field from its dataset, and name what another upload of a file maps otherwise.
  // 32 are the units of differences of temperatures.
  // 44 tell by its name whether a column has wells, which was in main, and put the words of SQL in quotes.
  // 7 keep products of units apart from units that are spelled alike.
  // 4 count wells without records as gaps, and compare no records that have no place.
  // 23 keep units of uploads apart from those that the user set.
  // 13 tell wells apart by names of other systems and of joins, and name requested wells without records.
  // 26 read the units of names behind a comma, in two brackets, and with a datum.
  // 103 take null values of filters for none, and tell which paths a pipeline computes.
  // 46 are the zone of the wells of a file, the paths of wells, and texts that name no unit, which main and the window share.
  // 6 are the requested fields without a value on either side of a comparison.
  // 125 keep units off what a pipeline computes, filters of null values off texts and subsea depths, and logs of a well apart in
  // summaries, and derive in one place which columns identify a record, for engineers who trust the figures.
  shared: { lines: 17_145, files: 108 },
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
  'what a thread does': ['main/core/mapping/csv-worker.ts'],
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
    'main/core/duckdb/statement.ts checkStatement',
    'main/core/records/calculator.ts createCalculator',
    'main/core/tables/reading/scan.ts readAll',
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
