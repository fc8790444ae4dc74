/**
 * Progress from 0 to 1; null: indeterminate. The library's progress bar would add number formats of all
 * regions to the first screen.
 */
export function Bar({ label, share }: { label: string; share: number | null }) {
  const name = { role: 'progressbar', 'aria-label': label, 'aria-valuemin': 0, 'aria-valuemax': 100 };
  if (share === null) return <div className="bar bar-unknown" {...name} />;
  const percent = Math.round(share * 100);
  return (
    <div className="bar" aria-valuenow={percent} aria-valuetext={`${percent}%`} {...name}>
      <div className="bar-fill" style={{ width: `${share * 100}%` }} />
    </div>
  );
}
