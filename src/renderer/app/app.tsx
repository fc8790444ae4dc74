import { LoaderCircle } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useStore } from 'zustand';
import {
  ProvideConnections,
  ProvideDoctor,
  ProvideProfileShares,
  useConnections,
} from '../features/connections/context.ts';
import type { Commands } from '../features/commands/commands.ts';
import { ProvideCommands } from '../features/commands/context.ts';
import { PalettePlace } from '../features/commands/palette-place.tsx';
import { StartScreen } from '../features/connections/start-screen.tsx';
import { ProvideExport } from '../features/export/context.ts';
import { ProvideHelp, useHelp, useHelpActions } from '../features/help/context.ts';
import { ProvideEndNotices } from '../features/jobs/end-notices-context.ts';
import { ProvideJobs } from '../features/jobs/context.ts';
import { ProvidePlotNeeds } from '../features/plot/context.ts';
import { ProvideOpened, useOpened } from '../features/opened/context.ts';
import { ProvideSaved } from '../features/saved/context.ts';
import { ProvideUploadQueue } from '../features/upload/queue/queue-context.ts';
import { DropOverlay } from '../features/upload/file/drop-overlay.tsx';
import { ProvideWorkspace } from '../features/workspace/context.ts';
import { ProvideSettings, useSettings } from '../features/settings/context.ts';
import { Explain } from '../ui/help-link.tsx';
import { Status } from '../ui/status.tsx';
import { words } from '../words/words.ts';
import type { Composition } from './compose.ts';
import { afterFirstScreen, useFirstScreen } from './first-screen.ts';
import './app.css';

// The start screen stands without it.
const loadingSession = afterFirstScreen.then(() => import('./session-window.tsx'));
const OpenedPanel = lazy(() => import('../features/opened/opened-panel.tsx'));
const SettingsPanel = lazy(() => import('../features/settings/settings-panel.tsx'));
const HelpPanel = lazy(() => import('../features/help/help-panel.tsx'));
const SessionWindow = lazy(() => loadingSession);

/** The window. */
export function App({ parts, commands }: { parts: Composition; commands: Commands }) {
  // Numbers and moments are written in a style of the window: another one draws all of it again.
  useStore(parts.settings.store, ({ values }) => `${values.numbers} ${values.dates}`);
  return (
    <ProvideSettings feature={parts.settings}>
      <ProvideWorkspace feature={parts.workspace}>
        <ProvideHelp feature={parts.help}>
          <ProvideConnections feature={parts.connections}>
            <ProvideDoctor feature={parts.doctor}>
              <ProvideProfileShares value={parts.shares}>
                <ProvideJobs feature={parts.jobs}>
                  <ProvideEndNotices feature={parts.endNotices}>
                    <ProvideUploadQueue feature={parts.queue}>
                      <ProvideExport value={parts.exporting}>
                        <ProvidePlotNeeds value={parts.plotting}>
                          <ProvideSaved feature={parts.saved}>
                            <ProvideOpened feature={parts.opened}>
                              <ProvideCommands feature={commands}>
                                <Window parts={parts} />
                              </ProvideCommands>
                            </ProvideOpened>
                          </ProvideSaved>
                        </ProvidePlotNeeds>
                      </ProvideExport>
                    </ProvideUploadQueue>
                  </ProvideEndNotices>
                </ProvideJobs>
              </ProvideProfileShares>
            </ProvideDoctor>
          </ProvideConnections>
        </ProvideHelp>
      </ProvideWorkspace>
    </ProvideSettings>
  );
}

function Window({ parts }: { parts: Composition }) {
  const current = useConnections((state) => state.current);
  const listed = useConnections((state) => state.list.face);
  const shown = useStore(parts.sessions, (state) => state.shown);
  const { explain } = useHelpActions();
  const isSet = useSettings((state) => state.heard);
  // Until the connections are known, nobody can say which of the two screens is right; nor how it is to be written until
  // the settings are.
  const waiting = !isSet || (current === null && (listed === 'idle' || listed === 'loading'));
  useFirstScreen(waiting ? null : current ? 'connection' : 'start');
  return (
    <Explain value={explain}>
      <div className="window">
        <LinkBanner parts={parts} />
        <OpenedPlace connected={current !== null} />
        {waiting ? null : current && shown?.connection === current.id ? (
          <Suspense>
            <SessionWindow key={current.id} session={shown} connection={current} />
          </Suspense>
        ) : (
          <>
            <StartScreen />
            <DropOverlay uploads={null} />
          </>
        )}
        <HelpPlace />
        <SettingsPlace />
        <PalettePlace after={afterFirstScreen} />
      </div>
    </Explain>
  );
}

/** What was opened from outside; most windows never show any. */
function OpenedPlace({ connected }: { connected: boolean }) {
  const any = useOpened((state) => state.things.length > 0);
  return (
    any && (
      <Suspense>
        <OpenedPanel connected={connected} />
      </Suspense>
    )
  );
}

/** The guide, fetched when it is first asked for. */
function HelpPlace() {
  const isOpen = useHelp((state) => state.at !== null);
  return (
    isOpen && (
      <Suspense>
        <HelpPanel />
      </Suspense>
    )
  );
}

/** The settings, fetched when they are first asked for. */
function SettingsPlace() {
  const isOpen = useSettings((state) => state.open);
  return (
    isOpen && (
      <Suspense>
        <SettingsPanel />
      </Suspense>
    )
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
