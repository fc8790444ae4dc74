import * as z from 'zod';
import { events } from './events.ts';
import { eventIterator } from '@orpc/contract';
import {
  catalogueEvent,
  catalogueQuery,
  company,
  datasetCatalogueQuery,
  entitiesCatalogueQuery,
  longCatalogueEvent,
  wellsCatalogueQuery,
} from '../catalogue/catalogue.ts';
import {
  dataset,
  datasetExtent,
  datasetFields,
  datasetQuery,
  datasetsQuery,
  extentQuery,
  fieldsQuery,
  holding,
  holdingsQuery,
  datasetAddress,
} from '../datasets/datasets.ts';
import {
  platformEntity,
  entitiesQuery,
  resolveQuery,
  resolvedName,
  wellMarks,
  wellMarksChange,
} from '../wells/wells.ts';
import { call, nothing, started } from './call.ts';
import {
  connection,
  connectionChange,
  connectionCheck,
  connectionDraft,
  connectionId,
  connectionOrDraft,
  credential,
  exportedProfiles,
  importedProfiles,
} from '../connections/connections.ts';
import { diagnosisEvent } from '../connections/diagnosis.ts';
import { keychainTrouble } from '../errors/errors.ts';
import { exportRequest, exportSample, exportOptions } from '../export/export.ts';
import { jobId, job, jobAge, jobPage, jobPageQuery, jobQuery, jobReply } from '../jobs/jobs.ts';
import {
  historyPage,
  historyQuery,
  oneRun,
  removedRuns,
  restoredRuns,
  runId,
  runNote,
} from '../history/history.ts';
import { questionText } from '../query/question.ts';
import { mirror, mirrorId } from '../mirrors/mirrors.ts';
import { comparisonReport, comparisonRequest, fileComparisonRequest } from '../quality/comparison.ts';
import { fileQualityReport, fileQualityRequest, qualityRequest } from '../quality/quality.ts';
import { qualityReport } from '../quality/report.ts';
import { liveEvent, liveRequest } from '../tabs/live.ts';
import {
  aggregateRequest,
  readRequest,
  countRequest,
  describedRequest,
  findRequest,
  pageRequest,
  pipelineRequest,
  recordPage,
  recordTarget,
} from '../query/query.ts';
import { folderPath, savedContent, savedList, savedPut, savedRemoval } from '../saved/saved.ts';
import { keptSettings, settingsChange } from '../settings/settings.ts';
import { fileToken, grantedFile } from '../files/files.ts';
import {
  sqlAnswer,
  sqlAnswerTable,
  sqlDataset,
  sqlRun,
  sqlTable,
  sqlTableName,
  sqlText,
} from '../sql/sql.ts';
import { readingOptions, inspectRequest, inspection, uploadRequest } from '../upload/upload.ts';
import { tabsChange } from '../tabs/tabs.ts';
import { filePreview, matchRequest, previewRequest, uploadMatch } from '../upload/preview.ts';
import { datasetForFile, datasetsForFileRequest, proposals, proposalsRequest } from '../upload/proposals.ts';
import { lastMapping, templateList, uploadTemplate } from '../upload/templates.ts';
import { wellCandidate, wellColumn, wellNamesRequest, wellsInNameRequest } from '../upload/wells.ts';
import { originRequest, uploadOrigin } from '../upload/result.ts';
import { fixedRows, fixResult, rejectedRows } from '../upload/fixes.ts';
import { changedView, gridView } from '../tabs/grid-view.ts';
import { about, diagnostics, systemNotice } from '../workspace/workspace.ts';

