import { eventIterator, oc } from '@orpc/contract';
import * as z from 'zod';
import {
  catalogueEvent,
  catalogueQuery,
  company,
  datasetCatalogueQuery,
  entitiesCatalogueQuery,
  longCatalogueEvent,
  wellsCatalogueQuery,
} from './catalogue.ts';
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
} from './connections.ts';
import {
  dataset,
  datasetAddress,
  datasetExtent,
  datasetFields,
  datasetQuery,
  datasetsQuery,
  extentQuery,
  fieldsQuery,
  holding,
  holdingsQuery,
} from './datasets.ts';
import { diagnosisEvent } from './diagnosis.ts';
import { appErrorName, errorBody, keychainTrouble } from './errors.ts';
import { exportRequest } from './export.ts';
import { fileToken, grantedFile } from './files.ts';
import { gridView, keptView } from './grid-view.ts';
import { historyPage, historyQuery, oneRun, removedRuns, restoredRuns, runId, runNote } from './history.ts';
import { job, jobId, jobQuery, jobReply } from './jobs.ts';
import { liveEvent, liveRequest } from './live.ts';
import {
  aggregateRequest,
  askedRequest,
  countRequest,
  describedRequest,
  findRequest,
  pageRequest,
  pipelineRequest,
  recordPage,
  recordPart,
  recordsRequest,
} from './query.ts';
import { opened } from './opened.ts';
import { questionText } from './question.ts';
import { folderPath, savedContent, savedList, savedRemoval } from './saved.ts';
import { heldTabs, tabsChange, tabsQuery } from './tabs.ts';
import { filePreview, matchRequest, previewRequest, uploadMatch } from './upload-preview.ts';
import { templateList, uploadTemplate } from './upload-templates.ts';
import { wellColumn, wellNamesRequest } from './upload-wells.ts';
import { inspection, inspectRequest, uploadRequest } from './upload.ts';
import {
  entitiesQuery,
  platformEntity,
  resolvedName,
  resolveQuery,
  well,
  wellMarks,
  wellMarksChange,
  wellsQuery,
} from './wells.ts';
import { about, diagnostics, notice, settings, settingsChange } from './workspace.ts';

const call = oc.errors({ [appErrorName]: { data: errorBody } });
const nothing = z.object({}).default({});
const started = z.object({ job: jobId });

