import {
  Archive,
  Circle,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CirclePlay,
  type LucideIcon,
} from 'lucide-react';

// The service's words are free text; those seen have an icon of their own, others the plain one. Never colour alone.
const icons: Readonly<Record<string, LucideIcon>> = {
  active: CirclePlay,
  paused: CirclePause,
  idle: CircleDashed,
  complete: CircleCheck,
  archived: Archive,
};

/** A well's status: an icon and the service's own word. */
export function WellStatus({ status }: { status: string }) {
  const Icon = icons[status] ?? Circle;
  return (
    <span className="well-status" data-status={status}>
      <Icon size={12} aria-hidden />
      {status}
    </span>
  );
}