/** Files that the user selected. */
const filesCalls = {
  /** Asks for the target of a result. Null: canceled. */
  chooseTarget: call.input(z.object({ suggestedName: z.string().max(200) })).output(grantedFile.nullable()),
  /**
   * Asks for a folder to write or to read. Null: canceled. A host without dialogs takes a folder of that name in its data
   * folder.
   */
  chooseFolder: call.input(z.object({ name: z.string().max(200) })).output(grantedFile.nullable()),
  /** Asks for files; only in a host with dialogs. */
  chooseSources: call.input(nothing).output(z.array(grantedFile)),
  /** The sample file for uploads, as a granted file. */
  sample: call.input(nothing).output(grantedFile),
  /** A file that was granted before, as it is now; null: it is missing, or Wellbench was restarted. */
  find: call.input(z.object({ token: fileToken })).output(grantedFile.nullable()),
  /**
   * Writes content of the window to a selected target: `more` appends, and `last` ends the token. Only in a
   * host with dialogs; otherwise the page downloads.
   */
  write: call
    .input(
      z.object({
        token: fileToken,
        base64: z.string().max(12_000_000),
        more: z.boolean(),
        last: z.boolean(),
      }),
    )
    .output(nothing),
  /**
   * Saves a job's file where the user selects. Not saved: canceled, or the host has no dialogs and the page
   * downloads the file.
   */
  saveCopy: call.input(z.object({ token: fileToken })).output(z.object({ saved: z.boolean() })),
};

/** The window as a whole. */
export const workspaceCalls = {
  about: call.input(nothing).output(about),
  /** Diagnostics for support: versions, system, settings, the end of the log; without secrets and paths. */
  diagnostics: call.input(nothing).output(diagnostics),
  /** Shows a notification where the host, and not the browser, has them. */
  notify: call.input(systemNotice).output(nothing),
  /** The column layout of a dataset. */
  view: call.input(datasetAddress).output(gridView),
  /** Changes the column layout of a dataset. */
  changeView: call.input(changedView).output(nothing),
};

/** Wells and what else the platform lists, as the services have it now. */
export const wellsCalls = {
  /** Resources in pages, as the platform sends them; each of them once. */
  entities: call.input(entitiesQuery).output(eventIterator(z.array(platformEntity))),
  /** Resolves names, API numbers, and asset ids, in order. */
  resolve: call.input(resolveQuery).output(z.array(resolvedName)),
  /** The user's recent and favorite wells, and the visible fields of wells. */
  marks: call.input(z.object({ connection: connectionId })).output(wellMarks),
  mark: call.input(z.object({ connection: connectionId, marks: wellMarksChange })).output(wellMarks),
};

/** Uploads: looking at files, and sending their rows. */
export const uploadCalls = {
  inspect: call.input(inspectRequest).output(inspection),
  /** The start of a file, at once for any size. */
  preview: call.input(previewRequest).output(filePreview),
  /** The result of a mapping for a file and a dataset, by the rules of `start`. */
  match: call.input(matchRequest).output(uploadMatch),
  /** Which fields of a dataset the columns of a file belong to. */
  propose: call.input(proposalsRequest).output(proposals),
  /** The datasets that a file fits. */
  datasetsFor: call.input(datasetsForFileRequest).output(z.array(datasetForFile)),
  /** Resolves the names and API numbers of a file, by the rules of `start`. */
  wells: call.input(wellNamesRequest).output(z.array(wellColumn)),
  /** The wells whose name is in the name of a file. */
  wellsInName: call.input(wellsInNameRequest).output(z.array(wellCandidate)),
  /** The upload whose rejected rows a file has; null: it has none, or that job was removed. */
  origin: call.input(originRequest).output(uploadOrigin.nullable()),
  /** Starts a check, or an upload; refuses an upload of something else than was checked, or that can be resumed. */
  start: call.input(uploadRequest).output(started),
  /** The rejected rows of an upload, which can be fixed. */
  rejected: call.input(jobQuery).output(rejectedRows),
  /** Sends fixed rows as a follow-up of their upload; nothing if one of them is still wrong. */
  sendFixed: call.input(fixedRows).output(fixResult),
  /** The templates: mappings for files with the same header. */
  templates: call.input(nothing).output(templateList),
  /** Adds a template; one with an existing id is replaced. */
  keepTemplate: call.input(uploadTemplate).output(templateList),
  /** The mapping of the last upload with a header; null: none is stored. */
  lastMapping: call.input(lastMapping.pick({ header: true, type: true })).output(lastMapping.nullable()),
  /** Stores the mapping of an upload that started; the one before it with this header is replaced. */
  keepLastMapping: call.input(lastMapping).output(nothing),
  removeTemplate: call.input(uploadTemplate.pick({ id: true })).output(templateList),
};

