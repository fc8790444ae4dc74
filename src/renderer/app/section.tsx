import { ChevronDown, ChevronRight } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { Panel, usePanelRef } from 'react-resizable-panels';
import { useCommand } from '../features/commands/use-command.ts';
import { focusSection } from './focus-section.ts';

/** What is left of a folded section: its title, in pixels. */
const folded = 29;

export interface SectionProps {
  readonly id: 'wells' | 'datasets' | 'saved' | 'history';
  readonly title: string;
  /** Its height at first; null: folded. */
  readonly size: string | null;
  /** Its least height while it is open, in pixels. */
  readonly minSize: number;
  /** Unfolds the side that it stands in. */
  readonly onReveal: () => void;
  readonly children: ReactNode;
}

/** A part of the left side, which folds to its title. What it holds is there only while it is open. */
export function Section({ id, title, size, minSize, onReveal, children }: SectionProps) {
  const panel = usePanelRef();
  const [open, setOpen] = useState(size !== null);
  const fold = useRef<HTMLButtonElement>(null);
  useCommand(id, () => {
    onReveal();
    // What a folded one holds comes later; from its title the keyboard goes on into it.
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
      collapsedSize={folded}
      minSize={minSize}
      defaultSize={size ?? folded}
      onResize={({ inPixels }) => setOpen(inPixels > folded + 1)}
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
