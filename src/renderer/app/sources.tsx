import { ChevronDown, ChevronRight } from 'lucide-react';
import { Suspense, lazy, useRef, useState, type ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { Group, Panel, Separator, useDefaultLayout, usePanelRef } from 'react-resizable-panels';
import { useCommand } from '../features/commands/use-command.ts';
import { focusSection } from './focus-section.ts';
import type { Connection } from '../../shared/connections/connections.ts';
import type { Dataset } from '../../shared/datasets/datasets.ts';
import { DatasetBrowser } from '../features/datasets/dataset-list.tsx';
import { WellPicker } from '../features/wells/well-picker.tsx';
import { Loading } from '../ui/view-states.tsx';
import { useApp } from '../state/contexts.ts';
import { words } from '../words/words.ts';

/** The height of a collapsed section's title, in pixels. */
const collapsedHeight = 29;

interface SectionProps {
  readonly id: 'wells' | 'datasets' | 'saved' | 'history';
  readonly title: string;
  /** The initial height; null: collapsed. */
  readonly size: string | null;
  /** The minimum height while expanded, in pixels. */
  readonly minSize: number;
  /** Expands the sidebar. */
  readonly onReveal: () => void;
  readonly children: ReactNode;
}

/** A section of the sidebar. Its content is mounted only while it is expanded. */
function Section({ id, title, size, minSize, onReveal, children }: SectionProps) {
  const panel = usePanelRef();
  const [open, setOpen] = useState(size !== null);
  const fold = useRef<HTMLButtonElement>(null);
  useCommand(id, () => {
    onReveal();
    // Content of a collapsed section mounts later; the focus moves from its title into it.
    fold.current?.focus();
    if (open) focusSection(id);
    else panel.current?.expand();
  });
  const Icon = open ? ChevronDown : ChevronRight;
  return (
    <Panel
      id={id}
      panelRef={panel}
      collapsible
      collapsedSize={collapsedHeight}
      minSize={minSize}
      defaultSize={size ?? collapsedHeight}
      onResize={({ inPixels }) => setOpen(inPixels > collapsedHeight + 1)}
    >
      <section className="list" aria-labelledby={`list-${id}`} data-section={id}>
        <h2 className="section-title">
          <Button
            ref={fold}
            className="section-fold"
            aria-expanded={open}
            onPress={() => (open ? panel.current?.collapse() : panel.current?.expand())}
          >
            <Icon size={14} aria-hidden />
            <span id={`list-${id}`}>{title}</span>
          </Button>
        </h2>
        {open && children}
      </section>
    </Panel>
  );
}

// Loaded when first expanded.
const SavedList = lazy(() => import('../features/saved/saved-list.tsx'));
const HistoryList = lazy(() => import('../features/history/history-list.tsx'));

export interface SourcesProps {
  readonly connection: Connection;
  readonly onOpenDataset: (dataset: Dataset) => void;
  readonly onBrowse: () => void;
  /** Expands the sidebar. */
  readonly onReveal: () => void;
}

/** The sidebar: four sections that collapse and share its height. */
export function Sources({ connection, onOpenDataset, onBrowse, onReveal }: SourcesProps) {
  const { places } = useApp().settings.actions;
  const rows = useDefaultLayout({ id: 'wellbench.sections', storage: places.sections });
  const divider = <Separator className="divider divider-row" />;
  const { wells, datasets, saved, history } = words;
  return (
    <nav
      className="sources"
      aria-label={`${wells.heading}, ${datasets.heading}, ${saved.heading}, ${history.heading}`}
    >
      <Group orientation="vertical" {...rows}>
        <Section id="wells" title={wells.heading} size="52%" minSize={130} onReveal={onReveal}>
          <WellPicker connection={connection.id} onBrowse={onBrowse} />
        </Section>
        {divider}
        <Section id="datasets" title={datasets.heading} size="38%" minSize={130} onReveal={onReveal}>
          <DatasetBrowser connection={connection.id} onOpen={onOpenDataset} />
        </Section>
        {divider}
        <Section id="saved" title={saved.heading} size={null} minSize={150} onReveal={onReveal}>
          <Suspense fallback={<Loading what={saved.loading} />}>
            <SavedList />
          </Suspense>
        </Section>
        {divider}
        <Section id="history" title={history.heading} size={null} minSize={150} onReveal={onReveal}>
          <Suspense fallback={<Loading what={history.loading} />}>
            <HistoryList />
          </Suspense>
        </Section>
      </Group>
    </nav>
  );
}