/** The stored tabs. */
export const tabsCalls = {
  /** Saves the changed tabs of this window (`events.tabs`); resolves when they are on disk. */
  keep: call.input(tabsChange).output(nothing),
};

/** Whether numbers such as -999.25 stay numbers, instead of null. */
const keepsNulls = z.boolean().optional();

/** SQL over files, folders of Parquet files, and answers. */
export const sqlCalls = {
  /** The open tables. */
  tables: call.input(nothing).output(z.array(sqlTable)),
  /** Adds a file as a table, read as for an upload. */
  addFile: call
    .input(
      z.object({
        source: fileToken,
        name: sqlTableName.optional(),
        reading: readingOptions.prefault({}),
        keepsNulls,
      }),
    )
    .output(sqlTable),
  /** Adds a folder of Parquet files. */
  addFolder: call
    .input(z.object({ folder: fileToken, name: sqlTableName.optional(), keepsNulls }))
    .output(sqlTable),
  addAnswer: call.input(sqlAnswerTable).output(sqlTable),
  /** Starts to read all records of a query into a table, as a job. */
  readDataset: call.input(sqlDataset).output(started),
  /** Starts to replace the first records of a query by all of them, as a job. */
  loadAll: call.input(z.object({ name: sqlTableName })).output(started),
  /** The table of such a job, when it has all its records. Canceling this cancels the job. */
  exportedTable: call.input(started).output(sqlTable),
  /** Reads numbers such as -999.25 of a table as null, or as numbers. */
  keepNulls: call.input(z.object({ name: sqlTableName, keepsNulls: z.boolean() })).output(sqlTable),
  removeTable: call.input(z.object({ name: sqlTableName })).output(nothing),
  /** Runs a statement, up to a number of rows. */
  run: call.input(sqlRun).output(sqlAnswer),
  /** Writes all rows of a statement to a file. `file`: to be downloaded, where the host has no dialogs. */
  save: call.input(exportOptions.extend({ sql: sqlText, target: fileToken })).output(
    z.object({
      rows: z.int(),
      bytes: z.int(),
      file: grantedFile.nullable(),
      /** What its tables have of their records, if that is only a part; absent: all. */
      computedFrom: z.string().optional(),
    }),
  ),
};

/** The settings that differ from the defaults. */
export const settingsCalls = {
  /** The changed settings, and a problem with reading them, reported once. */
  get: call.input(nothing).output(keptSettings.extend({ problem: z.string().nullable() })),
  /** Returns the stored settings. */
  change: call.input(settingsChange).output(keptSettings),
  /** The user's names of channels, as a file to share. */
  exportChannelNames: call.input(nothing).output(z.object({ suggestedName: z.string(), text: z.string() })),
  /** Adds the names of a shared file to the stored ones: all, or none. */
  importChannelNames: call
    .input(z.object({ name: z.string().max(300), text: z.string().max(1_000_000) }))
    .output(z.object({ settings: keptSettings, added: z.int() })),
};

/** Saved queries. */
export const savedCalls = {
  list: call.input(nothing).output(savedList),
  /** Adds queries and folders; a query with an existing id replaces it. */
  put: call.input(savedPut).output(savedList),
  /** Also moves it: `to` may lie elsewhere. */
  renameFolder: call.input(z.object({ from: folderPath.min(1), to: folderPath.min(1) })).output(savedList),
  /** Returns the removed queries, for `put`. */
  remove: call.input(savedRemoval).output(z.object({ list: savedList, removed: savedContent })),
};

