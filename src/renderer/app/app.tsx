import { LoaderCircle } from 'lucide-react';
import { useStore } from 'zustand';
import { ProvideConnections, useConnections } from '../features/connections/context.ts';
import { StartScreen } from '../features/connections/start-screen.tsx';
import { ProvideDatasets } from '../features/datasets/context.ts';
import { ProvideExport } from '../features/export/context.ts';
import { ProvideJobs } from '../features/jobs/context.ts';
import { ProvideUploads } from '../features/upload/context.ts';
import { DropOverlay } from '../features/upload/drop-overlay.tsx';
import { ProvideWells } from '../features/wells/context.ts';
import { ProvideWorkspace } from '../features/workspace/context.ts';
import { useThemeAttribute } from '../features/workspace/theme.tsx';
import { Status } from '../ui/status.tsx';
import { words } from '../words/words.ts';
import type { Composition } from './compose.ts';
import { Shell } from './shell.tsx';
import { ProvideTabs } from './tabs.ts';
import './app.css';

/** The window. */
export function App({ parts }: { parts: Composition }) {
  return (
    <ProvideWorkspace feature={parts.workspace}>
      <ProvideConnections feature={parts.connections}>
        <ProvideWells feature={parts.wells}>
          <ProvideDatasets feature={parts.datasets}>
            <ProvideJobs feature={parts.jobs}>
              <ProvideExport value={parts.exporting}>
                <ProvideUploads value={parts.uploads}>
                  <ProvideTabs feature={parts.tabs}>
                    <Window parts={parts} />
                  </ProvideTabs>
                </ProvideUploads>
              </ProvideExport>
            </ProvideJobs>
          </ProvideDatasets>
        </ProvideWells>
      </ProvideConnections>
    </ProvideWorkspace>
  );
}

function Window({ parts }: { parts: Composition }) {
  useThemeAttribute();
  const current = useConnections((state) => state.current);
  const listed = useConnections((state) => state.list.face);
  // Until the connections are known, nobody can say which of the two screens is right.
  const waiting = current === null && (listed === 'idle' || listed === 'loading');
  return (
    <div className="window">
      <LinkBanner parts={parts} />
      {waiting ? null : current ? (
        <Shell key={current.id} connection={current} onOpenDataset={parts.openDataset} />
      ) : (
        <StartScreen />
      )}
      <DropOverlay />
    </div>
  );
}

/** Says that the link to the application is being opened again; what is on screen stays. */
function LinkBanner({ parts }: { parts: Composition }) {
  const link = useStore(parts.link.state, ({ state }) => state);
  return (
    <Status className={link === 'connected' ? undefined : 'link-banner'}>
      {link !== 'connected' && (
        <>
          <LoaderCircle size={14} aria-hidden />
          {words.link[link]}
        </>
      )}
    </Status>
  );
}
