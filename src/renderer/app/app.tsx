import { LoaderCircle } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useStore } from 'zustand';
import type { Commands } from '../features/commands/commands.ts';
import { LazyPalette } from '../features/commands/lazy-palette.tsx';
import { StartScreen } from '../features/connections/start-screen.tsx';
import { DropOverlay } from '../features/upload/file/drop-overlay.tsx';
import { Status } from '../ui/status.tsx';
import { AppContext, useAppState } from '../state/contexts.ts';
import { words } from '../words/words.ts';
import type { Composition } from './compose.ts';
import { afterFirstScreen, useFirstScreen } from './first-screen.ts';
import './app.css';

// The start screen doesn't need these.
const loadingSession = afterFirstScreen.then(() => import('./session-window.tsx'));
const OpenedPanel = lazy(() => import('../features/opened/opened-panel.tsx'));
const SettingsPanel = lazy(() => import('../features/settings/settings-panel.tsx'));
const HelpPanel = lazy(() => import('../features/help/help-panel.tsx'));
const SessionWindow = lazy(() => loadingSession);

type WindowFeatures = Composition & { readonly commands: Commands };

/** The window. */
export function App({ parts }: { parts: WindowFeatures }) {
  // Number and time styles belong to the window: a change renders everything again.
  useStore(parts.settings.store, ({ values }) => `${values.numbers} ${values.dates}`);
  return (
    <AppContext value={parts}>
      <Window parts={parts} />
    </AppContext>
  );
}

function Window({ parts }: { parts: WindowFeatures }) {
  const current = useAppState('connections', (state) => state.current);
  const listed = useAppState('connections', (state) => state.list.status);
  const shown = useStore(parts.sessions, (state) => state.current);
  const hasSettings = useAppState('settings', (state) => state.isLoaded);
  // The first screen depends on the connections, and its texts on the settings.
  const waiting = !hasSettings || (current === null && (listed === 'idle' || listed === 'loading'));
  useFirstScreen(waiting ? null : current ? 'connection' : 'start');
  return (
    <div className="window">
      <LinkBanner parts={parts} />
      <OpenedArea connected={current !== null} />
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
      <HelpArea />
      <SettingsArea />
      <LazyPalette after={afterFirstScreen} />
    </div>
  );
}

function OpenedArea({ connected }: { connected: boolean }) {
  const any = useAppState('opened', (state) => state.items.length > 0);
  return (
    any && (
      <Suspense>
        <OpenedPanel connected={connected} />
      </Suspense>
    )
  );
}

function HelpArea() {
  const isOpen = useAppState('help', (state) => state.at !== null);
  return (
    isOpen && (
      <Suspense>
        <HelpPanel />
      </Suspense>
    )
  );
}

function SettingsArea() {
  const isOpen = useAppState('settings', (state) => state.isOpen);
  return (
    isOpen && (
      <Suspense>
        <SettingsPanel />
      </Suspense>
    )
  );
}

/** Says that the link to the application is lost. The screen stays. */
function LinkBanner({ parts }: { parts: WindowFeatures }) {
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
