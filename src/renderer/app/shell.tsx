import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels';
import type { Connection } from '../../shared/connections.ts';
import type { Dataset } from '../../shared/datasets.ts';
import { PaletteButton } from '../features/commands/palette-button.tsx';
import { ConnectionMenu } from '../features/connections/connection-menu.tsx';
import { ConnectionNotices } from '../features/connections/connection-notices.tsx';
import { HelpButton } from '../features/help/help-button.tsx';
import { JobsBar } from '../features/jobs/jobs-bar.tsx';
import { UploadButton } from '../features/upload/upload-button.tsx';
import { ScopeChips } from '../features/wells/scope-chips.tsx';
import { ThemeMenu } from '../features/workspace/theme.tsx';
import { KeepFocus } from '../ui/keep-focus.tsx';
import { words } from '../words/words.ts';
import { focusSection } from './focus-section.ts';
import { Sources } from './sources.tsx';
import { TabArea } from './tab-area.tsx';

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
  const columns = useDefaultLayout({ id: 'wellbench.columns', storage: localStorage });
  return (
    <>
      <header className="top-bar" data-color={connection.color}>
        <KeepFocus className="visually-hidden">
          <h1>{words.window(connection.name)}</h1>
        </KeepFocus>
        <ConnectionMenu />
        <ScopeChips />
        <span className="top-bar-end">
          <UploadButton />
          <PaletteButton />
          <HelpButton />
          <ThemeMenu />
        </span>
      </header>
      <ConnectionNotices connection={connection} />
      <Group orientation="horizontal" className="shell" {...columns}>
        <Panel
          id="sources"
          defaultSize="328px"
          minSize="220px"
          maxSize="50%"
          groupResizeBehavior="preserve-pixel-size"
        >
          <Sources connection={connection} onOpenDataset={onOpenDataset} onBrowse={onBrowse} />
        </Panel>
        <Separator className="divider divider-column" />
        <Panel id="questions" minSize="400px">
          <main className="questions">
            <TabArea onNew={() => onOpenAnother() || focusSection('datasets')} />
          </main>
        </Panel>
      </Group>
      <JobsBar />
    </>
  );
}
