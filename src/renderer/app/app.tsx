import { LoaderCircle } from 'lucide-react';
import {
  lazy,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ComponentType,
  type ReactNode,
  useEffectEvent,
} from 'react';
import { useStore } from 'zustand';
import type { Commands, KeyFocus } from '../features/commands/commands.ts';
import { StartScreen } from '../features/connections/start-screen.tsx';
import { DropOverlay } from '../features/upload/file/drop-overlay.tsx';
import { SizeDivider } from '../ui/size-divider.tsx';
import { Status } from '../ui/status.tsx';
import { AppContext, useApp, useAppState } from '../contexts.ts';
import { words } from '../words/words.ts';
import type { Composition } from './compose.ts';
import { afterFirstScreen, useFirstScreen } from './first-screen.ts';
import '../features/tabs/tabs.css';
import './app.css';

// The start screen doesn't need these.
const loadingSession = afterFirstScreen.then(() => import('./session-window.tsx'));
const OpenedPanel = lazy(() => import('../features/opened/opened-panel.tsx'));
const SettingsPanel = lazy(() => import('../features/settings/settings-panel.tsx'));
const HelpPanel = lazy(() => import('../features/help/help-panel.tsx'));
const SessionWindow = lazy(() => loadingSession);

type WindowFeatures = Composition & { readonly commands: Commands };

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
    <div className="window relative stack gap-0 full">
      <LinkBanner parts={parts} />
      <OpenedArea connected={current !== null} />
      <WithSidePanel>
        <div className="relative stack gap-0 grow" data-help={current ? 'README.md' : 'proxy.md'}>
          {waiting ? null : current && shown?.connection === current.id ? (
            <Suspense>
              <SessionWindow key={current.id} session={shown} connection={current} />
            </Suspense>
          ) : (
            <>
              <StartScreen />
              <DropOverlay onFiles={null} />
            </>
          )}
        </div>
      </WithSidePanel>
      <LazyPalette />
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

/** In pixels. */
const widths = { default: 440, min: 280 };

/** The work, and beside it the guide or the settings while one is open. The width of the panel is remembered. */
function WithSidePanel({ children }: { children: ReactNode }) {
  const hasHelp = useAppState('help', (state) => state.at !== null);
  const hasSettings = useAppState('settings', (state) => state.isOpen);
  return (
    <div className="row gap-0 items-stretch fill">
      {children}
      {(hasHelp || hasSettings) && <SidePanel Content={hasHelp ? HelpPanel : SettingsPanel} />}
    </div>
  );
}

function SidePanel({ Content }: { Content: ComponentType<{ divider: ReactNode }> }) {
  const { panel } = useApp().settings.actions.places;
  const [width, setWidth] = useState(() => Number(panel.getItem('panel')) || widths.default);
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place.current?.style.setProperty('--panel-width', `${String(width)}px`);
  }, [width]);
  useEffect(() => {
    // Once it rests: each change is stored on disk.
    const timer = setTimeout(() => panel.setItem('panel', String(width)), 300);
    return () => clearTimeout(timer);
  }, [panel, width]);
  const divider = (
    <SizeDivider
      part="after"
      label={words.panelWidth}
      value={width}
      min={widths.min}
      onChange={setWidth}
      onReset={() => setWidth(widths.default)}
    />
  );
  return (
    <div ref={place} className="window-panel flex-none">
      <Suspense>
        <Content divider={divider} />
      </Suspense>
    </div>
  );
}

/** Says that the link to the application is lost. The screen stays. */
function LinkBanner({ parts }: { parts: WindowFeatures }) {
  const link = useStore(parts.link.state, ({ state }) => state);
  return (
    <Status className={link === 'connected' ? undefined : 'link-banner row pad-y-1 pad-x-3'}>
      {link !== 'connected' && (
        <>
          <LoaderCircle size={14} aria-hidden />
          {words.link[link]}
        </>
      )}
    </Status>
  );
}

const load = () => import('../features/commands/palette.tsx');
type Palette = Awaited<ReturnType<typeof load>>['Palette'];

// The find box of an editor is part of it.
const dialogs = ':is([role=dialog], [role=alertdialog]):not(.code-editor *)';

/** Dialogs are modal; a menu has the focus while it is open. They are only searched for a shortcut. */
const focusOf = ({ target }: KeyboardEvent): KeyFocus => ({
  isInEditor: () => target instanceof Element && target.closest('.code-editor') !== null,
  isInDialog: () =>
    document.querySelector(dialogs) !== null ||
    (target instanceof Element && target.closest('[role=menu]') !== null),
});

/**
 * Handles shortcuts before the editor and the grid do, and shows the palette. The palette loads after the
 * first screen.
 */
function LazyPalette() {
  const open = useAppState('commands', (state) => state.open);
  const due = useAppState('commands', (state) => state.pendingEntry);
  const { press, seek, runPending } = useApp().commands.actions;
  const text = useAppState('commands', (state) => state.text);
  const [palette, setPalette] = useState<{ readonly Palette: Palette } | null>(null);
  const isComing = open && palette === null;

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!press(event, focusOf(event))) {
      // Text typed before the palette is loaded goes into its search.
      const isLetter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!isComing || !isLetter) return;
      seek(text + event.key);
    }
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, []);
  useEffect(() => {
    // If loading fails, shortcuts still work.
    afterFirstScreen.then(load).then(setPalette, () => undefined);
  }, []);
  useEffect(() => {
    if (due === null) return undefined;
    // The palette returns the focus before the next frame.
    const frame = requestAnimationFrame(() => runPending());
    return () => cancelAnimationFrame(frame);
  }, [due, runPending]);
  return open && palette && <palette.Palette />;
}
