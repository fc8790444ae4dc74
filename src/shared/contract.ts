import { catalogueCalls } from './contract/catalogue.ts';
import { connectionsCalls } from './contract/connections.ts';
import { datasetsCalls } from './contract/datasets.ts';
import { events } from './contract/events.ts';
import { exportCalls } from './contract/export.ts';
import { filesCalls } from './contract/files.ts';
import { historyCalls } from './contract/history.ts';
import { jobsCalls } from './contract/jobs.ts';
import { queryCalls } from './contract/query.ts';
import { savedCalls } from './contract/saved.ts';
import { settingsCalls } from './contract/settings.ts';
import { tabsCalls } from './contract/tabs.ts';
import { uploadCalls } from './contract/upload.ts';
import { wellsCalls } from './contract/wells.ts';
import { workspaceCalls } from './contract/workspace.ts';

/**
 * Everything a host can ask of the core. Names and shapes only; every host goes through it, the command line too.
 */
export const calls = {
  connections: connectionsCalls,
  catalogue: catalogueCalls,
  wells: wellsCalls,
  datasets: datasetsCalls,
  query: queryCalls,
  export: exportCalls,
  upload: uploadCalls,
  files: filesCalls,
  jobs: jobsCalls,
  saved: savedCalls,
  history: historyCalls,
  tabs: tabsCalls,
  settings: settingsCalls,
  workspace: workspaceCalls,
};

export const contract = { ...calls, events };
