import { ProgressBar } from 'react-aria-components/ProgressBar';

/** How far something is, from 0 to 1; null: nobody knows how long it takes, and the bar moves. */
export function Bar({ label, share }: { label: string; share: number | null }) {
  if (share === null) return <ProgressBar className="bar bar-unknown" aria-label={label} isIndeterminate />;
  return (
    <ProgressBar className="bar" aria-label={label} value={share * 100}>
      <div className="bar-fill" style={{ width: `${share * 100}%` }} />
    </ProgressBar>
  );
}
