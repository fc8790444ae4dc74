import { events } from './events.ts';
import { filesCalls } from './files.ts';
import { connectionsCalls } from './connections.ts';
import { catalogueCalls } from './catalogue.ts';
import { wellsCalls } from './wells.ts';
import { datasetsCalls } from './datasets.ts';
import { queryCalls } from './query.ts';
import { exportCalls } from './export.ts';
import { qualityCalls } from './quality.ts';
import { uploadCalls } from './upload.ts';
import { jobsCalls } from './jobs.ts';
import { mirrorsCalls } from './mirrors.ts';
import { savedCalls } from './saved.ts';
import { historyCalls } from './history.ts';
import { tabsCalls } from './tabs.ts';
import { settingsCalls } from './settings.ts';
import { sqlCalls } from './sql.ts';
import { workspaceCalls } from './workspace.ts';

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
