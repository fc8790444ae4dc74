import { PanelLeft } from 'lucide-react';
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels';
import type { Connection } from '../../shared/connections/connections.ts';
import type { Dataset } from '../../shared/datasets/datasets.ts';
import { useCommand } from '../features/commands/use-command.ts';
import { PaletteButton } from '../features/commands/palette-button.tsx';
import { ConnectionMenu } from '../features/connections/connection-menu.tsx';
import { ConnectionNotices } from '../features/connections/connection-notices.tsx';
import { HelpButton } from '../features/help/help-button.tsx';
import { UploadButton } from '../features/upload/upload-button.tsx';
import { ScopeChips } from '../features/wells/scope-chips.tsx';
import { SettingsButton } from '../features/settings/settings-button.tsx';
import { ThemeMenu } from '../features/settings/theme-menu.tsx';
import { Button } from '../ui/button.tsx';
import { ClipboardNotice } from '../ui/clipboard-notice.tsx';
import { KeepFocus } from '../ui/keep-focus.tsx';
import { useApp } from '../state/contexts.ts';
import { words } from '../words/words.ts';
import { focusSection } from './focus-section.ts';
import { JobsPlace } from './jobs-place.tsx';
import { Sources } from './sources.tsx';
import { TabArea } from './tab-area.tsx';
import { TourPlace } from './tour/tour-place.tsx';
import { useSide } from './use-side.ts';

export interface ShellProps {
  readonly connection: Connection;
  readonly onOpenDataset: (dataset: Dataset) => void;
  /** Opens another question to the dataset in view; false: there is none in view. */
  readonly onOpenAnother: () => boolean;
  /** Opens the tab that lists wells and what they belong to. */
  readonly onBrowse: () => void;
}

/** The window of an open connection: where data come from at the left, questions in the middle, jobs below. */
export function Shell({ connection, onOpenDataset, onOpenAnother, onBrowse }: ShellProps) {
  const { places } = useApp().settings.actions;
  const columns = useDefaultLayout({ id: 'wellbench.columns', storage: places.columns });
  const { isOpen, panel, place, button, onResize, reveal, toggle } = useSide();
  const startAnother = () => {
    if (onOpenAnother()) return;
    reveal();
    focusSection('datasets');
  };
  useCommand('side', toggle);
  useCommand('tabNew', startAnother);
  return (
    <>
      <header className="top-bar" data-color={connection.color}>
        <KeepFocus className="visually-hidden">
          <h1>{words.window(connection.name)}</h1>
        </KeepFocus>
        <Button
          ref={button}
          variant="quiet"
          icon={PanelLeft}
          aria-label={words.tabs.side}
          aria-expanded={isOpen}
          onPress={toggle}
        />
        <ConnectionMenu />
        <ScopeChips />
        <span className="top-bar-end">
          <UploadButton />
          <PaletteButton />
          <HelpButton />
          <ThemeMenu />
          <SettingsButton />
        </span>
      </header>
      <ConnectionNotices connection={connection} />
      <ClipboardNotice />
      <TourPlace isSample={connection.sample} onLeft={() => button.current?.focus()} />
      <Group orientation="horizontal" className="shell" {...columns}>
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
          <div ref={place} className="side" inert={!isOpen}>
            <Sources
              connection={connection}
              onOpenDataset={onOpenDataset}
              onBrowse={onBrowse}
              onReveal={reveal}
            />
          </div>
        </Panel>
        <Separator className="divider divider-column" />
        <Panel id="questions" minSize="280px">
          <main className="questions">
            <TabArea onNew={startAnother} />
          </main>
        </Panel>
      </Group>
      <JobsPlace />
    </>
  );
}