/** Questions for records. */
export const queryCalls = {
  find: call.input(findRequest).output(recordPage),
  /**
   * A page of all matches, `skip` records from the start: a find whose sort gets `_id` as the tiebreaker, so
   * pages neither overlap nor leave gaps (specification, section 4.1, paging rules).
   */
  page: call.input(pageRequest).output(recordPage),
  /** The service's clock, which is that of `now` in queries; it may send a request for the dataset's definition. */
  now: call.input(recordTarget).output(z.object({ ms: z.int() })),
  count: call.input(countRequest).output(z.object({ count: z.int(), ms: z.number() })),
  aggregate: call.input(aggregateRequest).output(recordPage),
  pipeline: call.input(pipelineRequest).output(recordPage),
  /** Follows a dataset: its newest records, then later ones, until the reader disconnects. */
  live: call.input(liveRequest).output(eventIterator(liveEvent)),
  /** The HTTP request of a read, and copies of it for other tools; nothing is sent. */
  describe: call.input(readRequest).output(describedRequest),
};

/** What a finished job found. */
const jobReport = z.discriminatedUnion('kind', [
  /** The query is strict JSON. */
  z.object({ kind: z.literal('check'), query: z.string(), report: qualityReport }),
  z.object({ kind: z.literal('comparison'), report: comparisonReport }),
]);

/** The quality of records. */
export const qualityCalls = {
  /** Checks the matching records of a dataset, as a job. */
  start: call.input(qualityRequest).output(started),
  /** Compares two queries, as a job. */
  compare: call.input(comparisonRequest).output(started),
  /** Compares a file with the dataset that it goes into, as a job. */
  compareFile: call.input(fileComparisonRequest).output(started),
  /** The report of a finished job. */
  report: call.input(jobQuery).output(jobReport),
  /** Checks a whole file. */
  file: call.input(fileQualityRequest).output(fileQualityReport),
};

/** Folders of Parquet files that are kept up to date; `export.start` with `partition` adds one. */
export const mirrorsCalls = {
  /** The latest first. */
  list: call.input(nothing).output(z.array(mirror)),
  /** Starts a job that reads what is new. */
  update: call.input(z.object({ mirror: mirrorId })).output(started),
  /** Removes a mirror from the list; its folder stays. */
  remove: call.input(z.object({ mirror: mirrorId })).output(nothing),
};

/** Exports and uploads as jobs. */
export const jobsCalls = {
  /** The newest finished jobs and all others, oldest first. */
  list: call.input(jobPageQuery).output(jobPage),
  show: call.input(jobQuery).output(job),
  resume: call.input(jobQuery).output(nothing),
  /** Pauses a job of this process; running requests complete. */
  pause: call.input(jobQuery).output(nothing),
  /** Answers a job's question (`waitsFor`). */
  answer: call.input(jobReply).output(nothing),
  cancel: call.input(jobQuery).output(nothing),
  discard: call.input(jobQuery).output(nothing),
  /** Discards the finished jobs with which nothing is lost. */
  discardDone: call.input(jobAge).output(z.object({ discarded: z.int() })),
};

/** What was run. */
export const historyCalls = {
  /** Notes a run that has ended. */
  note: call.input(runNote).output(nothing),
  list: call.input(historyQuery).output(historyPage),
  /** The full query of a run. */
  get: call.input(oneRun).output(z.object({ question: questionText })),
  /** Returns the removed runs, for `restore`. */
  remove: call.input(removedRuns).output(z.object({ ids: z.array(runId) })),
  restore: call.input(restoredRuns).output(nothing),
};

/** Exports. */
export const exportCalls = {
  /** `unfinished`: an earlier export to the same file, which could be resumed instead. */
  start: call.input(exportRequest).output(started.extend({ unfinished: jobId.optional() })),
  /** The text that an export would write for a few records. Not for Parquet. */
  sample: call.input(exportSample).output(z.string()),
};

