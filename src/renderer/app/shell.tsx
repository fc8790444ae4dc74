import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels';
import type { Connection } from '../../shared/connections.ts';
import type { Dataset } from '../../shared/datasets.ts';
import { ConnectionMenu } from '../features/connections/connection-menu.tsx';
import { ConnectionNotices } from '../features/connections/connection-notices.tsx';
import { DatasetBrowser } from '../features/datasets/dataset-browser.tsx';
import { JobsBar } from '../features/jobs/jobs-bar.tsx';
import { UploadButton } from '../features/upload/upload-button.tsx';
import { ScopeChips } from '../features/wells/scope-chips.tsx';
import { WellPicker } from '../features/wells/well-picker.tsx';
import { ThemeMenu } from '../features/workspace/theme.tsx';
import { KeepFocus } from '../ui/keep-focus.tsx';
import { words } from '../words/words.ts';
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
            <TabArea onNew={() => onOpenAnother() || showDatasets()} />
          </main>
        </Panel>
      </Group>
      <JobsBar />
    </>
  );
}

/** A new question begins with a dataset: the search for one takes the focus. */
const showDatasets = (): void =>
  document.querySelector<HTMLElement>('[data-section=datasets] input')?.focus();

function Sources({ connection, onOpenDataset, onBrowse }: Omit<ShellProps, 'onOpenAnother'>) {
  const rows = useDefaultLayout({ id: 'wellbench.sources', storage: localStorage });
  return (
    <nav className="sources" aria-label={`${words.wells.heading}, ${words.datasets.heading}`}>
      <Group orientation="vertical" {...rows}>
        <Panel id="wells" defaultSize="58%" minSize="140px">
          <section className="list" aria-labelledby="list-wells">
            <h2 id="list-wells" className="list-title">
              {words.wells.heading}
            </h2>
            <WellPicker connection={connection.id} onBrowse={onBrowse} />
          </section>
        </Panel>
        <Separator className="divider divider-row" />
        <Panel id="datasets" minSize="140px">
          <section className="list" aria-labelledby="list-datasets" data-section="datasets">
            <h2 id="list-datasets" className="list-title">
              {words.datasets.heading}
            </h2>
            <DatasetBrowser connection={connection.id} onOpen={onOpenDataset} />
          </section>
        </Panel>
      </Group>
    </nav>
  );
}
