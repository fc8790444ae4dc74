import { Suspense, lazy, memo, useCallback, useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import {
  Group,
  Panel,
  Separator,
  useDefaultLayout,
  type PanelImperativeHandle,
} from 'react-resizable-panels';
import { JobsBar } from '../features/jobs/jobs-bar.tsx';
import { WaitingFiles } from '../features/upload/queue/waiting-files.tsx';
import {
  SessionContext,
  useApp,
  useAppState,
  useSession,
  useSessionState,
  type Session,
} from '../contexts.ts';
import { useStore } from 'zustand';
import { useShortcut, PaletteButton } from '../features/commands/command-button.tsx';
import { PanelLeft, Upload, Monitor, Moon, Sun, type LucideIcon, X } from 'lucide-react';
import type { Connection } from '../../shared/connections/connections.ts';
import { ConnectionMenu, ConnectionNotices } from '../features/connections/connection-menu.tsx';
import { HelpButton } from '../features/help/help-button.tsx';
import { SettingsButton } from '../features/settings/settings-button.tsx';
import { Button } from '../ui/button.tsx';
import { KeepFocus } from '../ui/keep-focus.tsx';
import { uploadWords } from '../words/upload.ts';
import { words } from '../words/words.ts';
import { Sources } from '../features/sidebar/sources.tsx';
import { TabArea } from '../features/tabs/tab-area.tsx';
import { useUploadInView } from '../features/upload/upload-kind.ts';
import { DropOverlay } from '../features/upload/file/drop-overlay.tsx';
import { addFiles, openJob, openUpload } from '../features/upload/open-upload.ts';
import { openAnother } from '../features/query/open-query.ts';
import { openReport } from '../features/quality-tab/quality-kind.ts';
import { WriteButton } from '../features/connections/write-button.tsx';
import { type Theme, theme as themeSchema } from '../../shared/settings/settings.ts';
import { MenuButton } from '../ui/menu-button.tsx';
import { Alert } from '../ui/alert.tsx';
import { clipboardFailure } from '../ui/clipboard.ts';

function useSide() {
  const panel = useRef<PanelImperativeHandle>(null);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = useAppState('sidebar', (state) => state.isOpen);
  const { setOpen } = useApp().sidebar.actions;
  useLayoutEffect(() => {
    if (panel.current?.isCollapsed() === !isOpen) return;
    if (isOpen) panel.current?.expand();
    else {
      // Collapsed content has no focus to keep.
      if (place.current?.contains(document.activeElement)) button.current?.focus();
      panel.current?.collapse();
    }
  }, [isOpen]);
  return { panel, place, button, isOpen, onResize: () => setOpen(panel.current?.isCollapsed() !== true) };
}

const narrowWindow = '(max-width: 1199px)';
const tightWindow = '(max-width: 799px)';

/**
 * Collapses an open sidebar of a narrow window while the columns of the upload in view are being mapped, and that of a
 * tight window when another tab comes into view: both together have no room. A component of its own: the window isn't
 * drawn again for each tab.
 */
function RoomForTab({ panel }: { panel: RefObject<PanelImperativeHandle | null> }): null {
  const needsWidth = useUploadInView(({ step, send }) => step === 'columns' && send.status === 'none');
  const isCollapsed = useRef(false);
  useEffect(() => {
    const side = panel.current;
    if (!side) return;
    if (needsWidth && !side.isCollapsed() && window.matchMedia(narrowWindow).matches) {
      isCollapsed.current = true;
      side.collapse();
    } else if (!needsWidth && isCollapsed.current) {
      isCollapsed.current = false;
      side.expand();
    }
  }, [needsWidth, panel]);
  const tab = useSessionState('tabs', (state) => state.active);
  useEffect(() => {
    if (tab !== null && window.matchMedia(tightWindow).matches) panel.current?.collapse();
  }, [tab, panel]);
  return null;
}

const MirrorsDialog = lazy(() => import('../features/mirrors/mirrors-dialog.tsx'));

function MirrorsPlace() {
  const isOpen = useAppState('mirrors', (state) => state.isOpen);
  return (
    isOpen && (
      <Suspense>
        <MirrorsDialog />
      </Suspense>
    )
  );
}

function JobsPlace() {
  const queuedCount = useAppState('queue', (state) => state.waiting.length);
  const session = useSession();
  const { openResults } = useApp().jobs.actions;
  return (
    <JobsBar
      queuedCount={queuedCount}
      waitingFiles={<WaitingFiles />}
      onOpen={(job) =>
        job.kind === 'quality' ? void openResults(() => openReport(session, job)) : openJob(session, job)
      }
    />
  );
}

const HomeView = lazy(() => import('../features/home/home-view.tsx'));
const home = <HomeView />;

// Not drawn again when the sidebar opens, closes, or is resized.
const Side = memo(Sources);
const Questions = memo(function Questions() {
  const session = useSession();
  return <TabArea onNew={() => openAnother(session)} home={home} />;
});
const Jobs = memo(JobsPlace);

/** The window of an open connection: sources at the left, queries in the middle, jobs below. */
function Shell({ connection }: { connection: Connection }) {
  const { settings, sidebar } = useApp();
  const { places } = settings.actions;
  const columns = useDefaultLayout({ id: 'wellbench.columns', storage: places.columns });
  const { isOpen, panel, place, button, onResize } = useSide();
  const sideKeys = useShortcut('side');
  return (
    <>
      <header className="top-bar row gap-3 line-below" data-color={connection.color}>
        <KeepFocus className="visually-hidden">
          <h1>{words.window(connection.name)}</h1>
        </KeepFocus>
        <Button
          ref={button}
          variant="quiet"
          icon={PanelLeft}
          aria-label={words.tabs.side}
          keys={sideKeys}
          aria-expanded={isOpen}
          onPress={sidebar.actions.toggle}
        />
        <ConnectionMenu />
        <span className="row gap-0 items-stretch flex-none push">
          <UploadButton />
          <PaletteButton />
          <HelpButton />
          <ThemeMenu />
          <SettingsButton />
        </span>
      </header>
      <ConnectionNotices connection={connection} />
      <ClipboardNotice />
      <RoomForTab panel={panel} />
      <Group orientation="horizontal" className="fill" {...columns}>
        <Panel
          id="sources"
          panelRef={panel}
          collapsible
          collapsedSize="0px"
          defaultSize="328px"
          minSize="200px"
          maxSize="50%"
          groupResizeBehavior="preserve-pixel-size"
          onResize={onResize}
        >
          <div ref={place} className="side full" inert={!isOpen}>
            <Side />
          </div>
        </Panel>
        <Separator className="divider divider-column" />
        <Panel id="questions" minSize="280px">
          <main className="questions stack gap-0 surface full">
            <Questions />
          </main>
        </Panel>
      </Group>
      <Jobs />
      <MirrorsPlace />
    </>
  );
}

export default function SessionWindow({ session, connection }: { session: Session; connection: Connection }) {
  const onFiles = useCallback((files: readonly File[]) => addFiles(session, files), [session]);
  return (
    <SessionContext value={session}>
      <Shell connection={connection} />
      <DropOverlay onFiles={onFiles} />
    </SessionContext>
  );
}

function UploadButton() {
  const session = useSession();
  return (
    <WriteButton icon={Upload} onPress={() => openUpload(session)}>
      {uploadWords.button}
    </WriteButton>
  );
}

const icons: Record<Theme, LucideIcon> = { system: Monitor, light: Sun, dark: Moon };
const items = themeSchema.options.map((id) => ({ id, text: words.theme[id], icon: icons[id] }));

function ThemeMenu() {
  const theme = useAppState('settings', (state) => state.values.theme);
  const { set } = useApp().settings.actions;
  return (
    <MenuButton
      label={words.theme.label}
      isWorded
      icon={icons[theme]}
      items={items}
      current={theme}
      onSelect={(id) => set({ theme: themeSchema.parse(id) })}
    />
  );
}

function ClipboardNotice() {
  const isShown = useStore(clipboardFailure, (state) => state.isShown);
  if (!isShown) return null;
  return (
    <Alert
      tone="error"
      actions={
        <Button
          variant="quiet"
          icon={X}
          aria-label={words.dismiss}
          onPress={() => clipboardFailure.setState({ isShown: false })}
        />
      }
    >
      {words.notCopied}
    </Alert>
  );
}