/** Everything a host can ask of the core. Names and shapes only; every host goes through it, the command line too. */
export const calls = {
  connections: {
    list: call.input(nothing).output(z.array(connection)),
    add: call.input(connectionDraft).output(connection),
    openSample: call.input(nothing).output(connection),
    test: call.input(connectionOrDraft).output(connectionCheck),
    /** `leaveSecret`: forget the connection although its secret can't be removed from the keychain. */
    remove: call
      .input(z.object({ connection: connectionId, leaveSecret: z.boolean().optional() }))
      .output(nothing),
    change: call.input(connectionChange).output(connection),
    /**
     * Gives a connection another key or login: after a login has ended, in the place of a secret that is missing, or to
     * replace a key. The new one is tried first; when it is refused, the old one stays.
     */
    authenticate: call.input(z.object({ connection: connectionId, credential })).output(connection),
    /** Looks at each step of the way to the services, one after the other; the report comes last. */
    diagnose: call.input(connectionOrDraft).output(eventIterator(diagnosisEvent)),
    exportProfiles: call
      .input(z.object({ connections: z.array(connectionId).optional() }).default({}))
      .output(exportedProfiles),
    importProfiles: call.input(z.object({ text: z.string().max(1_000_000) })).output(importedProfiles),
    /** Whether secrets can be kept here. Null: the keychain is open. */
    keychain: call.input(nothing).output(z.object({ trouble: keychainTrouble.nullable() })),
  },
  /** What there is to choose from: what was kept of it at once, then what the service says. */
  catalogue: {
    wells: call.input(wellsCatalogueQuery).output(eventIterator(longCatalogueEvent)),
    entities: call.input(entitiesCatalogueQuery).output(eventIterator(catalogueEvent(platformEntity))),
    companies: call.input(catalogueQuery).output(eventIterator(catalogueEvent(company))),
    datasets: call.input(catalogueQuery).output(eventIterator(catalogueEvent(dataset))),
    /** A single definition: one item, with its indexes and statistics. */
    dataset: call.input(datasetCatalogueQuery).output(eventIterator(catalogueEvent(dataset))),
  },
  wells: {
    list: call.input(wellsQuery).output(z.array(well)),
    entities: call.input(entitiesQuery).output(z.array(platformEntity)),
    /** What names, API numbers or asset ids stand for, each in its turn. */
    resolve: call.input(resolveQuery).output(z.array(resolvedName)),
    /** Which wells a person came back to, and what they want to see of wells. */
    marks: call.input(z.object({ connection: connectionId })).output(wellMarks),
    mark: call.input(z.object({ connection: connectionId, marks: wellMarksChange })).output(wellMarks),
  },
  datasets: {
    list: call.input(datasetsQuery).output(z.array(dataset)),
    get: call.input(datasetQuery).output(dataset),
    /** The fields by the dataset's type, its definition, and a few of its records: newest and oldest, of these wells. */
    fields: call.input(fieldsQuery).output(datasetFields),
    /** How many records these wells have in a dataset, and from when to when, or from which depth to which. */
    extent: call.input(extentQuery).output(datasetExtent),
    /** Which of many datasets hold records of these wells: one event for each, a few of them asked at a time. */
    holdings: call.input(holdingsQuery).output(eventIterator(holding)),
  },
  query: {
    find: call.input(findRequest).output(recordPage),
    /** What a question for records is answered, its first records sooner than the others. */
    parts: call.input(recordsRequest).output(eventIterator(recordPart)),
    /**
     * One page of everything that matches, `skip` records from the beginning: a find whose sort gets `_id` as the
     * tiebreaker, so that pages neither overlap nor leave gaps (specification, 4.1, paging rules).
     */
    page: call.input(pageRequest).output(recordPage),
    count: call.input(countRequest).output(z.object({ count: z.int(), ms: z.number() })),
    aggregate: call.input(aggregateRequest).output(recordPage),
    pipeline: call.input(pipelineRequest).output(recordPage),
    /** Follows a dataset: its newest records, then those that come, until the reader goes. */
    live: call.input(liveRequest).output(eventIterator(liveEvent)),
    /** The request that a question makes, and how to send it from elsewhere; nothing is sent. */
    describe: call.input(askedRequest).output(describedRequest),
  },
  export: {
    start: call.input(exportRequest).output(started),
  },
  upload: {
    inspect: call.input(inspectRequest).output(inspection),
    /** How a file begins, at once, however large it is. */
    preview: call.input(previewRequest).output(filePreview),
    /** What a mapping comes to for a file and a dataset, by the same rules as `start`. */
    match: call.input(matchRequest).output(uploadMatch),
    /** What the names and API numbers of a file stand for, by the same rules as `start`. */
    wells: call.input(wellNamesRequest).output(z.array(wellColumn)),
    start: call.input(uploadRequest).output(started),
    /** The mappings that a person keeps for files with the same header. */
    templates: call.input(nothing).output(templateList),
    /** Adds a template; one whose id is known takes the place of the one before. */
    keepTemplate: call.input(uploadTemplate).output(templateList),
    removeTemplate: call.input(uploadTemplate.pick({ id: true })).output(templateList),
  },
  files: {
    /** Asks where a result is to go. Null: the person thought better of it. */
    chooseTarget: call.input(z.object({ suggestedName: z.string().max(200) })).output(grantedFile.nullable()),
    /** Asks which files are meant; only where the host has a dialog. */
    chooseSources: call.input(nothing).output(z.array(grantedFile)),
    /**
     * Writes what the window has made to a chosen target: `more` goes on where the piece before ended. Only where the
     * host has a dialog; elsewhere the page downloads.
     */
    write: call
      .input(z.object({ token: fileToken, base64: z.string().max(12_000_000), more: z.boolean() }))
      .output(nothing),
    /**
     * Gives a file that a job made to the person, whole, where they want it. Not saved: they thought better of it, or
     * the host has no dialog and the page downloads the file instead.
     */
    saveCopy: call.input(z.object({ token: fileToken })).output(z.object({ saved: z.boolean() })),
    /** Writes a text of the page where the person wants it; only where the host has a dialog, as `saveCopy`. */
    saveText: call
      .input(z.object({ suggestedName: z.string().max(200), text: z.string().max(10_000_000) }))
      .output(z.object({ saved: z.boolean() })),
  },
  jobs: {
    list: call.input(nothing).output(z.array(job)),
    show: call.input(jobQuery).output(job),
    resume: call.input(jobQuery).output(nothing),
    /** Has a job that runs in this process wait until it is resumed; what is under way is brought to its end. */
    pause: call.input(jobQuery).output(nothing),
    /** Answers what a job asks (`waitsFor`). */
    answer: call.input(jobReply).output(nothing),
    cancel: call.input(jobQuery).output(nothing),
    discard: call.input(jobQuery).output(nothing),
  },
  saved: {
    list: call.input(nothing).output(savedList),
    /** Adds queries and folders; a query whose id is known takes the place of the one before. */
    put: call.input(savedContent).output(savedList),
    /** Also moves it: `to` may lie elsewhere. */
    renameFolder: call.input(z.object({ from: folderPath.min(1), to: folderPath.min(1) })).output(savedList),
    /** Gives what was removed, for `put` to bring it back. */
    remove: call.input(savedRemoval).output(z.object({ list: savedList, removed: savedContent })),
  },
  history: {
    /** Notes a run that has ended. */
    note: call.input(runNote).output(nothing),
    list: call.input(historyQuery).output(historyPage),
    /** The question of a run, whole. */
    get: call.input(oneRun).output(z.object({ question: questionText })),
    /** Gives what was removed, for `restore` to bring it back. */
    remove: call.input(removedRuns).output(z.object({ ids: z.array(runId) })),
    restore: call.input(restoredRuns).output(nothing),
  },
  tabs: {
    /** Keeps what has changed of the tabs that this window holds (`events.tabs`); done when it is on the disk. */
    keep: call.input(tabsChange).output(nothing),
  },
  workspace: {
    about: call.input(nothing).output(about),
    settings: call.input(nothing).output(settings),
    change: call.input(settingsChange).output(settings),
    /** What whoever helps wants to know: versions, system, settings, the end of the log; never a secret or a path. */
    diagnostics: call.input(nothing).output(diagnostics),
    /** How the person left the columns of a dataset. */
    view: call.input(datasetAddress).output(gridView),
    keepView: call.input(keptView).output(nothing),
  },
};

/** Streams that run until the listener goes. */
export const events = {
  /** A job each time it changes, at most about ten times a second; all of them once at the start. */
  jobs: call.input(nothing).output(eventIterator(job)),
  notices: call.input(nothing).output(eventIterator(notice)),
  /** All connections, at the start and whenever one of them changes. */
  connections: call.input(nothing).output(eventIterator(z.array(connection))),
  /** What a person opened from outside, each for the window that they look at. */
  opened: call.input(nothing).output(eventIterator(opened)),
  /** The kept tabs of a window over a connection, once; they are its own until it stops listening. */
  tabs: call.input(tabsQuery).output(eventIterator(heldTabs)),
};

export const contract = { ...calls, events };
