import { events } from './events.ts';
import { filesCalls } from './files.ts';
import { connectionsCalls } from './connections.ts';
import { catalogueCalls, wellsCalls, datasetsCalls } from './catalogue.ts';
import { queryCalls, savedCalls, historyCalls } from './query.ts';
import { exportCalls, mirrorsCalls } from './export.ts';
import { qualityCalls } from './quality.ts';
import { uploadCalls } from './upload.ts';
import { notesCalls } from './notes.ts';
import { jobsCalls } from './jobs.ts';
import { tabsCalls, settingsCalls, workspaceCalls } from './workspace.ts';
import { sqlCalls } from './sql.ts';

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
  notes: notesCalls,
  history: historyCalls,
  tabs: tabsCalls,
  settings: settingsCalls,
  sql: sqlCalls,
  workspace: workspaceCalls,
};

export const contract = { ...calls, events };
