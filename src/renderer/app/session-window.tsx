import type { Connection } from '../../shared/connections/connections.ts';
import { ProvideDatasets } from '../features/datasets/context.ts';
import { ProvideDatasetWays } from '../features/datasets/ways.ts';
import { ProvideHistory } from '../features/history/context.ts';
import { ProvideOpenLive } from '../features/live/context.ts';
import { ProvideLearnt } from '../features/query/editing/context.ts';
import { ProvideUploads } from '../features/upload/context.ts';
import { DropOverlay } from '../features/upload/file/drop-overlay.tsx';
import { ProvideWells } from '../features/wells/context.ts';
import { ProvideDirectory } from '../features/wells/directory.ts';
import { ProvideKeeping } from './keeping/context.ts';
import type { Session } from './session.ts';
import { Shell } from './shell.tsx';
import { ProvideTabs } from './tabs.ts';

/** The window of one open connection, with what is its own. */
export default function SessionWindow({ session, connection }: { session: Session; connection: Connection }) {
  return (
    <ProvideLearnt feature={session.learnt}>
      <ProvideWells feature={session.wells}>
        <ProvideDirectory feature={session.directory}>
          <ProvideDatasets feature={session.datasets}>
            <ProvideDatasetWays value={session.datasetWays}>
              <ProvideUploads value={session.uploads}>
                <ProvideOpenLive value={session.openLive}>
                  <ProvideTabs feature={session.tabs}>
                    <ProvideHistory feature={session.history}>
                      <ProvideKeeping feature={session.keeping}>
                        <Shell
                          connection={connection}
                          onOpenDataset={session.openDataset}
                          onOpenAnother={session.openAnother}
                          onBrowse={session.openBrowse}
                        />
                        <DropOverlay uploads={session.uploads} />
                      </ProvideKeeping>
                    </ProvideHistory>
                  </ProvideTabs>
                </ProvideOpenLive>
              </ProvideUploads>
            </ProvideDatasetWays>
          </ProvideDatasets>
        </ProvideDirectory>
      </ProvideWells>
    </ProvideLearnt>
  );
}
