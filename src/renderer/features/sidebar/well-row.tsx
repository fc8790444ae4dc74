import {
  Archive,
  Circle,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CirclePlay,
  type LucideIcon,
  Pin,
} from 'lucide-react';
import type { Well } from '../../../shared/wells/wells.ts';
import { WellDot } from '../../ui/well-dot.tsx';
import { words } from '../../words/words.ts';
import type { DirectoryState } from '../wells/directory.ts';
import { type FactField, factRowText } from '../wells/facts.ts';
import { WellDetails } from './well-details.tsx';

const lineHeight = 18;
const padding = 8;

/** Lines below the name: two facts fit in a line, and a single one beside the name. */
const linesFor = (facts: number): number => (facts > 1 ? Math.ceil(facts / 2) : 0);

/** The height of a row with so many facts, in pixels. */
export const rowHeight = (facts: number): number => padding + lineHeight * (1 + linesFor(facts));

export interface WellRowProps {
  readonly well: Well;
  readonly facts: readonly FactField[];
  readonly pinned: boolean;
  readonly directory: DirectoryState;
  readonly now: number;
}

/** A well in the list: its name, its status, and the selected fields. */
export function WellRow({ well, facts, pinned, directory, now }: WellRowProps) {
  const [only] = facts.length === 1 ? facts : [];
  const lines = Array.from({ length: linesFor(facts.length) }, (_, at) => facts.slice(at * 2, at * 2 + 2));
  return (
    <div className="well-row">
      <div className="well-line">
        <WellDot assetId={well.assetId} />
        <span className="well-name">{well.name}</span>
        {pinned && (
          <span className="well-pinned">
            <Pin size={12} aria-hidden />
            <span className="visually-hidden">{words.wells.pinned}</span>
          </span>
        )}
        {only && <span className="well-only quiet numbers">{factRowText(well, only, directory, now)}</span>}
        {well.status !== null && <WellStatus status={well.status} isShort={only !== undefined} />}
        <WellDetails well={well} />
      </div>
      {lines.map((line) => (
        <div key={line[0]} className="well-line quiet numbers">
          {line.map((field) => (
            <span key={field} className="well-fact">
              {factRowText(well, field, directory, now)}
            </span>
          ))}
        </div>
      ))}
    </div>
  );
}

// The service's statuses are free text: common ones have an icon, so that color is never the only sign.
const icons: Readonly<Record<string, LucideIcon>> = {
  active: CirclePlay,
  paused: CirclePause,
  idle: CircleDashed,
  complete: CircleCheck,
  archived: Archive,
};

/** A well's status: an icon and the service's text. */
function WellStatus({ status, isShort }: { status: string; isShort: boolean }) {
  const Icon = icons[status] ?? Circle;
  return (
    <span className="well-status" data-status={status} {...(isShort ? { title: status } : {})}>
      <Icon size={12} aria-hidden />
      <span className={isShort ? 'visually-hidden' : ''}>{status}</span>
    </span>
  );
}
