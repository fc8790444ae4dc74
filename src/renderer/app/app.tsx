import { LoaderCircle } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useStore } from 'zustand';
import type { Commands } from '../features/commands/commands.ts';
import { PalettePlace } from '../features/commands/palette-place.tsx';
import { StartScreen } from '../features/connections/start-screen.tsx';
import { DropOverlay } from '../features/upload/file/drop-overlay.tsx';
import { Status } from '../ui/status.tsx';
import { AppContext, useAppState } from '../state/contexts.ts';
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

type Parts = Composition & { readonly commands: Commands };

/** The window. */
export function App({ parts }: { parts: Parts }) {
  // Numbers and moments are written in a style of the window: another one draws all of it again.
  useStore(parts.settings.store, ({ values }) => `${values.numbers} ${values.dates}`);
  return (
    <AppContext value={parts}>
      <Window parts={parts} />
    </AppContext>
  );
}

function Window({ parts }: { parts: Parts }) {
  const current = useAppState('connections', (state) => state.current);
  const listed = useAppState('connections', (state) => state.list.status);
  const shown = useStore(parts.sessions, (state) => state.shown);
  const isSet = useAppState('settings', (state) => state.heard);
  // Until the connections are known, nobody can say which of the two screens is right; nor how it is to be written until
  // the settings are.
  const waiting = !isSet || (current === null && (listed === 'idle' || listed === 'loading'));
  useFirstScreen(waiting ? null : current ? 'connection' : 'start');
  return (
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
  );
}

function OpenedPlace({ connected }: { connected: boolean }) {
  const any = useAppState('opened', (state) => state.things.length > 0);
  return (
    any && (
      <Suspense>
        <OpenedPanel connected={connected} />
      </Suspense>
    )
  );
}

function HelpPlace() {
  const isOpen = useAppState('help', (state) => state.at !== null);
  return (
    isOpen && (
      <Suspense>
        <HelpPanel />
      </Suspense>
    )
  );
}

function SettingsPlace() {
  const isOpen = useAppState('settings', (state) => state.open);
  return (
    isOpen && (
      <Suspense>
        <SettingsPanel />
      </Suspense>
    )
  );
}

/** Says that the link to the application is being opened again; what is on screen stays. */
function LinkBanner({ parts }: { parts: Parts }) {
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
