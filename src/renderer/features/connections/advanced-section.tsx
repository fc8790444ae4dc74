import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { words } from '../../words/words.ts';

interface AdvancedSectionProps {
  /** Whether it has values already, so that it starts expanded. */
  readonly isUsed: boolean;
  /** Whether a field in it has a problem, which must be visible. */
  readonly hasProblem: boolean;
  readonly children: ReactNode;
}

/** What few connections need. It stays expanded while its fields change. */
export function AdvancedSection({ isUsed, hasProblem, children }: AdvancedSectionProps) {
  const [isOpen, setOpen] = useState(isUsed);
  if (hasProblem && !isOpen) setOpen(true);
  return (
    <details
      className="connection-advanced"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="row gap-1">
        <ChevronRight size={14} aria-hidden />
        {words.connection.advanced}
      </summary>
      <div className="connection-advanced-fields stack gap-3">{children}</div>
    </details>
  );
}