/** Datasets and their fields, extents, and holdings. */
export const datasetsCalls = {
  list: call.input(datasetsQuery).output(z.array(dataset)),
  /** `maxTries`: for less important reads. */
  get: call.input(datasetQuery.extend({ maxTries: z.int().min(1).max(10).optional() })).output(dataset),
  /** The fields by the dataset's type, its definition, and a few of its records: newest and oldest, of these wells. */
  fields: call.input(fieldsQuery).output(datasetFields),
  /** How many records these wells have in a dataset, and from when to when, or from which depth to which. */
  extent: call.input(extentQuery).output(datasetExtent),
  /** Which datasets have records of these wells: one event for each, with a few concurrent checks. */
  holdings: call.input(holdingsQuery).output(eventIterator(holding)),
};

/** Connections and their operations. */
export const connectionsCalls = {
  list: call.input(nothing).output(z.array(connection)),
  add: call.input(connectionDraft).output(connection),
  openSample: call.input(nothing).output(connection),
  test: call.input(connectionOrDraft).output(connectionCheck),
  /** `leaveSecret`: remove the connection although its secret can't be removed from the keychain. */
  remove: call
    .input(z.object({ connection: connectionId, leaveSecret: z.boolean().optional() }))
    .output(nothing),
  /** Brings back the connection that was removed last, for as long as that can be undone. */
  restore: call.input(z.object({ connection: connectionId })).output(connection),
  /** Adds a copy with the same key; a sign-in isn't copied, because its tokens belong to one connection. */
  duplicate: call.input(z.object({ connection: connectionId })).output(connection),
  change: call.input(connectionChange).output(connection),
  /**
   * Replaces the credentials of a connection. The new ones are verified first; if they are refused, the old
   * ones remain.
   */
  authenticate: call.input(z.object({ connection: connectionId, credential })).output(connection),
  /** Runs the diagnostics step by step; the report comes last. */
  diagnose: call.input(connectionOrDraft).output(eventIterator(diagnosisEvent)),
  exportProfiles: call
    .input(z.object({ connections: z.array(connectionId).optional() }).default({}))
    .output(exportedProfiles),
  importProfiles: call.input(z.object({ text: z.string().max(1_000_000) })).output(importedProfiles),
  /** Whether secrets can be stored. Null: the keychain is unlocked. */
  keychain: call.input(nothing).output(z.object({ trouble: keychainTrouble.nullable() })),
};

/** Lists of companies, datasets, and platform resources: the cached list at once, then the service's. */
export const catalogueCalls = {
  wells: call.input(wellsCatalogueQuery).output(eventIterator(longCatalogueEvent)),
  entities: call.input(entitiesCatalogueQuery).output(eventIterator(catalogueEvent(platformEntity))),
  companies: call.input(catalogueQuery).output(eventIterator(catalogueEvent(company))),
  datasets: call.input(catalogueQuery).output(eventIterator(catalogueEvent(dataset))),
  /** A single definition: one item, with its indexes and statistics. */
  dataset: call.input(datasetCatalogueQuery).output(eventIterator(catalogueEvent(dataset))),
};

/** All procedures of the core: names and schemas. Every host uses them, the command line too. */
export const calls = {
  connections: connectionsCalls,
  catalogue: catalogueCalls,
  wells: wellsCalls,
  datasets: datasetsCalls,
  query: queryCalls,
  export: exportCalls,
  quality: qualityCalls,
  upload: uploadCalls,
  files: filesCalls,
  jobs: jobsCalls,
  mirrors: mirrorsCalls,
  saved: savedCalls,
  history: historyCalls,
  tabs: tabsCalls,
  settings: settingsCalls,
  sql: sqlCalls,
  workspace: workspaceCalls,
};

export const contract = { ...calls, events };
